package effect

import (
	"go/types"
	"strings"
)

// skipInterface: interfaces of the standard library say nothing of delivery.
func skipInterface(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	if n.Obj().Pkg() == nil {
		return true // error
	}
	path := n.Obj().Pkg().Path()
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && isStd(first)
}

func isStd(first string) bool {
	switch first {
	case "io", "fmt", "context", "net", "sort", "hash", "crypto", "encoding", "reflect", "log", "os", "sync", "time", "errors", "database", "flag", "bufio", "image", "text", "html", "expvar", "testing":
		return true
	}
	return false
}

// isDouble: mocks, fakes and stubs are no implementers.
func isDouble(t types.Type) bool {
	n := namedOf(t)
	if n == nil || n.Obj().Pkg() == nil {
		return false
	}
	name, path := strings.ToLower(n.Obj().Name()), strings.ToLower(n.Obj().Pkg().Path())
	for _, word := range []string{"mock", "fake", "stub", "spy"} {
		if strings.HasPrefix(name, word) || strings.HasSuffix(name, word) || strings.Contains(name, "mock") {
			return true
		}
		if strings.Contains(path, "/"+word) || strings.HasSuffix(path, word+"s") || strings.HasSuffix(path, word) {
			return true
		}
	}
	return false
}
