package publishoutsidetx

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/deliverylint/deliverylint/internal/fix"
)

// helperRows are calls of a function of the file that does nothing but publish what it
// makes, and that nobody else calls: it gets the transaction, and stores the row.
func helperRows(job *fix.Site) (rows []*row) {
	decl := job.Decl(job.Call)
	if decl == nil || ast.IsExported(decl.Name.Name) || job.Fset.File(decl.Pos()) != job.Fset.File(job.Call.Pos()) {
		return nil
	}
	fn, ok := job.Info.Defs[decl.Name].(*types.Func)
	if !ok || fn.Signature().TypeParams().Len() > 0 || fn.Signature().Variadic() || !onlyError(fn.Signature().Results()) || uses(job.Package, fn) != 1 {
		return nil
	}
	for _, inner := range publishesIn(job, decl) {
		if r := helperRow(job, decl, inner, contextFirst(fn.Signature())); r != nil {
			rows = append(rows, r)
		}
	}
	return rows
}

// helperRow is the call of a helper that stores the inner row.
func helperRow(job *fix.Site, decl *ast.FuncDecl, inner *row, first bool) *row {
	if inner.way == fix.ByReceiver || !inner.quiet(decl.Body, inner.Call) {
		return nil
	}
	form := formOf(inner.Site)
	at := &place{File: job.File, pos: inner.Call.Pos(), tx: "tx"}
	at.ctx = at.context(inner)
	if form == nil || inner.way == fix.ByParam && fix.Mentions(decl, "tx") {
		return nil
	}
	// A context of the helper's own holds no transaction.
	if inner.way == fix.ByContext && !isParam(decl, at.Object(at.ctx, at.pos)) {
		return nil
	}
	r := &row{Site: job, message: inner.message, tx: inner.tx, wrap: "%s", way: inner.way}
	r.also = func(e *fix.Edits) {
		text, ok := inner.call(e, at)
		if !ok {
			e.Spoil()
			return
		}
		inner.adapt(e, form, text, exits{})
		if inner.way == fix.ByParam {
			addParam(e, decl.Type.Params, first, "tx "+typeText(e, inner.tx))
		}
	}
	r.call = func(_ *fix.Edits, at *place) (string, bool) {
		text := job.Rewritten(job.Call, func(e *fix.Edits) {
			if first && at.ctx != "" {
				e.Replace(job.Call.Args[0], at.ctx)
			}
			if r.way == fix.ByParam {
				addArg(e, job.Call, first, at.tx)
			}
		})
		return text, text != ""
	}
	return r
}

// publishesIn are the rows that can take the place of the one call in a function that
// rows can take the place of.
func publishesIn(job *fix.Site, decl *ast.FuncDecl) (found []*row) {
	several := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if site := job.Package.Site(job.Fset.Position(call.Pos())); site != nil && site.Call == call {
			rows := directRows(site)
			several = several || len(rows) > 0 && len(found) > 0
			found = append(found, rows...)
		}
		return true
	})
	if several {
		return nil
	}
	return found
}

// uses counts the places of a package that name a function.
func uses(p *fix.Package, fn *types.Func) int {
	n := 0
	for _, obj := range p.Info.Uses {
		if obj == types.Object(fn) {
			n++
		}
	}
	return n
}

// isParam reports whether something is a parameter of a function.
func isParam(decl *ast.FuncDecl, obj types.Object) bool {
	return obj != nil && decl.Type.Params.Pos() <= obj.Pos() && obj.Pos() < decl.Type.Params.End()
}

func contextFirst(sig *types.Signature) bool {
	return sig.Params().Len() > 0 && fix.IsContext(sig.Params().At(0).Type())
}

// addParam puts a parameter behind the context, or first.
func addParam(e *fix.Edits, list *ast.FieldList, behind bool, text string) {
	switch {
	case behind && len(list.List[0].Names) == 1:
		e.Behind(list.List[0], ", "+text)
	case behind:
		e.Spoil()
	case len(list.List) > 0:
		e.Before(list.List[0], text+", ")
	default:
		e.Between(list.Opening+1, list.Opening+1, text)
	}
}

func addArg(e *fix.Edits, call *ast.CallExpr, behind bool, text string) {
	switch {
	case behind:
		e.Behind(call.Args[0], ", "+text)
	case len(call.Args) > 0:
		e.Before(call.Args[0], text+", ")
	default:
		e.Between(call.Lparen+1, call.Lparen+token.Pos(1), text)
	}
}

// typeText is a type as the file writes it.
func typeText(e *fix.Edits, t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return "*" + typeText(e, t.Elem())
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return e.Qualified(t.Obj())
		}
	}
	e.Spoil()
	return ""
}
