package publishoutsidetx

import (
	"go/ast"
	"go/types"

	"github.com/deliverylint/deliverylint/internal/fix"
)

// callee is how a writer is called at a place: a function by its name, a method on a
// value that is at hand there.
func (r *row) callee(e *fix.Edits, at *place, w fix.Writer, fn *types.Func) (string, bool) {
	if fn.Signature().Recv() == nil {
		if fn.Pkg() != r.Types && !fn.Exported() {
			return "", false
		}
		return e.Qualified(fn), true
	}
	vars := at.params
	if w.Way != fix.ByReceiver {
		vars = append(vars, at.Vars(at.pos)...)
	}
	h := holders{fn: fn, from: r.Types}
	if sel, ok := ast.Unparen(r.Call.Fun).(*ast.SelectorExpr); ok && !calls(r.Site, fn) {
		h.not = r.Info.TypeOf(sel.X)
	}
	for _, v := range vars {
		h.look(v.Name(), v.Type(), 2)
	}
	if len(h.found) != 1 {
		return "", false
	}
	return h.found[0] + "." + fn.Name(), true
}

// holders are the values that have a method, the nearest: variables, fields of
// them, and fields of those.
type holders struct {
	fn    *types.Func
	from  *types.Package
	not   types.Type
	found []string
	depth int
}

func (h *holders) look(text string, t types.Type, depth int) {
	if text == "_" || text == "" || h.not != nil && types.Identical(t, h.not) {
		return
	}
	if h.has(t) {
		if depth > h.depth {
			h.found, h.depth = nil, depth
		}
		if depth == h.depth {
			h.found = append(h.found, text)
		}
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth == 0 {
		return
	}
	for i := range s.NumFields() {
		if f := s.Field(i); f.Exported() || f.Pkg() == h.from {
			h.look(text+"."+f.Name(), f.Type(), depth-1)
		}
	}
}

// has reports whether a value of a type is one of the method's, or may hold one: an
// interface that the method's type implements.
func (h *holders) has(t types.Type) bool {
	recv := h.fn.Signature().Recv().Type()
	base := recv
	if p, ok := recv.(*types.Pointer); ok {
		base = p.Elem()
	}
	own := t
	if p, ok := t.(*types.Pointer); ok {
		own = p.Elem()
	}
	if types.Identical(own, base) {
		return h.fn.Exported() || h.fn.Pkg() == h.from
	}
	i, ok := t.Underlying().(*types.Interface)
	if !ok || types.IsInterface(base) {
		return false
	}
	m, _, _ := types.LookupFieldOrMethod(t, false, h.fn.Pkg(), h.fn.Name())
	return m != nil && (types.Implements(base, i) || types.Implements(types.NewPointer(base), i))
}
