package publishoutsidetx

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/fix"
)

// move is what goes with a publish to where the transaction is open: the statements
// that make what it publishes, and the one that it is in.
type move struct {
	r     *row
	list  []ast.Stmt
	stmts []ast.Stmt
	stays []ast.Stmt
	form  *form
	// top is the statement of the list that holds the publish, end the last of it.
	top, end int
	// rest is what is returned where the publish's error was.
	rest string
}

// moveOf finds what has to move, from a list of statements behind one of them; nil if
// something there depends on the order, or keeps the publish from being reached.
func moveOf(r *row, list []ast.Stmt, behind int) *move {
	m := &move{r: r, list: list, form: formOf(r.Site), rest: "nil"}
	if m.form == nil {
		return nil
	}
	m.top = slices.IndexFunc(list, func(s ast.Stmt) bool { return s.Pos() <= r.Call.Pos() && r.Call.End() <= s.End() })
	if m.top <= behind {
		return nil
	}
	m.end = m.top
	if m.direct() {
		m.end = m.form.last
	} else if m.form.returned != nil || !m.alone() {
		return nil
	}
	between := list[behind+1 : m.top]
	need := m.names(list[m.top : m.end+1])
	for i := len(between) - 1; i >= 0; i-- {
		s := between[i]
		c := r.CheckAt(between, i)
		switch {
		case c != nil && c.If.Init == nil && i > 0 && m.makes(between[i-1], need):
			m.stmts = append(m.stmts, s)
		case m.makes(s, need):
			m.stmts = append(m.stmts, s)
			for obj := range m.names([]ast.Stmt{s}) {
				need[obj] = true
			}
		default:
			m.stays = append(m.stays, s)
		}
	}
	slices.Reverse(m.stmts)
	if !m.apart(need) {
		return nil
	}
	return m
}

// direct: the publish is in a statement of the list itself.
func (m *move) direct() bool { return &m.form.list[0] == &m.list[0] }

// names are the variables of functions that statements mention.
func (m *move) names(list []ast.Stmt) map[types.Object]bool {
	out := map[types.Object]bool{}
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := m.r.Info.Uses[id].(*types.Var); ok && !v.IsField() && v.Parent() != m.r.Types.Scope() {
					out[v] = true
				}
			}
			return true
		})
	}
	return out
}

// makes reports whether a statement gives a needed variable its value: errors aside,
// which every call gives.
func (m *move) makes(s ast.Stmt, need map[types.Object]bool) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if id := fix.Root(lhs); id != nil {
					obj := m.r.Info.ObjectOf(id)
					found = found || obj != nil && need[obj] && !fix.IsError(obj.Type())
				}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				found = found || need[m.r.Info.Defs[id]]
			}
		}
		return !found
	})
	return found
}

// apart: what moves does nothing that anybody could see, and what stays neither
// changes what moves uses, nor ends the function before the publish.
func (m *move) apart(need map[types.Object]bool) bool {
	for i, s := range m.stmts {
		_, check := s.(*ast.IfStmt)
		if check && (i == 0 || m.r.CheckAt(m.stmts, i) == nil) || !m.r.quiet(s, nil) || !check && leaves(s) {
			return false
		}
	}
	for _, s := range m.stays {
		if leaves(s) {
			return false
		}
		for obj := range need {
			if !fix.IsError(obj.Type()) && !m.r.Keeps([]ast.Stmt{s}, ast.NewIdent(obj.Name())) {
				return false
			}
		}
	}
	return m.r.quiet(m.list[m.top], m.r.Call)
}

// alone reports whether the statement around the publish has no way out but that of
// its failure.
func (m *move) alone() bool {
	out := true
	ast.Inspect(m.list[m.top], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt, *ast.SendStmt:
			out = false
		case *ast.ReturnStmt, *ast.BranchStmt:
			out = out && m.form.check != nil && m.form.check.End == n
		}
		return out
	})
	return out
}

// leaves reports whether a statement may end the function, or a loop around it.
func leaves(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = true
		}
		return !found
	})
	return found
}

// known reports whether every variable that what moves uses has its name at a place
// too, those aside that it makes itself.
func (m *move) known(at *place) bool {
	moved := append(slices.Clone(m.stmts), m.list[m.top:m.end+1]...)
	ok := true
	for obj := range m.names(moved) {
		own := slices.ContainsFunc(moved, func(s ast.Stmt) bool { return s.Pos() <= obj.Pos() && obj.Pos() < s.End() })
		ok = ok && (own || fix.IsError(obj.Type()) || obj == m.instead(at) || at.Object(obj.Name(), at.pos) == obj)
	}
	return ok
}

// instead is the variable of the publish's context where another is used.
func (m *move) instead(at *place) types.Object {
	for _, a := range m.r.Call.Args {
		id, ok := a.(*ast.Ident)
		if t := m.r.Info.TypeOf(a); ok && t != nil && fix.IsContext(t) && at.ctx != "" {
			return m.r.Info.Uses[id]
		}
	}
	return nil
}

// lines is the text of what moves, as it stands under an indentation, and takes it
// out where it is. Raw strings of several lines can't be moved.
func (m *move) lines(at *place, e *fix.Edits, space string, fails exits) (string, bool) {
	text, ok := m.r.call(e, at)
	if !ok {
		return "", false
	}
	var parts []string
	for _, s := range m.stmts {
		part := m.r.Rewritten(s, func(in *fix.Edits) { m.returns(in, s, fails) })
		parts = append(parts, beside(part, e.Remove(s)))
	}
	parts = append(parts, m.publish(e, text, fails)...)
	old := m.r.Line(m.list[m.top].Pos())
	for i, p := range parts {
		if p == "" || strings.Contains(p, "`") && strings.Contains(p, "\n") {
			return "", false
		}
		parts[i] = strings.ReplaceAll(p, "\n"+old, "\n"+space)
	}
	return strings.Join(parts, "\n"+space), true
}

// publish is the text of the statements that publish, made to store the row. A result
// that was the publish's is none then.
func (m *move) publish(e *fix.Edits, text string, fails exits) []string {
	top := m.list[m.top]
	if ret := m.form.returned; ret != nil {
		part := m.r.checked(top, text, fails)
		e.Replace(ret.Results[len(ret.Results)-1], m.rest)
		if m.end > m.top {
			part = beside(part, e.Remove(top))
		}
		return []string{part}
	}
	part := m.r.Rewritten(top, func(in *fix.Edits) { m.r.adapt(in, m.inside(), text, fails) })
	parts := []string{beside(part, e.Remove(top))}
	if m.end > m.top {
		err := m.r.Source(m.form.lhs[len(m.form.lhs)-1])
		part := m.r.Rewritten(m.list[m.end], func(in *fix.Edits) { m.r.leave(in, m.form.check, err, fails) })
		parts = append(parts, beside(part, e.Remove(m.list[m.end])))
	}
	return parts
}

// beside puts a comment beside the first line of a statement's text if that is no end
// of an expression, else behind it.
func beside(text, comment string) string {
	first, rest, several := strings.Cut(text, "\n")
	if several && strings.HasSuffix(first, "{") {
		return first + comment + "\n" + rest
	}
	return text + comment
}

// inside is the form without what stands in another statement.
func (m *move) inside() *form {
	f := *m.form
	f.apart = m.direct() && f.last > f.first
	return &f
}

// returns makes the returns of a statement those of the function that it moves to.
func (m *move) returns(in *fix.Edits, s ast.Stmt, fails exits) {
	ast.Inspect(s, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok {
			m.r.exit(in, ret, "err", fails)
		}
		return true
	})
}
