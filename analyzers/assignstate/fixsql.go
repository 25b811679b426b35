package assignstate

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// keeping makes the statement of a write leave rows alone that are in one of the states
// to keep. Where the code asks how many rows it has changed the row has to count still: a
// late message is no failure.
func keeping(p *fix.Package, o *finding.Overwrite) []finding.Fix {
	if len(o.Keep) == 0 || len(o.Calls) == 0 {
		return nil
	}
	home := p.Holding(o.Calls[0].Filename)
	if home == nil {
		return nil
	}
	site := home.Site(o.Calls[0])
	if site == nil {
		return nil
	}
	counted := counts(p, o.Calls)
	if lit := textOf(site); lit != nil {
		return inText(site, lit, o, counted)
	}
	return nil
}

const keptMessage = "leave a row alone that is in a last state"

// inText puts the condition into the text of a statement.
func inText(site *fix.Site, lit *ast.BasicLit, o *finding.Overwrite, counted bool) []finding.Fix {
	source := site.Source(lit)
	text, err := strconv.Unquote(source)
	if err != nil || len(source) != len(text)+2 || !updates(text, o.Column) {
		return nil // what is escaped stands elsewhere in the source
	}
	list := quoted(o.Keep)
	in, ok := sqltext.AndWhere(text, func(table string) string { return column(table, o.Column) + list.not })
	if counted {
		in, ok = sqltext.KeepWhere(text, o.Column, o.Column+list.is)
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

func quoted(values []string) among {
	var list []string
	for _, v := range values {
		list = append(list, "'"+strings.ReplaceAll(v, "'", "''")+"'")
	}
	if len(list) == 1 {
		return among{" = " + list[0], " <> " + list[0]}
	}
	text := " IN (" + strings.Join(list, ", ") + ")"
	return among{text, " NOT" + text}
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
		site := home.Site(pos)
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
