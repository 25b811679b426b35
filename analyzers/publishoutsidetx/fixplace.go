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
	return slices.ContainsFunc(at.params, func(v *types.Var) bool { return mentions(half.Call, v.Name()) })
}

// given takes the transaction and the context from the parameters of a literal.
func (at *place) given(r *row, lit *ast.FuncLit) bool {
	at.ctx = at.context(r)
	inner := ""
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			v, ok := r.Info.Defs[name].(*types.Var)
			if !ok || name.Name == "_" || at.named(name.Name) != types.Object(v) {
				continue
			}
			at.params = append(at.params, v)
			switch {
			case isContext(v.Type()):
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
		if t := r.Info.TypeOf(a); t != nil && isContext(t) {
			if id, ok := a.(*ast.Ident); ok && at.named(id.Name) == r.Info.Uses[id] {
				return id.Name
			}
		}
	}
	if obj := at.named("ctx"); obj != nil && isContext(obj.Type()) {
		return "ctx"
	}
	return ""
}

// txOf is the one variable that a call names and that a parameter of a type takes.
func txOf(s *fix.Site, want types.Type) *ast.Ident {
	var found *ast.Ident
	one := true
	ast.Inspect(s.Call, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := s.Info.Uses[id].(*types.Var)
		if !ok || v.IsField() || isContext(v.Type()) || isPool(v.Type()) || !types.AssignableTo(v.Type(), want) {
			return true
		}
		one = one && (found == nil || s.Info.Uses[found] == v)
		found = id
		return true
	})
	if !one {
		return nil
	}
	return found
}

// isPool reports whether a type is one that begins transactions, by its name.
func isPool(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || strings.HasPrefix(named.Obj().Pkg().Path(), "gorm.io/") {
		return false
	}
	return slices.Contains([]string{"DB", "Pool", "Conn"}, named.Obj().Name())
}

// ended is the one variable whose Commit the function calls, where a parameter of
// a type takes it.
func ended(s *fix.Site, want types.Type) *ast.Ident {
	var found *ast.Ident
	one := true
	ast.Inspect(s.Body(), func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Commit" {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := s.Info.Uses[id].(*types.Var)
		if !ok || !types.AssignableTo(v.Type(), want) {
			return true
		}
		one = one && (found == nil || s.Info.Uses[found] == v)
		found = id
		return true
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
	if obj == nil || obj.Parent() == f.Types.Scope() || at.named(id.Name) != obj {
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
