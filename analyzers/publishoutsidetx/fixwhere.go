package publishoutsidetx

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// inPlace stores the row where the publish stands, with the transaction that is open
// there.
func (r *row) inPlace(half *fix.Site) []finding.Fix {
	f := formOf(r.Site)
	if f == nil {
		return nil
	}
	at := &place{File: r.File, pos: r.Call.Pos()}
	if !at.open(r, r.Around, half) {
		return nil
	}
	e := r.Edits()
	fails, fallible := failing(e, r.Results())
	text, ok := r.call(e, at)
	if !ok || !fallible {
		return nil
	}
	r.adapt(e, f, text, fails)
	return r.offered(e, "")
}

// aboveCommit stores the row above the commit, where a failure rolls back.
func (r *row) aboveCommit(commit *fix.Site) []finding.Fix {
	fn, sel := commit.Method(commit.Call)
	list, first, last, check := commit.Checked()
	if fn == nil || fn.Name() != "Commit" || check == nil || r.way != fix.ByParam {
		return nil
	}
	tx, ok := sel.X.(*ast.Ident)
	if !ok || !check.Returns() || !rollsBack(commit, tx) {
		return nil
	}
	obj := r.Info.Uses[tx]
	if obj == nil || !types.AssignableTo(obj.Type(), r.tx) || !seen(r.File, r.Body(), tx, list[first].Pos()) {
		return nil
	}
	m := moveOf(r, list, last)
	at := &place{File: r.File, pos: list[first].Pos(), tx: tx.Name}
	at.ctx = at.context(r)
	e := r.Edits()
	fails, ok := failing(e, r.Results())
	if m == nil || !ok || !m.known(at) {
		return nil
	}
	space := r.Line(list[first].Pos())
	text, ok := m.lines(at, e, space, fails)
	if !ok {
		return nil
	}
	e.Above(list[first], text)
	return r.offered(e, ", above the commit")
}

// inLiteral stores the row at the end of the literal that runs in the transaction.
func (r *row) inLiteral(run *fix.Site, lit *ast.FuncLit) []finding.Fix {
	list, _, i, check := run.Checked()
	last, ok := endOf(lit)
	if !ok || check == nil || !check.Returns() {
		return nil
	}
	m := moveOf(r, list, i)
	at := &place{File: r.File, pos: last.Pos()}
	if m == nil || !at.given(r, lit) || !m.known(at) {
		return nil
	}
	e := r.Edits()
	sig, ok := r.Info.TypeOf(lit).(*types.Signature)
	if !ok || !onlyError(sig.Results()) {
		return nil
	}
	fails := exits{other: true}
	space := r.Line(last.Pos())
	text, ok := m.lines(at, e, space, fails)
	if !ok {
		return nil
	}
	m.putBefore(e, at, last, text, fails)
	return r.offered(e, ", where the transaction is open")
}

// endOf is the last statement of a literal, its only return that is no error's.
func endOf(lit *ast.FuncLit) (*ast.ReturnStmt, bool) {
	if len(lit.Body.List) == 0 {
		return nil, false
	}
	last, ok := lit.Body.List[len(lit.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(last.Results) != 1 {
		return nil, false
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if _, inner := n.(*ast.FuncLit); inner {
			return false
		}
		if ret, is := n.(*ast.ReturnStmt); is && ret != last {
			ok = ok && len(ret.Results) == 1 && !isNilLit(ret.Results[0])
		}
		return ok
	})
	return last, ok
}

// putBefore puts lines before the return of a literal, whose result they follow.
func (m *move) putBefore(e *fix.Edits, at *place, last *ast.ReturnStmt, text string, fails exits) {
	space := m.r.Line(last.Pos())
	tail := "return nil"
	if m.form.check == nil && m.direct() && m.r.blanks == 0 {
		head := strings.LastIndex(text, "if err := ")
		call, _ := m.r.call(e, at)
		text, tail = text[:head], "return "+call
	} else {
		text += "\n" + space
	}
	if id, ok := last.Results[0].(*ast.Ident); ok && id.Name != "nil" {
		text = "if " + id.Name + " != nil {\n" + space + "\t" + fails.with(id.Name) + "\n" + space + "}\n" + space + text
	} else if !isNilLit(last.Results[0]) {
		text = "if err := " + m.r.Source(last.Results[0]) + "; err != nil {\n" + space + "\t" + fails.with("err") + "\n" + space + "}\n" + space + text
	}
	e.Replace(last, text+tail)
}
