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

// throughTx makes a call of a pool one of the transaction that is open where it stands:
// the literal that runs in one uses the pool all the same, and is given the transaction
// for that.
func throughTx(s *fix.Site) []finding.Fix {
	fn, sel := s.Method(s.Call)
	if fn == nil || !fix.Plain(sel.X) || !begins(s.Info.TypeOf(sel.X)) {
		return nil
	}
	for _, n := range s.Around {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return nil
		case *ast.FuncLit:
			if tx := givenTx(s, n, sel); tx != "" {
				e := s.Edits()
				e.Replace(sel.X, tx)
				return e.Offer("use the transaction that is open here")
			}
		}
	}
	return nil
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
// that is called, which takes and gives the same.
func givenTx(s *fix.Site, lit *ast.FuncLit, sel *ast.SelectorExpr) string {
	found := ""
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			v, ok := s.Info.Defs[name].(*types.Var)
			if !ok || name.Name == "_" || !hasMethod(v.Type(), "Rollback") || s.Object(name.Name, s.Call.Pos()) != types.Object(v) {
				continue
			}
			obj, _, _ := types.LookupFieldOrMethod(v.Type(), true, s.Types, sel.Sel.Name)
			twin, ok := obj.(*types.Func)
			if found != "" || !ok || !types.Identical(bare(twin.Type()), bare(s.Info.TypeOf(sel))) {
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
