package publishoutsidetx

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/fix"
)

// open finds the transaction of a place, and the context: what the literal is given
// that runs in it, or what the function commits, or what the change goes through.
func (at *place) open(r *row, around []ast.Node, half *fix.Site) bool {
	for _, n := range around {
		switch n := n.(type) {
		case *ast.FuncLit:
			return at.given(r, n) && (r.way == fix.ByParam || at.through(half))
		case *ast.FuncDecl:
			at.ctx = at.context(r)
			if r.way != fix.ByParam {
				return false
			}
			tx := ended(r.Site, r.tx)
			if tx == nil {
				tx = txOf(half, r.tx)
			}
			if tx == nil || !seen(r.File, r.Body(), tx, at.pos) {
				return false
			}
			at.tx = tx.Name
			return true
		}
	}
	return false
}

// through reports whether a change goes through what the literal is given, so that the
// transaction is known to come with that.
func (at *place) through(half *fix.Site) bool {
	return slices.ContainsFunc(at.params, func(v *types.Var) bool { return fix.Mentions(half.Call, v.Name()) })
}

// given takes the transaction and the context from the parameters of a literal.
func (at *place) given(r *row, lit *ast.FuncLit) bool {
	at.ctx = at.context(r)
	inner := ""
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			v, ok := r.Info.Defs[name].(*types.Var)
			if !ok || name.Name == "_" || at.Object(name.Name, at.pos) != types.Object(v) {
				continue
			}
			at.params = append(at.params, v)
			switch {
			case fix.IsContext(v.Type()):
				inner = name.Name
			case r.tx != nil && types.AssignableTo(v.Type(), r.tx):
				at.tx = name.Name
			}
		}
	}
	if inner != "" {
		at.ctx = inner
	}
	switch r.way {
	case fix.ByParam:
		return at.tx != ""
	case fix.ByContext:
		return inner != ""
	}
	return len(at.params) > 0
}

// context is the context to use at a place: the one that the publish is given if it has
// a name, or the one that is called ctx.
func (at *place) context(r *row) string {
	for _, a := range r.Call.Args {
		if t := r.Info.TypeOf(a); t != nil && fix.IsContext(t) {
			if id, ok := a.(*ast.Ident); ok && at.Object(id.Name, at.pos) == r.Info.Uses[id] {
				return id.Name
			}
		}
	}
	if obj := at.Object("ctx", at.pos); obj != nil && fix.IsContext(obj.Type()) {
		return "ctx"
	}
	return ""
}

// txOf is the one variable that a call names and that a parameter of a type takes.
func txOf(s *fix.Site, want types.Type) *ast.Ident {
	return oneOf(s, s.Call, func(n ast.Node) (id *ast.Ident, deeper bool) {
		_, literal := n.(*ast.FuncLit)
		id, _ = n.(*ast.Ident)
		return id, !literal
	}, func(v *types.Var) bool {
		return !v.IsField() && !fix.IsContext(v.Type()) && !isPool(v.Type()) && types.AssignableTo(v.Type(), want)
	})
}

// isPool reports whether a type is one that begins transactions, by its name.
func isPool(t types.Type) bool {
	name := fix.NameOf(t)
	if name == nil || name.Pkg() == nil || strings.HasPrefix(name.Pkg().Path(), "gorm.io/") {
		return false
	}
	return slices.Contains([]string{"DB", "Pool", "Conn"}, name.Name())
}

// ended is the one variable whose Commit the function calls, where a parameter of
// a type takes it.
func ended(s *fix.Site, want types.Type) *ast.Ident {
	return oneOf(s, s.Body(), func(n ast.Node) (id *ast.Ident, deeper bool) {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Commit" {
			id, _ = sel.X.(*ast.Ident)
		}
		return id, true
	}, func(v *types.Var) bool { return types.AssignableTo(v.Type(), want) })
}

// oneOf is the one variable that fits, of those that are named where pick says so; nil if
// there is none, or another.
func oneOf(s *fix.Site, in ast.Node, pick func(ast.Node) (id *ast.Ident, deeper bool), fits func(*types.Var) bool) *ast.Ident {
	var found *ast.Ident
	one := true
	ast.Inspect(in, func(n ast.Node) bool {
		id, deeper := pick(n)
		if id == nil {
			return deeper
		}
		if v, ok := s.Info.Uses[id].(*types.Var); ok && fits(v) {
			one = one && (found == nil || s.Info.Uses[found] == v)
			found = id
		}
		return deeper
	})
	if !one {
		return nil
	}
	return found
}

// seen reports whether a variable has its name at a place too, and is given its value
// once.
func seen(f *fix.File, body ast.Node, id *ast.Ident, pos token.Pos) bool {
	obj := f.Info.Uses[id]
	at := place{File: f, pos: pos}
	if obj == nil || obj.Parent() == f.Types.Scope() || at.Object(id.Name, at.pos) != obj {
		return false
	}
	once := true
	ast.Inspect(body, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok {
			for _, lhs := range assign.Lhs {
				to, ok := lhs.(*ast.Ident)
				once = once && !(ok && f.Info.Uses[to] == obj)
			}
		}
		return once
	})
	return once
}
