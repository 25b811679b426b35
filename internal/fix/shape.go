package fix

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Check is a look at an error that leaves what is being done.
type Check struct {
	If *ast.IfStmt
	// Call is what failed.
	Call *ast.CallExpr
	// End is the return, continue or break at the end of its block; nil if the code
	// below it goes on.
	End ast.Stmt
	// Last says that nothing follows it in the block that was asked about.
	Last bool
}

// Returns reports whether the check ends with a return.
func (c Check) Returns() bool {
	_, ok := c.End.(*ast.ReturnStmt)
	return ok
}

// Continues reports whether it ends with the next round of the loop.
func (c Check) Continues() bool {
	b, ok := c.End.(*ast.BranchStmt)
	return ok && b.Tok == token.CONTINUE && b.Label == nil
}

// Straight reports whether statements run to their end, one after the other, unless
// a call fails: every error is looked at in the statement of its call or the next,
// by a check that allow agrees to, and nothing else leaves them, runs later or
// goes to others.
func (f *File) Straight(list []ast.Stmt, allow func(Check) bool) bool {
	for i, s := range list {
		if check := f.CheckAt(list, i); check != nil {
			if !allow(*check) {
				return false
			}
			continue
		}
		if !f.straight(list, i, s, allow) {
			return false
		}
	}
	return true
}

func (f *File) straight(list []ast.Stmt, i int, s ast.Stmt, allow func(Check) bool) bool {
	inner := func(c Check) bool {
		c.Last = false
		_, branch := c.End.(*ast.BranchStmt)
		return !branch && allow(c)
	}
	switch s := s.(type) {
	case *ast.DeclStmt, *ast.IncDecStmt, *ast.EmptyStmt:
		return true
	case *ast.ExprStmt:
		return !f.fails(s.X)
	case *ast.AssignStmt:
		return f.assigns(list, i, s)
	case *ast.BlockStmt:
		return f.Straight(s.List, inner)
	case *ast.IfStmt:
		if s.Init != nil && !f.straight(nil, 0, s.Init, allow) || f.MentionsError(s.Cond) {
			return false
		}
		return f.Straight(s.Body.List, inner) && (s.Else == nil || f.straight(nil, 0, s.Else, inner))
	case *ast.RangeStmt:
		return !f.isChannel(s.X) && f.Straight(s.Body.List, inner)
	}
	return false
}

// CheckAt is the check that a statement is; nil if it is none.
func (f *File) CheckAt(list []ast.Stmt, i int) *Check {
	if s, ok := list[i].(*ast.IfStmt); !ok || s.Else != nil {
		return nil
	}
	return f.checkAt(list, i)
}

// checkAt is like CheckAt for a check that may have an else.
func (f *File) checkAt(list []ast.Stmt, i int) *Check {
	s, ok := list[i].(*ast.IfStmt)
	if !ok || len(s.Body.List) == 0 {
		return nil
	}
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || !isNil(f.Info, cond.Y) {
		return nil
	}
	err, ok := cond.X.(*ast.Ident)
	if !ok || !IsError(f.Info.TypeOf(err)) {
		return nil
	}
	from, ok := s.Init.(*ast.AssignStmt)
	if s.Init == nil && i > 0 {
		from, ok = list[i-1].(*ast.AssignStmt)
	}
	if !ok || len(from.Rhs) != 1 || f.Info.ObjectOf(err) != f.lastOf(from) {
		return nil
	}
	call, ok := ast.Unparen(from.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return nil
	}
	check := &Check{If: s, Call: call, Last: i == len(list)-1}
	last := len(s.Body.List) - 1
	for j, inside := range s.Body.List {
		switch {
		case j == last && isExit(inside):
			check.End = inside
		case !calm(inside):
			return nil
		}
	}
	return check
}

// Checked is the statement of the call with the look at its error: its own, or the next
// statement of the list, at last. The check is nil if there is none, or it is one of
// another call.
func (s *Site) Checked() (list []ast.Stmt, first, last int, check *Check) {
	list, first = s.Block()
	if list == nil {
		return nil, 0, 0, nil
	}
	last = first
	if check = s.CheckAt(list, last); check == nil && last+1 < len(list) {
		last++
		check = s.CheckAt(list, last)
	}
	if check == nil || check.Call != s.Call {
		return list, first, last, nil
	}
	return list, first, last, check
}

func (f *File) lastOf(s *ast.AssignStmt) types.Object {
	id, ok := s.Lhs[len(s.Lhs)-1].(*ast.Ident)
	if !ok {
		return nil
	}
	return f.Info.ObjectOf(id)
}

func isExit(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// calm reports whether a statement leaves nothing and starts nothing.
func calm(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt:
		return true
	}
	return false
}

// assigns reports whether an assignment gives no error that the next statement
// doesn't look at.
func (f *File) assigns(list []ast.Stmt, i int, s *ast.AssignStmt) bool {
	for _, rhs := range s.Rhs {
		if !f.fails(rhs) {
			continue
		}
		if len(s.Rhs) > 1 || i+1 >= len(list) {
			return false
		}
		next, ok := list[i+1].(*ast.IfStmt)
		if !ok || next.Init != nil || f.CheckAt(list, i+1) == nil {
			return false
		}
	}
	return true
}

// fails reports whether an expression is a call that gives an error. Printing is
// no work.
func (f *File) fails(x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		if fn, ok := f.Info.Uses[sel.Sel].(*types.Func); ok && fn.Pkg() != nil && fn.Pkg().Path() == "fmt" {
			return false
		}
	}
	switch t := f.Info.TypeOf(call).(type) {
	case *types.Tuple:
		return t.Len() > 0 && IsError(t.At(t.Len()-1).Type())
	default:
		return IsError(t)
	}
}

// MentionsError reports whether an error is looked at in an expression.
func (f *File) MentionsError(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && IsError(f.Info.TypeOf(e)) {
			found = true
		}
		return !found
	})
	return found
}

func (f *File) isChannel(x ast.Expr) bool {
	t := f.Info.TypeOf(x)
	if t == nil {
		return true
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

func isNil(info *types.Info, x ast.Expr) bool { return info.Types[x].IsNil() }

// Plain reports whether an expression is a name, or fields of one: it means the
// same wherever its first name does.
func Plain(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name != "_"
	case *ast.SelectorExpr:
		return Plain(x.X)
	}
	return false
}

// Root is the first name of a plain expression.
func Root(x ast.Expr) *ast.Ident {
	for {
		switch e := x.(type) {
		case *ast.Ident:
			return e
		case *ast.SelectorExpr:
			x = e.X
		default:
			return nil
		}
	}
}

// Mentions reports whether a name stands anywhere in a node.
func Mentions(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// Keeps reports whether a name means the same at the end of a list of statements
// as before it, and holds the same value: none of them declares or assigns it, or
// takes its place.
func (f *File) Keeps(list []ast.Stmt, id *ast.Ident) bool {
	if id == nil {
		return false
	}
	kept := true
	obj := f.Info.ObjectOf(id)
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, lhs := range n.Lhs {
					r := Root(lhs)
					kept = kept && (r == nil || r.Name != id.Name)
				}
			case *ast.UnaryExpr:
				r := Root(n.X)
				kept = kept && (n.Op != token.AND || r == nil || f.Info.ObjectOf(r) != obj)
			case *ast.ValueSpec:
				for _, name := range n.Names {
					kept = kept && name.Name != id.Name
				}
			}
			return kept
		})
	}
	return kept
}
