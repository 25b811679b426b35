package publishoutsidetx

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// beginner is how a pool begins a transaction: the rest of the call, and what its
// commit and rollback are given.
type beginner struct{ method, begin, end string }

// beginnerOf is that of a type, by its name.
func beginnerOf(t types.Type) (b beginner, ok bool) {
	p, isPointer := types.Unalias(t).(*types.Pointer)
	if !isPointer {
		return beginner{}, false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return beginner{}, false
	}
	switch name := named.Obj().Pkg().Path() + "." + named.Obj().Name(); {
	case name == "database/sql.DB", name == "github.com/uptrace/bun.DB":
		return beginner{"BeginTx", "BeginTx(%, nil)", ""}, true
	case name == "github.com/jmoiron/sqlx.DB":
		return beginner{"BeginTxx", "BeginTxx(%, nil)", ""}, true
	case strings.HasPrefix(name, "github.com/jackc/pgx/") && strings.HasSuffix(name, "/pgxpool.Pool"):
		return beginner{"Begin", "Begin(%)", "%"}, true
	}
	return beginner{}, false
}

// together begins a transaction for a write that has none, and stores the row in it.
func (r *row) together(write *fix.Site) []finding.Fix {
	list, first, i, check := write.Checked()
	if check == nil || r.way != fix.ByParam || &list[0] != &r.Body().List[0] {
		return nil
	}
	pool := poolOf(write)
	if !check.Returns() || pool == nil || r.usesMore(pool) {
		return nil
	}
	b, ok := beginnerOf(r.Info.TypeOf(pool))
	at := &place{File: r.File, pos: list[i].End(), tx: "tx"}
	at.ctx = at.context(r)
	if !ok || at.ctx == "" || !r.takes(pool, b) {
		return nil
	}
	m := moveOf(r, list, i)
	e := r.Edits()
	fails, ok := failing(e, r.Results())
	if m == nil || !ok || !m.known(at) {
		return nil
	}
	end := strings.ReplaceAll(b.end, "%", at.ctx)
	commit := "\nif err := tx.Commit(" + end + "); err != nil {\n\t" + fails.with("err") + "\n}"
	if m.form.returned != nil && len(fails.before) == 0 {
		m.rest, commit = "tx.Commit("+end+")", ""
	}
	text, ok := m.lines(at, e, "", fails)
	if !ok {
		return nil
	}
	e.InsertBefore(list[first], "tx, err := "+r.Source(pool)+"."+strings.ReplaceAll(b.begin, "%", at.ctx)+"\nif err != nil {\n\t"+fails.with("err")+"\n}\ndefer tx.Rollback("+end+")")
	e.Replace(pool, "tx")
	if assign, is := list[first].(*ast.AssignStmt); is && assign.Tok == token.DEFINE && allBlank(assign.Lhs[:len(assign.Lhs)-1]) {
		e.Between(assign.TokPos, assign.TokPos+2, "=")
	}
	e.InsertAfter(list[i], text+commit)
	return r.offered(e, ", with the change in one")
}

// poolOf is the plain expression that the call goes through, at the root of a chain of
// calls.
func poolOf(write *fix.Site) ast.Expr {
	x := ast.Expr(write.Call)
	for {
		call, ok := ast.Unparen(x).(*ast.CallExpr)
		if !ok {
			break
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		x = sel.X
	}
	if !fix.Plain(x) {
		return nil
	}
	return x
}

// usesMore reports whether the function calls more on a pool than the write, or has
// something else that is called tx.
func (r *row) usesMore(pool ast.Expr) bool {
	text, n, named := r.Source(pool), 0, false
	ast.Inspect(r.Body(), func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			if fix.Plain(node.X) && r.Source(node.X) == text {
				n++
			}
		case *ast.Ident:
			named = named || node.Name == "tx"
		}
		return true
	})
	return n != 1 || named
}

// takes reports whether the row can be stored in the transaction that a pool begins.
func (r *row) takes(pool ast.Expr, b beginner) bool {
	obj, _, _ := types.LookupFieldOrMethod(r.Info.TypeOf(pool), true, r.Types, b.method)
	fn, ok := obj.(*types.Func)
	return ok && r.tx != nil && fn.Signature().Results().Len() == 2 && types.AssignableTo(fn.Signature().Results().At(0).Type(), r.tx)
}
