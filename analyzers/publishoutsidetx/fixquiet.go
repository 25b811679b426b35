package publishoutsidetx

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/deliverylint/deliverylint/internal/fix"
)

// quiet reports whether a statement, a call aside, does nothing that others could see
// but log, and reads nothing that they write.
func (r *row) quiet(s ast.Stmt, but *ast.CallExpr) bool {
	ok := true
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt:
			if g, is := n.(*ast.GoStmt); !is || g.Call != but {
				ok = false
			}
		case *ast.CallExpr:
			ok = ok && (n == but || r.quietCall(n))
		}
		return ok
	})
	return ok
}

func (r *row) quietCall(call *ast.CallExpr) bool {
	if tv := r.Info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return true
	}
	fn, ok := typeutil.Callee(r.Info, call).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return ok // the Error of an error
	}
	sig := fn.Signature()
	path := fn.Pkg().Path()
	switch {
	case logs(path) || sig.Recv() != nil && logs(typeutil.Callee(r.Info, call).(*types.Func).FullName()):
		return true
	case !strings.Contains(strings.SplitN(path, "/", 2)[0], ".") && !r.declared(fn):
		return slices.Contains(quietPackages(), strings.SplitN(path, "/", 2)[0])
	case r.Quiet != nil && r.Quiet(fn):
		return true
	case r.declared(fn) || sig.Recv() != nil && types.IsInterface(sig.Recv().Type()):
		return false
	}
	for i := range sig.Params().Len() {
		if fix.IsContext(sig.Params().At(i).Type()) {
			return false
		}
	}
	return sig.Recv() == nil
}

// declared: the function is of the package's own module, as far as its path tells.
func (r *row) declared(fn *types.Func) bool {
	a, b := r.Types.Path(), fn.Pkg().Path()
	if fn.Pkg() == r.Types {
		return true
	}
	n := shared(a, b)
	return n >= 3 || n >= 1 && !strings.Contains(strings.SplitN(a, "/", 2)[0], ".")
}

// quietPackages are the standard library's that only make values of values.
func quietPackages() []string {
	return []string{
		"fmt", "strings", "strconv", "time", "errors", "bytes", "sort", "slices", "maps", "math", "log", "encoding",
		"unicode", "path", "hash", "crypto", "cmp", "context", "regexp", "html", "text",
	}
}

// logs tells a logger by the names of its package and type.
func logs(name string) bool {
	l := strings.ToLower(name)
	return slices.ContainsFunc([]string{"logger", "/slog", "log/", "zap", "zerolog", "logrus", "klog", "glog"}, func(w string) bool { return strings.Contains(l, w) })
}
