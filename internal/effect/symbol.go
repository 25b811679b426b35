package effect

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// symbolOf is the unique name of an SSA function in the program. Instances of
// one generic function have the type arguments in theirs.
func symbolOf(fn *ssa.Function) string {
	if fn.Parent() != nil {
		return symbolOf(fn.Parent()) + "$" + strings.TrimPrefix(fn.Name(), fn.Parent().Name()+"$")
	}
	return fn.String()
}

// methodSymbol is the symbol that symbolOf gives to a declared method.
func methodSymbol(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		if f.Pkg() == nil {
			return f.Name()
		}
		return f.Pkg().Path() + "." + f.Name()
	}
	return "(" + types.TypeString(recv.Type(), nil) + ")." + f.Name()
}

// displayName is a function's name without its package: (*Service).Pay.
func displayName(fn *ssa.Function) string {
	if fn.Parent() != nil {
		return displayName(fn.Parent()) + "$" + strings.TrimPrefix(fn.Name(), fn.Parent().Name()+"$")
	}
	recv := fn.Signature.Recv()
	if recv == nil {
		if fn.Origin() != nil {
			return fn.Origin().Name()
		}
		return fn.Name()
	}
	name := fn.Name()
	if _, ok := recv.Type().(*types.Pointer); ok {
		return "(*" + typeName(recv.Type()) + ")." + name
	}
	return typeName(recv.Type()) + "." + name
}

// typeName is the bare name of a type's named type, "" if it has none.
func typeName(t types.Type) string {
	if n := namedOf(t); n != nil {
		return n.Obj().Name()
	}
	return ""
}

// namedOf strips pointers, slices and aliases down to a named type.
func namedOf(t types.Type) *types.Named {
	for range 4 {
		switch u := types.Unalias(t).(type) {
		case *types.Named:
			return u
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		default:
			return nil
		}
	}
	return nil
}

// catalogSymbols are the names under which the catalog may hold a callee: its
// declaring receiver type first, then the static type of the call's receiver.
func catalogSymbols(f *types.Func, static types.Type) []catalog.Symbol {
	f = f.Origin()
	if f.Pkg() == nil {
		return nil
	}
	recv := f.Signature().Recv()
	if recv == nil {
		return []catalog.Symbol{{Package: f.Pkg().Path(), Name: f.Name()}}
	}
	var out []catalog.Symbol
	if n := namedOf(recv.Type()); n != nil && n.Obj().Pkg() != nil {
		out = append(out, catalog.Symbol{Package: n.Obj().Pkg().Path(), Type: n.Obj().Name(), Name: f.Name()})
	}
	if static != nil {
		if n := namedOf(static); n != nil && n.Obj().Pkg() != nil {
			s := catalog.Symbol{Package: n.Obj().Pkg().Path(), Type: n.Obj().Name(), Name: f.Name()}
			if len(out) == 0 || out[0] != s {
				out = append(out, s)
			}
		}
	}
	return out
}

func packageOf(fn *ssa.Function) string {
	for f := fn; f != nil; f = f.Parent() {
		if f.Pkg != nil {
			return f.Pkg.Pkg.Path()
		}
		if o := f.Origin(); o != nil && o.Pkg != nil {
			return o.Pkg.Pkg.Path()
		}
		if obj := f.Object(); obj != nil && obj.Pkg() != nil {
			return obj.Pkg().Path()
		}
	}
	return ""
}

// isRecord reports whether a type is a struct of the program's own, or a pointer or a
// list of it.
func (p *packageBuilder) isRecord(t types.Type) bool {
	n := namedOf(t)
	if n == nil || n.Obj().Pkg() == nil || !p.own(n.Obj().Pkg()) {
		return false
	}
	_, ok := n.Underlying().(*types.Struct)
	return ok
}
