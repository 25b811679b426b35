package publishoutsidetx

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// twin is the method that enqueues in a transaction, and where that stands among
// its arguments.
type twin struct {
	name string
	at   int
}

// twinOf is the twin of a method of a client whose queue is in the database.
func twinOf(fn *types.Func) (twin, bool) {
	path, name := fn.Pkg().Path(), fn.Name()
	switch {
	case path == "github.com/riverqueue/river" && slices.Contains([]string{"Insert", "InsertMany", "InsertManyFast"}, name):
		return twin{name + "Tx", 1}, true
	case !strings.HasPrefix(path, "github.com/vgarvardt/gue/"):
	case name == "Enqueue" || name == "EnqueueBatch":
		return twin{name + "Tx", 2}, true
	case name == "EnqueueWithID":
		return twin{"EnqueueTxWithID", 3}, true
	}
	return twin{}, false
}

// Fix enqueues a job in the transaction of the change, where the client can and the
// transaction is at hand: in its place if that is still open, else above the commit.
func Fix(p *fix.Package, f *finding.Finding) []finding.Fix {
	if len(f.Flow) != 2 || f.Flow[0].Pos.Filename != f.Flow[1].Pos.Filename {
		return nil
	}
	other := f.Flow[0].Pos
	if samePlace(other, f.Pos) {
		other = f.Flow[1].Pos
	}
	job, half := p.Site(f.Pos), p.Site(other)
	if job == nil || half == nil || job.Body() != half.Body() {
		return nil
	}
	in := enqueueIn(job, half)
	switch {
	case in == nil:
		return nil
	case f.Category == insideTx:
		e := job.Edits()
		in.edit(e)
		return e.Offer(in.message())
	case f.Category == afterCommit:
		return fixAfter(in, half)
	}
	return nil
}

func samePlace(a, b token.Position) bool {
	return a.Filename == b.Filename && a.Line == b.Line && a.Column == b.Column
}

// enqueue is a call that can be made in a transaction.
type enqueue struct {
	*fix.Site
	sel  *ast.SelectorExpr
	twin twin
	tx   *ast.Ident
	// arg is what the twin is given for it.
	arg string
}

// enqueueIn is the call with the transaction that is used at another place, nil if
// that can't be told.
func enqueueIn(job, half *fix.Site) *enqueue {
	fn, sel := job.Method(job.Call)
	if fn == nil || fn.Pkg() == nil || job.Call.Ellipsis.IsValid() {
		return nil
	}
	t, ok := twinOf(fn)
	if !ok {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(job.Info.TypeOf(sel.X), true, fn.Pkg(), t.name)
	to, ok := obj.(*types.Func)
	from, isSig := job.Info.TypeOf(sel).(*types.Signature)
	if !ok || !isSig || !types.Identical(to.Signature().Results(), from.Results()) || to.Signature().Params().Len() <= t.at || len(job.Call.Args) != from.Params().Len() {
		return nil
	}
	want := to.Signature().Params().At(t.at).Type()
	wrap, inner := adapted(job.File, want)
	tx := txOf(half, inner)
	if tx == nil || !seen(job, tx) {
		return nil
	}
	return &enqueue{job, sel, t, tx, fmt.Sprintf(wrap, tx.Name)}
}

// adapted is how a transaction becomes one of gue's, by the one adapter that the file
// imports, and its type; any other is taken as it is.
func adapted(f *fix.File, want types.Type) (wrap string, inner types.Type) {
	named, ok := types.Unalias(want).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !strings.HasPrefix(named.Obj().Pkg().Path(), "github.com/vgarvardt/gue/") {
		return "%s", want
	}
	for _, spec := range f.Syntax.Imports {
		pkg := f.Info.PkgNameOf(spec)
		if pkg == nil || !strings.HasPrefix(pkg.Imported().Path(), named.Obj().Pkg().Path()+"/") {
			continue
		}
		fn, ok := pkg.Imported().Scope().Lookup("NewTx").(*types.Func)
		if ok && inner == nil && fn.Signature().Params().Len() == 1 {
			wrap, inner = pkg.Name()+".NewTx(%s)", fn.Signature().Params().At(0).Type()
		} else if ok {
			return "%s", want
		}
	}
	if inner == nil {
		return "%s", want
	}
	return wrap, inner
}

// txOf is the one variable of a type that a call names.
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
		if !ok || v.IsField() || !types.Identical(v.Type(), want) {
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

// seen reports whether a variable has its name at a place too, and is given its
// value once.
func seen(s *fix.Site, id *ast.Ident) bool {
	obj := s.Info.Uses[id]
	scope := s.Types.Scope().Innermost(s.Call.Pos())
	if scope == nil || obj.Parent() == s.Types.Scope() {
		return false
	}
	if _, there := scope.LookupParent(id.Name, s.Call.Pos()); there != obj {
		return false
	}
	once := true
	ast.Inspect(s.Body(), func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok {
			for _, lhs := range assign.Lhs {
				to, ok := lhs.(*ast.Ident)
				once = once && !(ok && s.Info.Uses[to] == obj)
			}
		}
		return once
	})
	return once
}

func (q *enqueue) message() string {
	return fmt.Sprintf("enqueue in the transaction: %s", q.twin.name)
}

// edit makes it the call of the twin, where it stands.
func (q *enqueue) edit(e *fix.Edits) {
	e.Replace(q.sel.Sel, q.twin.name)
	if q.twin.at < len(q.Call.Args) {
		e.Before(q.Call.Args[q.twin.at], q.arg+", ")
	} else {
		e.Behind(q.Call.Args[len(q.Call.Args)-1], ", "+q.arg)
	}
}

// fixAfter moves the call above the commit that stands right before it, where a
// failure rolls back.
func fixAfter(q *enqueue, commit *fix.Site) []finding.Fix {
	fn, sel := commit.Method(commit.Call)
	list, i := commit.Block()
	same, j := q.Block()
	if fn == nil || fn.Name() != "Commit" || list == nil || same == nil || i >= len(list) || &same[0] != &list[0] || j != i+1 {
		return nil
	}
	check := commit.CheckAt(list, i)
	if check == nil || check.Call != commit.Call || check.If.Init == nil || !check.Returns() || sel.X != ast.Expr(q.tx) || !rollsBack(commit, q.tx) {
		return nil
	}
	e := q.Edits()
	if job := q.CheckAt(list, j); job != nil && job.If.Init != nil && job.Call == q.Call && job.Returns() {
		e.Above(list[i], q.Rewritten(list[j], q.edit)+e.Remove(list[j]))
		return e.Offer(q.message() + ", above the commit")
	}
	blanks, last, ok := tail(q, list, j)
	if !ok || last != len(list)-1 || !q.ReturnsError() {
		return nil
	}
	comment := ""
	if last > j {
		comment = e.Remove(list[j])
	}
	space := q.Line(list[j].Pos())
	e.Above(list[i], fmt.Sprintf("if %serr := %s; err != nil {%s\n%s\treturn err\n%s}", blanks, q.Rewritten(q.Call, q.edit), comment, space, space))
	e.Replace(list[last], "return nil")
	return e.Offer(q.message() + ", above the commit")
}

// tail reads "return call", and "_, err = call" with "return err" below it: what
// takes the other results, and the place of the return.
func tail(q *enqueue, list []ast.Stmt, j int) (blanks string, last int, ok bool) {
	switch s := list[j].(type) {
	case *ast.ReturnStmt:
		return "", j, len(s.Results) == 1 && s.Results[0] == ast.Expr(q.Call)
	case *ast.AssignStmt:
		if len(s.Rhs) != 1 || s.Rhs[0] != ast.Expr(q.Call) || j+1 >= len(list) {
			return "", 0, false
		}
		for _, lhs := range s.Lhs[:len(s.Lhs)-1] {
			if id, ok := lhs.(*ast.Ident); !ok || id.Name != "_" {
				return "", 0, false
			}
		}
		ret, ok := list[j+1].(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 {
			return "", 0, false
		}
		err, ok := s.Lhs[len(s.Lhs)-1].(*ast.Ident)
		out, same := ret.Results[0].(*ast.Ident)
		same = same && ok && q.Info.ObjectOf(err) == q.Info.ObjectOf(out)
		return strings.Repeat("_, ", len(s.Lhs)-1), j + 1, same
	}
	return "", 0, false
}

// rollsBack reports whether the function rolls the transaction back however it ends.
func rollsBack(s *fix.Site, tx *ast.Ident) bool {
	found := false
	ast.Inspect(s.Body(), func(n ast.Node) bool {
		d, ok := n.(*ast.DeferStmt)
		if !ok {
			return true
		}
		ast.Inspect(d, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Rollback" {
				return true
			}
			x, ok := sel.X.(*ast.Ident)
			found = found || ok && s.Info.Uses[x] == s.Info.Uses[tx]
			return true
		})
		return false
	})
	return found
}
