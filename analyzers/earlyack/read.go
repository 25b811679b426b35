package earlyack

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// fixRead fetches in the place of reading, and commits at the end of the round, where
// the effect has succeeded: one whose failure doesn't leave the loop is tried again.
// A round that ends before the effect commits nothing: the next commit does.
func fixRead(read, effect *fix.Site) []finding.Fix {
	_, sel := read.Method(read.Call)
	list, i := read.Block()
	if loop, _ := read.Round(); loop == nil || len(read.Call.Args) != 1 || i+2 >= len(list) {
		return nil
	}
	msg, ctx := messageOf(read, list[i]), read.Call.Args[0]
	guard := leavesOnError(read, list[i], list[i+1])
	rest := list[i+2:]
	if msg == nil || guard == nil || !fix.Plain(sel.X) || !fix.Plain(ctx) || within(rest, 0, effect) < 0 {
		return nil
	}
	for _, id := range []*ast.Ident{msg, fix.Root(ctx), fix.Root(sel.X)} {
		if !read.Keeps(list[i+1:], id) {
			return nil
		}
	}
	e := read.Edits()
	e.Replace(sel.Sel, "FetchMessage")
	if !read.Straight(withoutSkips(read, rest), func(fix.Check) bool { return true }) || !settles(e, read, rest, effect) {
		return nil
	}
	commit := fmt.Sprintf("%s.CommitMessages(%s, %s)", read.Source(sel.X), read.Source(ctx), msg.Name)
	e.InsertAfter(list[len(list)-1], committed(read, guard, commit))
	return e.Offer("fetch the message, and commit it when it is handled")
}

// leavesOnError is the check of a read's error, if it ends the round or the loop.
func leavesOnError(read *fix.Site, made, check ast.Stmt) *ast.IfStmt {
	s, ok := check.(*ast.IfStmt)
	assign, isAssign := made.(*ast.AssignStmt)
	if !ok || !isAssign || s.Init != nil || s.Else != nil || len(s.Body.List) == 0 {
		return nil
	}
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || read.Source(cond.X) != read.Source(assign.Lhs[len(assign.Lhs)-1]) || read.Source(cond.Y) != "nil" {
		return nil
	}
	switch s.Body.List[len(s.Body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return s
	}
	return nil
}

// withoutSkips are statements without those that only end the round for a message that
// nobody wants.
func withoutSkips(s *fix.Site, list []ast.Stmt) []ast.Stmt {
	return slices.DeleteFunc(slices.Clone(list), func(stmt ast.Stmt) bool {
		cond, ok := stmt.(*ast.IfStmt)
		if !ok || cond.Init != nil || cond.Else != nil || len(cond.Body.List) == 0 || s.MentionsError(cond.Cond) {
			return false
		}
		last := len(cond.Body.List) - 1
		branch, ok := cond.Body.List[last].(*ast.BranchStmt)
		return ok && branch.Tok == token.CONTINUE && branch.Label == nil && !slices.ContainsFunc(cond.Body.List[:last], func(x ast.Stmt) bool { return !s.Tells(x) })
	})
}

// settles has the code come to the end of the round only if the effect has succeeded.
func settles(e *fix.Edits, read *fix.Site, rest []ast.Stmt, effect *fix.Site) bool {
	if maySettle(effect) {
		return false
	}
	if found, ok := checkOf(read, rest, effect); ok {
		if found.Returns() {
			return true
		}
		failure := effect.Failure()
		return failure != nil && effect.Function() == read.Function() && effect.Innermost() == read.Innermost() && retries(effect, e, failure)
	}
	at := within(rest, 0, effect)
	call, ok := rest[at].(*ast.ExprStmt)
	return ok && call.X == ast.Expr(effect.Call)
}

// checkOf is the check among the statements, or in blocks of theirs, that looks at
// whether the effect has failed.
func checkOf(f *fix.Site, list []ast.Stmt, effect *fix.Site) (found fix.Check, ok bool) {
	f.Straight(withoutSkips(f, list), func(c fix.Check) bool {
		if c.Call.Pos() <= effect.Call.Pos() && effect.Call.End() <= c.Call.End() {
			found, ok = c, true
		}
		return true
	})
	return found, ok
}

// committed is the commit with what is done about its error: the same as for that of
// the read, as far as that is a return or a log.
func committed(read *fix.Site, guard *ast.IfStmt, commit string) string {
	if read.ReturnsError() {
		return "if err := " + commit + "; err != nil {\n\treturn err\n}"
	}
	cond, _ := guard.Cond.(*ast.BinaryExpr)
	for _, stmt := range guard.Body.List {
		if text, ok := relogged(read, stmt, read.Source(cond.X)); ok {
			return "if " + read.Source(cond.X) + " := " + commit + "; " + read.Source(cond.X) + " != nil {\n\t" + text + "\n}"
		}
	}
	return "_ = " + commit
}

// relogged is a log of an error with other words: the one text in it, which is printed
// with nothing but the error.
func relogged(s *fix.Site, stmt ast.Stmt, err string) (string, bool) {
	x, ok := stmt.(*ast.ExprStmt)
	if !ok || !s.Tells(stmt) {
		return "", false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || strings.Contains(s.Source(call), "\n") {
		return "", false
	}
	for i, arg := range call.Args {
		lit, ok := arg.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING || i > 1 {
			continue
		}
		text, unquoted := strconv.Unquote(lit.Value)
		verbs := strings.Count(text, "%")
		last := s.Source(call.Args[len(call.Args)-1])
		if unquoted != nil || verbs > 1 || verbs == 1 && (last != err || i+2 != len(call.Args)) || !strings.Contains(s.Source(call), err) {
			return "", false
		}
		now := "commit"
		if verbs == 1 {
			now += ": " + text[strings.Index(text, "%"):][:2] + strings.Repeat("\n", strings.Count(text, "\n"))
		}
		return s.Rewritten(call, func(e *fix.Edits) { e.Replace(lit, strconv.Quote(now)) }), true
	}
	return "", false
}
