package assignstate

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// Fix makes a statement leave the states alone that nothing which it stores may follow, or
// returns early for a message that is older than what was loaded, where the code
// itself says which of the two times or versions belong together: it stores the one
// of the message in the other. The row has to be read with a lock: without one, what is
// compared may be old when it is written.
func Fix(p *fix.Package, f *finding.Finding) []finding.Fix {
	if f.Category != unguarded {
		return nil
	}
	if f.Overwrite != nil && len(f.Overwrite.Calls) > 0 {
		return keeping(p, f.Overwrite)
	}
	set := p.At(f.Pos)
	if set == nil {
		return nil
	}
	if fixes := newer(set); fixes != nil {
		return fixes
	}
	return sooner(p, set, f)
}

// sooner returns before a field of what was loaded is set where it says that nothing may
// follow. As with versions, the row has to be read with a lock.
func sooner(p *fix.Package, set *fix.Site, f *finding.Finding) []finding.Fix {
	list, i := set.Block()
	if f.Overwrite == nil || list == nil {
		return nil
	}
	assign, _ := list[i].(*ast.AssignStmt)
	entity := entityOf(list[i])
	if entity == nil || !isLoaded(set, fix.Root(entity)) {
		return nil
	}
	e := set.Edits()
	if !f.Overwrite.Optimistic && !locks(set) && !locked(e, set, fix.Root(entity)) && !serialized(p, f) {
		return nil
	}
	first := firstSet(set, list, entity)
	leave, ok := set.Leaves(fix.Root(entity))
	cond := last(e, set, assign.Lhs[0], f.Overwrite)
	if cond == "" || first == nil || !ok {
		return nil
	}
	e.InsertBefore(first, cond+"\n\t"+leave+"\n}")
	return e.Offer(keptMessage)
}

// last is how a branch begins that asks whether a field says that nothing may follow.
func last(e *fix.Edits, set *fix.Site, field ast.Expr, o *finding.Overwrite) string {
	t := set.Info.TypeOf(field)
	if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
		if len(o.Values) == 1 && o.Values[0] == "true" && !o.Open && stageOf(o.Column) == ended {
			return "if " + set.Source(field) + " {"
		}
		return ""
	}
	var names []string
	for _, s := range keptBy(o, listOf(set.Fset, t)) {
		if s.constant != nil {
			names = append(names, e.Qualified(s.constant))
		} else {
			names = append(names, strconv.Quote(s.value))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "if " + set.Source(field) + " == " + names[0] + " {"
	}
	return "switch " + set.Source(field) + " {\ncase " + strings.Join(names, ", ") + ":"
}

// firstSet is the first statement of a list that sets a field of an entity.
func firstSet(s *fix.Site, list []ast.Stmt, entity ast.Expr) ast.Stmt {
	for _, stmt := range list {
		if assign, ok := stmt.(*ast.AssignStmt); ok && sets(s, assign, fix.Root(entity)) {
			return stmt
		}
	}
	return nil
}

// newer is the fix for a field of what was loaded.
func newer(set *fix.Site) []finding.Fix {
	list, i := set.Block()
	if list == nil {
		return nil
	}
	entity := entityOf(list[i])
	if entity == nil || !isLoaded(set, fix.Root(entity)) || !locks(set) {
		return nil
	}
	first, order := ordered(set, list, entity)
	leave, ok := set.Leaves(fix.Root(entity))
	if order == "" || !ok {
		return nil
	}
	e := set.Edits()
	e.InsertBefore(first, "if "+order+" {\n\t"+leave+"\n}")
	return e.Offer("leave what is newer than the message alone")
}

// locks: the function that the place is in reads with a lock.
func locks(s *fix.Site) bool {
	for _, n := range s.Around {
		if decl, ok := n.(*ast.FuncDecl); ok {
			fn, ok := s.Info.Defs[decl.Name].(*types.Func)
			return ok && s.Locks != nil && s.Locks(fn)
		}
	}
	return false
}

// locked makes the read of a variable one that locks, if it is none: by gorm, through the transaction that a
// literal is given which runs in it.
func locked(e *fix.Edits, s *fix.Site, entity *ast.Ident) bool {
	lit, ok := s.Function().(*ast.FuncLit)
	if !ok {
		return false
	}
	found := false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found || call.Pos() > s.Around[0].Pos() || !s.Is(call, "gorm.io/gorm", "DB", "First", "Take", "Last") || !loads(s, call, entity) {
			return !found
		}
		chain := chainOf(call)
		if found = fix.Mentions(call, "Locking"); found {
			return false // it does so already
		}
		root, ok := chain[len(chain)-1].sel.X.(*ast.Ident)
		if ok && !linked(chain, "Clauses") && isGiven(s, lit, root) {
			e.Behind(root, ".Clauses("+e.Import("gorm.io/gorm/clause")+`.Locking{Strength: "UPDATE"})`)
			found = true
		}
		return !found
	})
	return found
}

// loads: a call is given the address of a variable.
func loads(s *fix.Site, call *ast.CallExpr, entity *ast.Ident) bool {
	for _, a := range call.Args {
		if at, ok := a.(*ast.UnaryExpr); ok && at.Op == token.AND {
			if id, ok := at.X.(*ast.Ident); ok && s.Info.ObjectOf(id) == s.Info.ObjectOf(entity) {
				return true
			}
		}
	}
	return false
}

// isGiven: a name is that of the parameter of a literal that gorm runs in a transaction.
func isGiven(s *fix.Site, lit *ast.FuncLit, root *ast.Ident) bool {
	obj := s.Info.ObjectOf(root)
	if obj == nil || obj.Pos() < lit.Type.Pos() || obj.Pos() > lit.Type.End() {
		return false
	}
	for _, n := range s.Around {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 0 && call.Args[0] == ast.Expr(lit) {
			return s.Is(call, "gorm.io/gorm", "DB", "Transaction")
		}
	}
	return false
}

// entityOf is what an assignment of one value sets a field of.
func entityOf(s ast.Stmt) ast.Expr {
	assign, ok := s.(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return nil
	}
	to, ok := assign.Lhs[0].(*ast.SelectorExpr)
	if !ok || !fix.Plain(to) {
		return nil
	}
	return to.X
}

// isLoaded: a variable gets its value from a call that may fail, which returns it or
// is given its address, and from no other; or it is what a literal is given to change.
func isLoaded(s *fix.Site, entity *ast.Ident) bool {
	obj, loads, others, at := s.Info.ObjectOf(entity), 0, 0, s.Around[0].Pos()
	if lit, ok := s.Function().(*ast.FuncLit); ok && obj != nil && lit.Type.Pos() <= obj.Pos() && obj.Pos() < lit.Type.End() {
		return true
	}
	is := func(x ast.Expr) bool {
		id, ok := x.(*ast.Ident)
		return ok && s.Info.ObjectOf(id) == obj
	}
	ast.Inspect(s.Body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND && is(n.X) && n.Pos() < at {
				loads++
			}
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				_, call := n.Rhs[0].(*ast.CallExpr)
				_, empty := n.Rhs[0].(*ast.CompositeLit)
				switch {
				case !is(x):
				case call && len(n.Lhs) == 2 && len(n.Rhs) == 1:
					loads++
				case !empty || n.Tok != token.DEFINE:
					others++
				}
			}
		}
		return true
	})
	return loads == 1 && others == 0
}

// ordered is the first statement of a list that sets a field of an entity, and the
// condition on which the message is older than it: the times or versions that one
// of them puts in the place of the other.
func ordered(s *fix.Site, list []ast.Stmt, entity ast.Expr) (first ast.Stmt, order string) {
	for _, stmt := range list {
		assign, ok := stmt.(*ast.AssignStmt)
		if first == nil && ok && sets(s, assign, fix.Root(entity)) {
			first = stmt
		}
		if e := entityOf(stmt); e == nil || s.Source(e) != s.Source(entity) {
			continue
		}
		to, _ := assign.Lhs[0].(*ast.SelectorExpr)
		from, ok := ast.Unparen(assign.Rhs[0]).(*ast.SelectorExpr)
		if !ok || !fix.Plain(from) || !s.Sees(from, first.Pos()) || s.Info.ObjectOf(fix.Root(from)) == s.Info.ObjectOf(fix.Root(entity)) {
			continue
		}
		t := s.Info.TypeOf(to)
		switch {
		case !types.Identical(t, s.Info.TypeOf(from)) || !orders(to.Sel.Name):
		case isTime(t):
			order = s.Source(from) + ".Before(" + s.Source(to) + ")"
		case isInteger(t):
			order = s.Source(from) + " < " + s.Source(to)
		}
	}
	return first, order
}

func sets(s *fix.Site, assign *ast.AssignStmt, entity *ast.Ident) bool {
	for _, x := range assign.Lhs {
		sel, ok := x.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		if root := fix.Root(sel); root != nil && s.Info.ObjectOf(root) == s.Info.ObjectOf(entity) {
			return true
		}
	}
	return false
}

// orders tells by its name a field that grows with each change.
func orders(field string) bool {
	name := strings.ToLower(field)
	for _, part := range []string{"version", "sequence", "seq", "revision", "updated", "modified", "changed", "occurred", "timestamp"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

func isTime(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time" && named.Obj().Name() == "Time"
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
