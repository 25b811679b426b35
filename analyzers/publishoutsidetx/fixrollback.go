package publishoutsidetx

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/deliverylint/deliverylint/internal/fix"
)

// rollsBack reports whether the function rolls the transaction back however it ends: in
// what it defers, if not under a condition on an error that a return may not set.
func rollsBack(s *fix.Site, tx *ast.Ident) bool {
	found := false
	ast.Inspect(s.Body(), func(n ast.Node) bool {
		switch d := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = found || undoes(s, d, tx)
			return false
		}
		return true
	})
	return found
}

// undoes reports whether a deferred call rolls a transaction back, itself or by a
// function that is named for it.
func undoes(s *fix.Site, d *ast.DeferStmt, tx *ast.Ident) bool {
	calls, mentions, sure := false, false, true
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			id, plain := n.Fun.(*ast.Ident)
			calls = calls || ok && strings.HasPrefix(strings.ToLower(sel.Sel.Name), "rollback") || plain && strings.HasPrefix(strings.ToLower(id.Name), "rollback")
		case *ast.Ident:
			mentions = mentions || s.Info.Uses[n] == s.Info.Uses[tx]
		case *ast.IfStmt:
			sure = sure && onlyResults(s, n.Cond)
		}
		return true
	})
	return calls && mentions && sure
}

// onlyResults reports whether the errors that a condition asks about are results of the
// function, which every return sets, or are got there.
func onlyResults(s *fix.Site, cond ast.Expr) bool {
	ok := true
	results := s.Results()
	ast.Inspect(cond, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is {
			return true
		}
		v, is := s.Info.Uses[id].(*types.Var)
		if !is || !fix.IsError(v.Type()) || v.Parent() == nil || v.Pkg() != s.Types {
			return true
		}
		own := v.Pos() > s.Body().Pos() && declaredIn(s, v)
		result := false
		for i := range results.Len() {
			result = result || results.At(i) == v
		}
		ok = ok && (own || result)
		return true
	})
	return ok
}

// declaredIn reports whether a variable is one of a literal that the function defers.
func declaredIn(s *fix.Site, v *types.Var) bool {
	found := false
	ast.Inspect(s.Body(), func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			found = found || d.Pos() < v.Pos() && v.Pos() < d.End()
		}
		return !found
	})
	return found
}
