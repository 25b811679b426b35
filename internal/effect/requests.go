package effect

import (
	"golang.org/x/tools/go/ssa"
)

// requestMethod is the method of the HTTP request that a call is given: one that the
// function has made, or a method by its name that a helper makes a request of.
func requestMethod(c *ssa.CallCommon) string {
	for _, a := range c.Args {
		switch x := a.(type) {
		case *ssa.Const:
			if isMethod(constValue(x).Name) {
				return constValue(x).Name
			}
		case *ssa.Extract:
			if call, ok := x.Tuple.(*ssa.Call); ok && isRequest(x.Type()) {
				return requestMethod(call.Common())
			}
		}
	}
	fn := c.StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg.Path() != "net/http" {
		return ""
	}
	switch fn.Name() {
	case "Post", "PostForm":
		return "POST"
	case "Get", "Head":
		return "GET"
	}
	return ""
}

func isMethod(s string) bool {
	switch s {
	case "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE":
		return true
	}
	return false
}
