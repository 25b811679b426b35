package assignstate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// keeping makes the statement of a write leave rows alone that are in a state which nothing
// that it stores may follow. Where the code asks how many rows it has changed the row has
// to count still: a late message is no failure.
func keeping(p *fix.Package, o *finding.Overwrite) []finding.Fix {
	if len(o.Calls) == 0 {
		return nil
	}
	home := p.Holding(o.Calls[0].Filename)
	if home == nil {
		return nil
	}
	site := callAt(home, o.Calls[0])
	if site == nil || site.Body() == nil {
		return nil
	}
	counted := counts(p, o.Calls)
	if o.Order != "" {
		return onlyNewer(site, o.Order, counted)
	}
	keep := keptBy(o, listed(site, o))
	if len(keep) == 0 {
		return nil
	}
	if lit := textOf(site); lit != nil {
		return inText(site, lit, o.Column, keep, counted)
	}
	if counted {
		return nil
	}
	return inChain(site, o.Column, keep)
}

const keptMessage = "leave a row alone that is in a last state"

// inText puts the condition into the text of a statement.
func inText(site *fix.Site, lit *ast.BasicLit, name string, keep []state, counted bool) []finding.Fix {
	source := site.Source(lit)
	text, err := strconv.Unquote(source)
	list, ok := quoted(keep)
	if err != nil || !ok || len(source) != len(text)+2 || !updates(text, name) {
		return nil // what is escaped stands elsewhere in the source
	}
	in, ok := sqltext.AndWhere(text, func(table string) string { return column(table, name) + list.not })
	if counted {
		in, ok = sqltext.KeepWhere(text, name, name+list.is)
		ok = ok && strings.Contains(text, "$1") // others count only what changes
	}
	if !ok {
		return nil
	}
	e := site.Edits()
	from := lit.Pos() + 1 + token.Pos(in.At)
	e.Between(from, from+token.Pos(in.Instead), in.Text)
	return e.Offer(keptMessage)
}

// onlyNewer makes a statement write only where the version that it stores is newer. One that
// names no placeholder twice can't.
func onlyNewer(site *fix.Site, order string, counted bool) []finding.Fix {
	lit := textOf(site)
	if lit == nil || counted {
		return nil
	}
	source := site.Source(lit)
	text, err := strconv.Unquote(source)
	if err != nil || len(source) != len(text)+2 || !updates(text, order) {
		return nil
	}
	value := ""
	for _, c := range sqltext.ParseText(text)[0].Set {
		switch {
		case c.Name != strings.ToLower(order) || c.From != sqltext.FromParam:
		case c.ParamName != "" && strings.Contains(text, ":"+c.ParamName):
			value = ":" + c.ParamName
		case c.Param > 0 && strings.Contains(text, "$"+strconv.Itoa(c.Param)):
			value = "$" + strconv.Itoa(c.Param)
		}
	}
	in, ok := sqltext.AndWhere(text, func(table string) string {
		if table != "" {
			return column(table, order) + " < EXCLUDED." + order
		}
		return order + " < " + value
	})
	if !ok || value == "" {
		return nil
	}
	e := site.Edits()
	from := lit.Pos() + 1 + token.Pos(in.At)
	e.Between(from, from, in.Text)
	return e.Offer("write only what is newer than the row")
}

// listed are the states of the one type that a value which the call is given has.
func listed(site *fix.Site, o *finding.Overwrite) []*types.Const {
	var found []*types.Const
	var of types.Type
	several := false
	ast.Inspect(site.Call, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		t := site.Info.TypeOf(x)
		if t == nil || of != nil && types.Identical(t, of) {
			return true
		}
		if list := listOf(site.Fset, t); list != nil && holds(list, o.Values) {
			several = several || of != nil
			found, of = list, t
		}
		return true
	})
	if several {
		return nil
	}
	return found
}

// holds: all values are among those of constants.
func holds(list []*types.Const, values []string) bool {
	all := statesOf(list)
	return !slices.ContainsFunc(values, func(v string) bool {
		return !slices.ContainsFunc(all, func(s state) bool { return s.value == v })
	})
}

// updates: the text is one statement that sets the column.
func updates(text, column string) bool {
	all := sqltext.ParseText(text)
	if len(all) != 1 {
		return false
	}
	for _, c := range append(all[0].Set, all[0].ConflictSet...) {
		if c.Name == strings.ToLower(column) {
			return true
		}
	}
	return false
}

func column(table, name string) string {
	if table == "" {
		return name
	}
	return table + "." + name
}

// among are the conditions that a column is, or is not, one of several values.
type among struct{ is, not string }

// quoted writes states as SQL does; false for numbers, which tell a reader nothing.
func quoted(keep []state) (among, bool) {
	var list []string
	for _, s := range keep {
		if s.constant != nil && s.constant.Val().Kind() != constant.String {
			return among{}, false
		}
		list = append(list, "'"+strings.ReplaceAll(s.value, "'", "''")+"'")
	}
	if len(list) == 1 {
		return among{" = " + list[0], " <> " + list[0]}, true
	}
	text := " IN (" + strings.Join(list, ", ") + ")"
	return among{text, " NOT" + text}, true
}

// callAt is the call at a position: one of a chain over several lines is where its name is.
func callAt(p *fix.Package, pos token.Position) *fix.Site {
	s := p.At(pos)
	if s == nil || s.Call != nil || len(s.Around) < 3 {
		return s
	}
	sel, ok := s.Around[1].(*ast.SelectorExpr)
	call, called := s.Around[2].(*ast.CallExpr)
	if !ok || !called || call.Fun != ast.Expr(sel) {
		return nil
	}
	return &fix.Site{File: s.File, Call: call, Around: s.Around[2:]}
}

// textOf is the literal of the statement that a call is given: an argument, or what one is
// made of, or the constant or variable that is one; nil where there are several or none.
func textOf(s *fix.Site) *ast.BasicLit {
	var found *ast.BasicLit
	several := false
	add := func(lit *ast.BasicLit) {
		if lit != nil && lit.Kind == token.STRING && strings.ContainsAny(lit.Value, " \n") {
			several = several || found != nil && found != lit
			found = lit
		}
	}
	for _, a := range s.Call.Args {
		if t := s.Info.TypeOf(a); t == nil || !isText(t) {
			continue
		}
		if call, ok := ast.Unparen(a).(*ast.CallExpr); ok {
			for _, inner := range call.Args {
				add(literalOf(s, inner))
			}
			continue
		}
		add(literalOf(s, a))
	}
	if several {
		return nil
	}
	return found
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// literalOf is the literal that an expression is, or that a name stands for which nothing
// else uses.
func literalOf(s *fix.Site, x ast.Expr) *ast.BasicLit {
	switch x := ast.Unparen(x).(type) {
	case *ast.BasicLit:
		return x
	case *ast.Ident:
		obj := s.Info.Uses[x]
		if obj == nil || usedTwice(s, obj) {
			return nil
		}
		return declared(s, obj)
	}
	return nil
}

// usedTwice: something is named in more than one place but its declaration.
func usedTwice(s *fix.Site, obj types.Object) bool {
	n := 0
	for _, other := range s.Info.Uses {
		if other == obj {
			n++
		}
	}
	return n != 1
}

// declared is the literal that something in the same file is declared with.
func declared(s *fix.Site, obj types.Object) *ast.BasicLit {
	var found *ast.BasicLit
	ast.Inspect(s.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if s.Info.Defs[name] == obj && len(n.Values) == len(n.Names) {
					found, _ = n.Values[i].(*ast.BasicLit)
				}
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 && n.Tok == token.DEFINE {
				if id, ok := n.Lhs[0].(*ast.Ident); ok && s.Info.Defs[id] == obj {
					found, _ = n.Rhs[0].(*ast.BasicLit)
				}
			}
		}
		return found == nil
	})
	return found
}

// counts reports whether a function on the way to the library asks how many rows were
// changed, or whether there was one.
func counts(p *fix.Package, calls []token.Position) bool {
	for _, pos := range calls {
		home := p.Holding(pos.Filename)
		if home == nil {
			return true
		}
		site := callAt(home, pos)
		if site == nil || site.Body() == nil {
			return true
		}
		for _, name := range []string{"RowsAffected", "MatchedCount", "ModifiedCount", "ErrNoRows", "ErrNoDocuments"} {
			if fix.Mentions(site.Body(), name) {
				return true
			}
		}
	}
	return false
}
