package assignstate

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// inChain puts the condition into what a library builds a statement, or a filter, from.
func inChain(site *fix.Site, name string, keep []state) []finding.Fix {
	for _, put := range []func(*fix.Site, string, []state) []finding.Fix{inGorm, inFilter} {
		if fixes := put(site, name, keep); fixes != nil {
			return fixes
		}
	}
	return nil
}

// link is a method's call in a chain.
type link struct {
	name string
	call *ast.CallExpr
	sel  *ast.SelectorExpr
}

// chainOf are the links of a chain of calls, the last first.
func chainOf(x ast.Expr) []link {
	var out []link
	for {
		call, ok := ast.Unparen(x).(*ast.CallExpr)
		if !ok {
			return out
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return out
		}
		out = append(out, link{sel.Sel.Name, call, sel})
		x = sel.X
	}
}

// inGorm asks for the state before the update of a chain that finds its rows by what it
// is given.
func inGorm(site *fix.Site, name string, keep []state) []finding.Fix {
	chain := chainOf(site.Call)
	for i, l := range chain {
		if !site.Is(l.call, "gorm.io/gorm", "DB", "Update", "UpdateColumn", "Updates", "UpdateColumns") {
			continue
		}
		if i != 0 || !linked(chain, "Where") || linked(chain, "Or") || linked(chain, "Clauses") || !names(l.call, name) {
			return nil
		}
		e := site.Edits()
		put(e, site, l, "Where("+strconv.Quote(name+" NOT IN ?")+", "+values(e, keep)+")")
		return e.Offer(keptMessage)
	}
	return nil
}

func linked(chain []link, name string) bool {
	for _, l := range chain {
		if l.name == name {
			return true
		}
	}
	return false
}

// names: a string that stands in an expression is a name.
func names(x ast.Expr, name string) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok {
			text, err := strconv.Unquote(lit.Value)
			found = found || err == nil && text == name
		}
		return !found
	})
	return found
}

// put puts a call before a link: on a line of its own where the link has one.
func put(e *fix.Edits, site *fix.Site, before link, text string) {
	dot := "."
	if at := site.Fset.Position(before.sel.X.End()).Line; site.Fset.Position(before.sel.Sel.Pos()).Line > at {
		line := site.Line(before.sel.Sel.Pos())
		dot = ".\n" + line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	}
	e.Behind(before.sel.X, dot+text)
}

// values is a list of states: of their constants, or of what they are.
func values(e *fix.Edits, keep []state) string {
	var list []string
	typ := "string"
	for _, s := range keep {
		if s.constant == nil {
			list = append(list, strconv.Quote(s.value))
			continue
		}
		named := fix.NameOf(s.constant.Type())
		typ = e.Qualified(named)
		list = append(list, e.Qualified(s.constant))
	}
	return "[]" + typ + "{" + strings.Join(list, ", ") + "}"
}

// inFilter asks for the state in the filter of an update of MongoDB's: one that makes no
// document where it finds none.
func inFilter(site *fix.Site, name string, keep []state) []finding.Fix {
	if !isMongo(site) || len(site.Call.Args) < 3 || fix.Mentions(site.Body(), "SetUpsert") {
		return nil
	}
	lit, ok := ast.Unparen(site.Call.Args[1]).(*ast.CompositeLit)
	if !ok || len(lit.Elts) == 0 || names(lit, name) {
		return nil
	}
	typ, ok := lit.Type.(*ast.SelectorExpr)
	if !ok || !fix.Plain(typ) {
		return nil
	}
	e := site.Edits()
	list := values(e, keep)
	last := lit.Elts[len(lit.Elts)-1]
	glue := ", "
	if site.Fset.Position(lit.Rbrace).Line > site.Fset.Position(last.End()).Line {
		line := site.Line(last.Pos())
		glue = ",\n" + line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	}
	switch inner, is := last.(*ast.CompositeLit); {
	case typ.Sel.Name == "M" && !is:
		e.Behind(last, glue+strconv.Quote(name)+": "+site.Source(typ.X)+`.M{"$nin": `+list+"}")
	case typ.Sel.Name == "D" && is && keyed(inner):
		e.Behind(last, glue+"{Key: "+strconv.Quote(name)+", Value: "+site.Source(typ.X)+`.D{{Key: "$nin", Value: `+list+"}}}")
	case typ.Sel.Name == "D" && is:
		e.Behind(last, glue+"{"+strconv.Quote(name)+", "+site.Source(typ.X)+`.D{{"$nin", `+list+"}}}")
	default:
		return nil
	}
	return e.Offer(keptMessage)
}

func keyed(lit *ast.CompositeLit) bool {
	if len(lit.Elts) == 0 {
		return false
	}
	_, ok := lit.Elts[0].(*ast.KeyValueExpr)
	return ok
}

// isMongo: the call updates documents of a collection and looks at none.
func isMongo(site *fix.Site) bool {
	for _, pkg := range []string{"go.mongodb.org/mongo-driver/mongo", "go.mongodb.org/mongo-driver/v2/mongo"} {
		if site.Is(site.Call, pkg, "Collection", "UpdateOne", "UpdateMany") {
			return true
		}
	}
	return false
}
