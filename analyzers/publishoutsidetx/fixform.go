package publishoutsidetx

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/fix"
)

// form is how a statement uses a publish.
type form struct {
	list []ast.Stmt
	// first and last are the statements of it: of "err = publish" the look at err too.
	first, last int
	// check is the look at the error, nil where there is none.
	check *fix.Check
	// lhs take the results, up to the error.
	lhs []ast.Expr
	// apart: the look at the error is in a statement of its own.
	apart bool
	// returned: the publish is the result.
	returned *ast.ReturnStmt
}

// formOf reads the statement of a call; nil for one that does more with it.
func formOf(s *fix.Site) *form {
	list, i := s.Block()
	if list == nil {
		return nil
	}
	f := &form{list: list, first: i, last: i}
	switch st := list[i].(type) {
	case *ast.IfStmt:
		assign, ok := st.Init.(*ast.AssignStmt)
		if f.check = s.CheckAt(list, i); f.check == nil || f.check.Call != s.Call || !ok {
			return nil
		}
		f.lhs = assign.Lhs
	case *ast.AssignStmt:
		if len(st.Rhs) != 1 || st.Rhs[0] != ast.Expr(s.Call) {
			return nil
		}
		if blank(st.Lhs[len(st.Lhs)-1]) {
			if !allBlank(st.Lhs) {
				return nil
			}
			return f
		}
		if i+1 >= len(list) {
			return nil
		}
		if ret := returnsIt(s, st, list[i+1]); ret != nil {
			f.lhs, f.last, f.returned = st.Lhs, i+1, ret
			break
		}
		if f.check = s.CheckAt(list, i+1); f.check == nil || f.check.Call != s.Call || f.check.If.Init != nil {
			return nil
		}
		f.lhs, f.last = st.Lhs, i+1
	case *ast.ExprStmt:
		if st.X != ast.Expr(s.Call) {
			return nil
		}
	case *ast.GoStmt:
		if st.Call != s.Call {
			return nil
		}
	case *ast.ReturnStmt:
		if len(st.Results) == 0 || st.Results[len(st.Results)-1] != ast.Expr(s.Call) || !onlyErrorOf(s) {
			return nil
		}
		f.returned = st
	default:
		return nil
	}
	if !allBlank(f.lhs[:max(len(f.lhs)-1, 0)]) {
		return nil
	}
	return f
}

// returnsIt is the return of the error that an assignment has taken, nil if the
// statement is another.
func returnsIt(s *fix.Site, from *ast.AssignStmt, next ast.Stmt) *ast.ReturnStmt {
	ret, ok := next.(*ast.ReturnStmt)
	if !ok || len(ret.Results) == 0 {
		return nil
	}
	err, ok := from.Lhs[len(from.Lhs)-1].(*ast.Ident)
	out, same := ret.Results[len(ret.Results)-1].(*ast.Ident)
	if !ok || !same || s.Info.ObjectOf(err) != s.Info.ObjectOf(out) || !fix.IsError(s.Info.TypeOf(out)) {
		return nil
	}
	return ret
}

func blank(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "_"
}

func allBlank(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(x ast.Expr) bool { return !blank(x) })
}

func onlyErrorOf(s *fix.Site) bool {
	t := s.Info.TypeOf(s.Call)
	return t != nil && fix.IsError(t)
}

// adapt makes the statement store the row; a failure leaves the function by fails, of
// which the argument is the name of the error.
func (r *row) adapt(e *fix.Edits, f *form, text string, fails exits) {
	if f.check == nil && f.returned == nil {
		e.Replace(f.list[f.first], r.checked(f.list[f.first], text, fails))
		return
	}
	e.Replace(r.Call, text)
	if n := len(f.lhs) - 1; n >= 0 {
		last := f.lhs[n]
		if r.results() != n {
			e.Between(f.lhs[0].Pos(), last.Pos(), strings.Repeat("_, ", r.results()))
		}
		if f.check != nil && !f.apart {
			r.leave(e, f.check, r.Source(last), fails)
		}
	}
}

// checked is a call with a look at its error, in the place of a statement that looks at
// none.
func (r *row) checked(s ast.Stmt, text string, fails exits) string {
	space := r.Line(s.Pos())
	return "if " + strings.Repeat("_, ", r.results()) + "err := " + text + "; err != nil {\n" + space + "\t" + fails.with("err") + "\n" + space + "}"
}

// results counts those of the call before the error.
func (r *row) results() int {
	if r.blanks >= 0 {
		return r.blanks
	}
	if t, ok := r.Info.TypeOf(r.Call).(*types.Tuple); ok {
		return t.Len() - 1
	}
	return 0
}

// leave makes a look at an error end the function with it: what was logged and passed
// by would be committed without its event.
func (r *row) leave(e *fix.Edits, c *fix.Check, err string, fails exits) {
	switch end := c.End.(type) {
	case nil:
		e.InsertAfter(c.If.Body.List[len(c.If.Body.List)-1], fails.with(err))
	case *ast.ReturnStmt:
		r.exit(e, end, err, fails)
	default:
		e.Replace(end, fails.with(err))
	}
}

// exit makes a return one with an error, and one of the function that it is in then.
func (r *row) exit(e *fix.Edits, ret *ast.ReturnStmt, err string, fails exits) {
	n := len(ret.Results)
	switch {
	case n == 0 || isNilLit(ret.Results[n-1]):
		e.Replace(ret, fails.with(err))
	case fails.other:
		e.Replace(ret, fails.with(r.Source(ret.Results[n-1])))
	}
}

func isNilLit(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "nil"
}

// exits are the words that leave a function with an error.
type exits struct {
	before []string
	// other: it is another function than the one that the publish was in.
	other bool
}

func (x exits) with(err string) string {
	return "return " + strings.Join(append(slices.Clone(x.before), err), ", ")
}

// failing tells how a function is left with an error; false if it returns none.
func failing(e *fix.Edits, results *types.Tuple) (x exits, ok bool) {
	if results == nil || results.Len() == 0 || !fix.IsError(results.At(results.Len()-1).Type()) {
		return exits{}, false
	}
	for i := range results.Len() - 1 {
		zero, ok := zeroOf(e, results.At(i).Type())
		if !ok {
			return exits{}, false
		}
		x.before = append(x.before, zero)
	}
	return x, true
}

func zeroOf(e *fix.Edits, t types.Type) (string, bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
	case *types.Struct, *types.Array:
		named, ok := types.Unalias(t).(*types.Named)
		if !ok || named.TypeArgs().Len() > 0 {
			return "", false
		}
		return e.Qualified(named.Obj()) + "{}", true
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return "nil", true
	case *types.Interface:
		_, param := types.Unalias(t).(*types.TypeParam)
		return "nil", !param
	}
	return "", false
}
