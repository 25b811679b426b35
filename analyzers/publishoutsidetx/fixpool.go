package publishoutsidetx

import (
	"go/ast"
	"go/types"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// anyThroughTx does so with what is outside of the other's transaction: the change, or what
// stores the event.
func anyThroughTx(category string, halves ...*fix.Site) (offers []finding.Fix) {
	for _, s := range halves {
		if s != nil && category == outsideTx {
			offers = append(offers, throughTx(s)...)
		}
	}
	if len(offers) != 1 {
		return nil
	}
	return offers
}

// throughTx makes a call of a pool one of the transaction that is open where it stands: the
// one that a literal is given to run in, or the one that the function has begun.
func throughTx(s *fix.Site) []finding.Fix {
	fn, sel := s.Method(s.Call)
	if fn == nil || !fix.Plain(sel.X) || !begins(s.Info.TypeOf(sel.X)) {
		return nil
	}
	for _, n := range s.Around {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return throughNamed(s, sel, openTx(s, sel))
		case *ast.FuncLit:
			if tx := givenTx(s, n, sel); tx != "" {
				return throughNamed(s, sel, tx)
			}
		}
	}
	return nil
}

func throughNamed(s *fix.Site, sel *ast.SelectorExpr, tx string) []finding.Fix {
	if tx == "" {
		return nil
	}
	e := s.Edits()
	e.Replace(sel.X, tx)
	return e.Offer("use the transaction that is open here")
}

// openTx is the one transaction that the function ends, if it is begun above the call and
// committed only below it.
func openTx(s *fix.Site, sel *ast.SelectorExpr) string {
	below := true
	tx := oneOf(s, s.Body(), func(n ast.Node) (id *ast.Ident, deeper bool) {
		if end, ok := n.(*ast.SelectorExpr); ok && end.Sel.Name == "Commit" {
			id, _ = end.X.(*ast.Ident)
			below = below && (id == nil || id.Pos() > s.Call.End())
		}
		return id, true
	}, func(v *types.Var) bool { return hasMethod(v.Type(), "Rollback") && sameCall(s, v.Type(), sel) })
	if tx == nil || !below || !seen(s.File, s.Body(), tx, s.Call.Pos()) || s.Info.Uses[tx].Pos() > s.Call.Pos() {
		return ""
	}
	return tx.Name
}

// sameCall reports whether a type has the method that is called, which takes and gives the same.
func sameCall(s *fix.Site, t types.Type, sel *ast.SelectorExpr) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, s.Types, sel.Sel.Name)
	fn, ok := obj.(*types.Func)
	return ok && types.Identical(bare(fn.Type()), bare(s.Info.TypeOf(sel)))
}

// begins reports whether a type has a method that begins transactions, and none that ends
// them.
func begins(t types.Type) bool {
	return t != nil && isPool(t) && (hasMethod(t, "Begin") || hasMethod(t, "BeginTx")) && !hasMethod(t, "Rollback")
}

func hasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, ok := obj.(*types.Func)
	return ok
}

// givenTx is the one transaction among the parameters of a literal, if it has the method
// that is called.
func givenTx(s *fix.Site, lit *ast.FuncLit, sel *ast.SelectorExpr) string {
	found := ""
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			v, ok := s.Info.Defs[name].(*types.Var)
			if !ok || name.Name == "_" || !hasMethod(v.Type(), "Rollback") || s.Object(name.Name, s.Call.Pos()) != types.Object(v) {
				continue
			}
			if found != "" || !sameCall(s, v.Type(), sel) {
				return ""
			}
			found = name.Name
		}
	}
	return found
}

// bare is a signature without its receiver.
func bare(t types.Type) types.Type {
	sig, ok := t.(*types.Signature)
	if !ok {
		return t
	}
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}
