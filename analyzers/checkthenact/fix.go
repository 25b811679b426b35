package checkthenact

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// Fix reads the answer of a claim that nobody reads, and moves a claim that is made
// before the transaction of what it is for into that.
func Fix(p *fix.Package, f *finding.Finding) []finding.Fix {
	claim := p.Site(f.Pos)
	if claim == nil || !claim.ReturnsError() || len(f.Flow) < 2 {
		return nil
	}
	switch f.Category {
	case claimIgnored:
		return fixIgnored(claim)
	case markBefore:
		if act := p.Site(f.Flow[len(f.Flow)-1].Pos); act != nil {
			return fixMark(claim, act)
		}
	}
	return nil
}

// fixIgnored returns where the claim has met a record: the message was handled. What
// the transaction has done before would be committed then, so the claim comes first.
func fixIgnored(claim *fix.Site) []finding.Fix {
	_, sel := claim.Method(claim.Call)
	failure := claim.Failure()
	if sel == nil || failure == nil || failure.If.Else != nil || !failure.Returns() || len(failure.Made.Lhs) != 2 || claim.Source(failure.Made.Lhs[0]) != "_" {
		return nil
	}
	tx := fix.Root(sel.X)
	if tx == nil || !isTx(claim.Info.TypeOf(sel.X)) || claim.Innermost() != claim.Function() || usedBefore(claim, tx) {
		return nil
	}
	name, answer := answerOf(claim, failure.Err.Name)
	if name == "" || claim.Object(name, failure.If.Pos()) != nil {
		return nil
	}
	e := claim.Edits()
	e.Replace(failure.Made.Lhs[0], name)
	switch err := claim.Object(failure.Err.Name, failure.If.Pos()); {
	case failure.If.Init != nil:
		e.Behind(failure.If, " else "+strings.ReplaceAll(answer, "\n", "\n"+claim.Line(failure.If.Pos())))
	case failure.Made.Tok == token.DEFINE:
		e.InsertAfter(failure.If, answer)
	case err != nil && err.Parent() == claim.Types.Scope().Innermost(failure.Made.Pos()):
		e.Replace(fix.Span{From: failure.Made.TokPos, To: failure.Made.TokPos + 1}, ":=")
		e.InsertAfter(failure.If, answer)
	default:
		return nil
	}
	return e.Offer("return where the message was handled before")
}

// answerOf is the check of how many rows a claim has inserted, and the name of what it
// asks.
func answerOf(claim *fix.Site, err string) (name, check string) {
	results, ok := claim.Info.TypeOf(claim.Call).(*types.Tuple)
	if !ok || results.Len() != 2 {
		return "", ""
	}
	obj, _, _ := types.LookupFieldOrMethod(results.At(0).Type(), true, claim.Types, "RowsAffected")
	rows, ok := obj.(*types.Func)
	if !ok {
		return "", ""
	}
	if rows.Signature().Results().Len() == 1 {
		return "tag", "if tag.RowsAffected() == 0 {\n\treturn nil\n}"
	}
	return "res", "if n, " + err + " := res.RowsAffected(); " + err + " != nil || n == 0 {\n\treturn " + err + "\n}"
}

// isTx tells a transaction by the name of its type.
func isTx(t types.Type) bool {
	n := fix.NameOf(t)
	return n != nil && strings.HasSuffix(n.Name(), "Tx")
}

// usedBefore reports whether something is done with a transaction before a claim, other
// than to make sure that it ends.
func usedBefore(claim *fix.Site, tx *ast.Ident) bool {
	obj, used := claim.Info.ObjectOf(tx), false
	for _, s := range claim.Body().List {
		if s.End() > claim.Call.Pos() {
			break
		}
		if _, ends := s.(*ast.DeferStmt); ends {
			continue
		}
		ast.Inspect(s, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			used = used || ok && claim.Info.Uses[id] == obj
			return !used
		})
	}
	return used
}

// fixMark makes the claim the first thing that the transaction does.
func fixMark(claim, act *fix.Site) []finding.Fix {
	_, sel := claim.Method(claim.Call)
	list, i := claim.Block()
	if sel == nil || list == nil || len(list) < 2 {
		return nil
	}
	ret, ok := list[len(list)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 || len(list)-i > 4 || ret.Pos() > act.Call.Pos() || act.Call.End() > ret.End() {
		return nil
	}
	run, tx := transaction(claim, ret.Results[0])
	if run == nil || len(run.Body.List) == 0 || !onlyChecks(claim, list[i+1:len(list)-1]) {
		return nil
	}
	moved := claim.Rewritten(fix.Span{From: list[i].Pos(), To: list[len(list)-2].End()}, func(e *fix.Edits) { e.Replace(sel.X, tx) })
	inner := claim.Rewritten(run.Body, func(e *fix.Edits) {
		text := "\n\t" + strings.ReplaceAll(moved, "\n", "\n\t")
		first, last := run.Body.List[0], run.Body.List[len(run.Body.List)-1]
		space := claim.Line(list[i].Pos())
		if strings.TrimSpace(claim.Line(first.Pos())) == "" { // on a line of its own
			e.Before(first, strings.TrimPrefix(text, "\n\t")+"\n"+space+"\t")
			return
		}
		e.Before(first, "\n"+space+strings.TrimPrefix(text, "\n")+"\n"+space+"\t")
		e.Behind(last, "\n"+space)
	})
	if moved == "" || inner == "" {
		return nil
	}
	e := claim.Edits()
	for _, s := range list[i : len(list)-1] {
		e.Remove(s)
	}
	e.Replace(run.Body, trimOneLine(inner))
	return e.Offer("claim the message in the transaction of its effect")
}

// trimOneLine mends the space that a body on one line has inside its braces.
func trimOneLine(body string) string {
	body = strings.Replace(body, "{ \n", "{\n", 1)
	if rest, ok := strings.CutSuffix(body, " }"); ok {
		body = rest + "}"
	}
	return body
}

// transaction is the function that a call runs in a transaction, with the name of that.
func transaction(f *fix.Site, x ast.Expr) (*ast.FuncLit, string) {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return nil, ""
	}
	for _, arg := range call.Args {
		lit, ok := arg.(*ast.FuncLit)
		if !ok {
			continue
		}
		for _, param := range lit.Type.Params.List {
			if len(param.Names) == 1 && isTx(f.Info.TypeOf(param.Type)) && param.Names[0].Name != "_" {
				return lit, param.Names[0].Name
			}
		}
	}
	return nil, ""
}

// onlyChecks reports whether statements do nothing but return.
func onlyChecks(f *fix.Site, list []ast.Stmt) bool {
	for _, s := range list {
		check, ok := s.(*ast.IfStmt)
		if !ok || check.Else != nil || len(check.Body.List) == 0 {
			return false
		}
		for j, inside := range check.Body.List {
			_, ret := inside.(*ast.ReturnStmt)
			if ret != (j == len(check.Body.List)-1) || !ret && !f.Tells(inside) {
				return false
			}
		}
	}
	return len(list) > 0
}
