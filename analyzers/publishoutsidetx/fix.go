package publishoutsidetx

import (
	"go/ast"
	"go/token"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// Fix stores the event, or the job, in the transaction of the change, where the module
// has something to store it with and the transaction is at hand: in its place if that
// is still open, else above the commit.
func Fix(p *fix.Package, f *finding.Finding) []finding.Fix {
	if len(f.Flow) != 2 || f.Flow[0].Pos.Filename != f.Flow[1].Pos.Filename {
		return nil
	}
	other := f.Flow[0].Pos
	if samePlace(other, f.Pos) {
		other = f.Flow[1].Pos
	}
	job, half := p.Site(f.Pos), p.Site(other)
	if job == nil || half == nil {
		return anyThroughTx(f.Category, job, half)
	}
	rows := rowsOf(job)
	if f.Category == outsideTx {
		rows = selfRows(job)
	}
	var offers []finding.Fix
	for _, r := range rows {
		offers = append(offers, r.offer(f.Category, half)...)
	}
	if len(offers) == 0 {
		offers = anyThroughTx(f.Category, job, half)
	}
	if len(offers) != 1 { // which of several is meant, the code doesn't tell
		return nil
	}
	return offers
}

func (r *row) offer(category string, half *fix.Site) []finding.Fix {
	if r.Body() != half.Body() {
		return nil
	}
	run := literalOf(half.Call)
	switch {
	case category == afterCommit && run != nil, category == outsideTx && run != nil && half.Call.End() < r.Call.Pos():
		return r.inLiteral(half, run)
	case category == afterCommit:
		return r.aboveCommit(half)
	case category == outsideTx:
		if commit := commitBetween(half, r.Site); commit != nil {
			return r.aboveCommit(commit)
		}
		if poolOf(half) != nil {
			return append(r.inPlace(half), r.together(half)...)
		}
		return r.inPlace(half)
	case category == insideTx:
		return r.inPlace(half)
	case category == dualWrite:
		return r.together(half)
	}
	return nil
}

// commitBetween is the commit, of the transaction that the function ends, that stands
// between a change and what follows it: the change itself may be one.
func commitBetween(half, job *fix.Site) *fix.Site {
	var found *fix.Site
	ast.Inspect(job.Body(), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() < half.Call.Pos() || call.Pos() > job.Call.Pos() {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Commit" {
			found = job.Package.Site(job.Fset.Position(call.Pos()))
		}
		return true
	})
	return found
}

func samePlace(a, b token.Position) bool {
	return a.Filename == b.Filename && a.Line == b.Line && a.Column == b.Column
}

// literalOf is the one function literal that a call is given.
func literalOf(call *ast.CallExpr) *ast.FuncLit {
	var found *ast.FuncLit
	for _, a := range call.Args {
		lit, ok := a.(*ast.FuncLit)
		switch {
		case !ok:
		case found != nil:
			return nil
		default:
			found = lit
		}
	}
	return found
}
