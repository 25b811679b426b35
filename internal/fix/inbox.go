package fix

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// IsInbox reports whether a function has the form of an inbox's: given a context, a
// transaction, the name of a consumer and a message's ID it records that the message
// was handled, and tells whether that is the first time.
//
//	func Once(ctx context.Context, tx *sql.Tx, consumer, messageID string) (first bool, err error)
func IsInbox(fn *types.Func) bool {
	sig := fn.Signature()
	params, results := sig.Params(), sig.Results()
	if sig.Recv() != nil || sig.TypeParams().Len() > 0 || params.Len() != 4 || results.Len() != 2 || !fn.Exported() {
		return false
	}
	text := func(i int) bool { return types.Identical(params.At(i).Type(), types.Typ[types.String]) }
	return IsContext(params.At(0).Type()) && text(2) && text(3) &&
		types.Identical(results.At(0).Type(), types.Typ[types.Bool]) && IsError(results.At(1).Type())
}

// Inboxes are the inboxes that packages declare, by the name that scaffold gives them,
// in order.
func Inboxes(pkgs []*types.Package) []*types.Func {
	var out []*types.Func
	for _, p := range pkgs {
		if fn, ok := p.Scope().Lookup("Once").(*types.Func); ok && IsInbox(fn) {
			out = append(out, fn)
		}
	}
	slices.SortFunc(out, func(a, b *types.Func) int { return strings.Compare(a.FullName(), b.FullName()) })
	return out
}

// Vars are the variables that are seen at a place and belong to a function, innermost
// first; those of one scope in the order of their declarations.
func (f *File) Vars(at token.Pos) []*types.Var {
	var out []*types.Var
	for scope := f.Types.Scope().Innermost(at); scope != nil && scope.Parent() != nil && scope.Parent().Parent() != types.Universe; scope = scope.Parent() {
		var here []*types.Var
		for _, name := range scope.Names() {
			v, ok := scope.Lookup(name).(*types.Var)
			if ok && f.Object(name, at) == v {
				here = append(here, v)
			}
		}
		slices.SortFunc(here, func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
		out = append(out, here...)
	}
	return out
}
