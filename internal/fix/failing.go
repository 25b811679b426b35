package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Failure is the check of a call's error with the statement that made the call.
type Failure struct {
	Check
	// Err is the error's name, Made the assignment that gives it: the check's own, or
	// the statement above.
	Err  *ast.Ident
	Made *ast.AssignStmt
	// List is the block that the check stands in, At its place there.
	List []ast.Stmt
	At   int
}

// Failure is how the code looks at the error of the call; nil if it doesn't do so in
// the call's own statement or the next, or does anything there but tell of it. An
// else may tell of the success.
func (s *Site) Failure() *Failure {
	list, i := s.Block()
	for _, at := range []int{i, i + 1} {
		if at >= len(list) {
			break
		}
		check := s.checkAt(list, at)
		if check == nil || check.Call != s.Call {
			continue
		}
		if check.If.Else != nil {
			otherwise, block := check.If.Else.(*ast.BlockStmt)
			if !block || check.If.Init == nil || !s.tells(otherwise.List) || slices.ContainsFunc(otherwise.List, isExit) {
				return nil
			}
		}
		cond, _ := check.If.Cond.(*ast.BinaryExpr)
		out := &Failure{Check: *check, List: list, At: at}
		out.Err, _ = cond.X.(*ast.Ident)
		if out.Made, _ = check.If.Init.(*ast.AssignStmt); out.Made == nil {
			out.Made, _ = list[i].(*ast.AssignStmt)
		}
		if out.Err == nil || out.Made == nil || !s.tells(check.If.Body.List) {
			return nil
		}
		return out
	}
	return nil
}

// tells reports whether statements only write to a log, count, or leave.
func (f *File) tells(list []ast.Stmt) bool {
	for _, s := range list {
		if !isExit(s) && !f.Tells(s) {
			return false
		}
	}
	return true
}

// Tells reports whether a statement only writes to a log or to a metric: it may be done
// once more, or not at all. That is told by names. A count in a variable is more: the
// code may decide by it.
func (f *File) Tells(s ast.Stmt) bool {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(x.X).(*ast.CallExpr)
	if !ok || f.fails(call) {
		return false
	}
	for {
		name, on := f.callee(call)
		if name == "" {
			return false
		}
		if logs(name, on) || counts(name) {
			return true
		}
		// zerolog: the last call of a chain says little, the first all.
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		if call, ok = ast.Unparen(sel.X).(*ast.CallExpr); !ok {
			return false
		}
	}
}

// callee is the name of what is called, and of what that is of.
func (f *File) callee(call *ast.CallExpr) (name, on string) {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun.Name, ""
	case *ast.SelectorExpr:
		switch x := ast.Unparen(fun.X).(type) {
		case *ast.Ident:
			on = x.Name
			if pkg, ok := f.Info.Uses[x].(*types.PkgName); ok {
				on = pkg.Imported().Path()
			}
		case *ast.SelectorExpr:
			on = x.Sel.Name
		case *ast.CallExpr:
			on, _ = f.callee(x)
		}
		return fun.Sel.Name, on
	}
	return "", ""
}

func logs(name, on string) bool {
	name, on = strings.ToLower(name), strings.ToLower(on)
	if strings.Contains(on, "log") || on == "l" || on == "fmt" {
		for _, verb := range []string{"print", "error", "warn", "info", "debug", "log", "trace", "notice", "err", "with"} {
			if strings.HasPrefix(name, verb) {
				return true
			}
		}
	}
	return strings.HasPrefix(name, "log") || strings.HasSuffix(name, "recorderror") || strings.HasSuffix(name, "spanerror") || name == "captureexception"
}

func counts(name string) bool {
	switch name {
	case "Inc", "Observe", "Incr", "Increment", "SetStatus", "AddEvent":
		return true
	}
	return false
}

// Object is what a name means at a place; nil if nothing does.
func (f *File) Object(name string, at token.Pos) types.Object {
	scope := f.Types.Scope().Innermost(at)
	if scope == nil {
		return nil
	}
	_, obj := scope.LookupParent(name, at)
	return obj
}

// Sees reports whether a plain expression means at a place what it means where it
// stands.
func (f *File) Sees(x ast.Expr, at token.Pos) bool {
	id := Root(x)
	return id != nil && Plain(x) && f.Object(id.Name, at) == f.Info.ObjectOf(id)
}

// UsedBehind reports whether something is used in a node behind a place.
func (f *File) UsedBehind(n ast.Node, obj types.Object, at token.Pos) bool {
	used := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		used = used || ok && id.Pos() >= at && f.Info.Uses[id] == obj
		return !used
	})
	return used
}

// Round is the loop that goes into its next round where the code leaves the end of
// the list that the call stands in; nil if it doesn't. A select or switch that ends
// the loop's body may stand between.
func (s *Site) Round() (loop ast.Stmt, body *ast.BlockStmt) {
	for up := 1; up+1 < len(s.Around); up++ {
		list := statements(s.Around[up])
		if list == nil {
			continue
		}
		switch outer := s.Around[up+1].(type) {
		case *ast.ForStmt:
			return outer, outer.Body
		case *ast.RangeStmt:
			return outer, outer.Body
		case *ast.FuncDecl, *ast.FuncLit:
			return nil, nil
		}
		if !s.endsAround(up) {
			return nil, nil
		}
	}
	return nil, nil
}

// endsAround reports whether the statement around a list is the last of the list that
// it stands in itself.
func (s *Site) endsAround(up int) bool {
	for above := up + 1; above < len(s.Around); above++ {
		outer := statements(s.Around[above])
		if outer == nil {
			continue
		}
		switch s.Around[above-1].(type) {
		case *ast.CaseClause, *ast.CommClause:
			continue // the list of a select's or switch's clauses
		}
		return outer[len(outer)-1] == s.Around[above-1]
	}
	return false
}

// Innermost is the loop, or the function, that a node is directly in: what a continue
// there goes on with, or a return leaves.
func (s *Site) Innermost() (loop ast.Node) {
	for _, n := range s.Around[1:] {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncDecl, *ast.FuncLit:
			return n
		}
	}
	return nil
}

// Function is the innermost function or literal around the call.
func (s *Site) Function() ast.Node {
	for _, n := range s.Around {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return n
		}
	}
	return nil
}

// Signature is that of the function or literal around the call; nil if there is none.
func (s *Site) Signature() *types.Signature {
	switch n := s.Function().(type) {
	case *ast.FuncLit:
		sig, _ := s.Info.TypeOf(n).(*types.Signature)
		return sig
	case *ast.FuncDecl:
		if fn, ok := s.Info.Defs[n.Name].(*types.Func); ok {
			return fn.Signature()
		}
	}
	return nil
}

// Behind are the statements that run when the code leaves the end of the list that a
// place of it is asked about, up to the end of the function or the loop's round.
func (s *Site) Behind() []ast.Stmt {
	var out []ast.Stmt
	for up := 1; up < len(s.Around); up++ {
		switch s.Around[up].(type) {
		case *ast.FuncDecl, *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return out
		}
		if _, clause := s.Around[up-1].(*ast.CaseClause); clause {
			continue
		}
		if _, clause := s.Around[up-1].(*ast.CommClause); clause {
			continue
		}
		list := statements(s.Around[up])
		for i, stmt := range list {
			if stmt == s.Around[up-1] {
				out = append(out, list[i+1:]...)
			}
		}
	}
	return out
}
