package assignstate

import (
	"go/ast"
	"go/types"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// serialized reports whether what stores the entity runs in a literal that is given a
// transaction of the strictest isolation, and reads through that: of two at a time one
// fails then, as with a lock one waits.
func serialized(p *fix.Package, f *finding.Finding) bool {
	pos := f.Flow[len(f.Flow)-1].Pos
	home := p.Holding(pos.Filename)
	if home == nil {
		return false
	}
	write := callAt(home, pos)
	if write == nil {
		return false
	}
	lit, ok := write.Function().(*ast.FuncLit)
	if !ok {
		return false
	}
	for _, n := range write.Around {
		call, ok := n.(*ast.CallExpr)
		if ok && call.Pos() < lit.Pos() && lit.End() < call.End() {
			return isolates(call) && readsWithin(write, lit)
		}
	}
	return false
}

// isolates: a call is given the level.
func isolates(call *ast.CallExpr) bool {
	for _, a := range call.Args {
		if _, lit := a.(*ast.FuncLit); !lit && (fix.Mentions(a, "LevelSerializable") || fix.Mentions(a, "Serializable")) {
			return true
		}
	}
	return false
}

// readsWithin: every function of the package that a literal hands its transaction to makes
// use of it, and there is one besides what stores the entity.
func readsWithin(s *fix.Site, lit *ast.FuncLit) bool {
	reads, all := false, true
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for i, a := range call.Args {
			id, ok := a.(*ast.Ident)
			if !ok || !isParamOf(s, lit, id) || fix.IsContext(s.Info.TypeOf(id)) {
				continue
			}
			decl := s.Decl(call)
			reads, all = true, all && decl != nil && usesParam(s, decl, i)
		}
		return true
	})
	return reads && all
}

func isParamOf(s *fix.Site, lit *ast.FuncLit, id *ast.Ident) bool {
	obj := s.Info.Uses[id]
	return obj != nil && lit.Type.Pos() <= obj.Pos() && obj.Pos() < lit.Type.End()
}

func usesParam(s *fix.Site, decl *ast.FuncDecl, i int) bool {
	fn, ok := s.Info.Defs[decl.Name].(*types.Func)
	if !ok || i >= fn.Signature().Params().Len() {
		return false
	}
	return s.UsedBehind(decl.Body, fn.Signature().Params().At(i), decl.Body.Pos())
}
