package effect

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// A repository often has one function that runs the statements of the others:
// func (r *Repo) exec(ctx context.Context, query string, args ...any) error. What
// such a call does is read from the text that the caller gives, as the handle is.

// textType is the type of values that can only be texts.
const textType = "string"

// givenText is the parameter that a text is, itself or captured by a literal;
// nil if it is none.
func (b *builder) givenText(v ssa.Value) *Value {
	if c, ok := v.(*ssa.Call); ok { // db.Rebind(query)
		if fn := c.Call.StaticCallee(); fn != nil && (fn.Name() == "Rebind" || fn.Name() == "TrimSpace") && len(c.Call.Args) > 0 {
			v = c.Call.Args[len(c.Call.Args)-1]
		}
	}
	if u, ok := v.(*ssa.UnOp); ok {
		v = u.X
	}
	switch x := v.(type) {
	case *ssa.Parameter:
		if isString(x.Type()) {
			return &Value{Kind: ValueParam, Index: b.paramIndex(x), Type: textType}
		}
	case *ssa.FreeVar:
		if isParam(capturedStores(x)) {
			return &Value{Kind: ValueFree, Index: b.freeIndex(x), Type: textType}
		}
	case *ssa.Alloc:
		if stores := storedIn(x); isParam(stores) {
			return b.givenText(stores[0])
		}
	}
	return nil
}

// preparedText: a function that is given a text beside a statement was given the
// statement's (sqlc's exec(ctx, stmt, query, args...)).
func (b *builder) preparedText() *Value {
	var text *Value
	prepared := false
	for i, p := range b.fn.Params {
		switch {
		case typeName(p.Type()) == "Stmt":
			prepared = true
		case isString(p.Type()) && text != nil:
			return nil
		case isString(p.Type()):
			text = &Value{Kind: ValueParam, Index: i, Type: textType}
		}
	}
	if !prepared {
		return nil
	}
	return text
}

func isParam(vs []ssa.Value) bool {
	if len(vs) != 1 {
		return false
	}
	p, ok := vs[0].(*ssa.Parameter)
	return ok && isString(p.Type())
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

// textArgs keeps the SQL texts among the arguments of a call of a function that
// the catalog doesn't know.
func (b *builder) textArgs(n *Node, c *ssa.CallCommon) {
	first := len(n.Args) - len(c.Args)
	for i, a := range c.Args {
		if !isString(a.Type()) {
			continue
		}
		if _, ok := a.(*ssa.Parameter); ok {
			continue
		}
		if parts := b.text(a, textDepth); looksLikeSQL(parts) {
			n.Args[first+i] = &Value{Kind: ValueText, Name: joinParts(parts)}
		}
	}
}

// looksLikeSQL is a quick look at how a text begins.
func looksLikeSQL(parts []sqltext.Part) bool {
	if len(parts) == 0 || !parts[0].Known {
		return false
	}
	text := strings.TrimSpace(parts[0].Text)
	verb, rest, more := strings.Cut(text, " ")
	if strings.HasPrefix(text, "--") { // a comment before the statement
		return true
	}
	if i := strings.IndexAny(verb, "\n\t"); i > 0 {
		verb, more = verb[:i], true
	}
	switch strings.ToUpper(verb) {
	case "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "UPSERT", "TRUNCATE", "WITH":
		return more && (rest != "" || len(parts) > 1 || strings.ContainsAny(text, "\n\t"))
	}
	switch verb { // these are words of other texts too
	case "SET", "LOCK", "CREATE", "ALTER", "DROP", "SAVEPOINT", "RELEASE", "ROLLBACK", "PRAGMA", "REFRESH", "VACUUM", "ANALYZE":
		return more
	}
	return false
}

const hole = "\x00"

func joinParts(parts []sqltext.Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Known {
			b.WriteString(p.Text)
		} else {
			b.WriteString(hole)
		}
	}
	return b.String()
}

func splitParts(text string) []sqltext.Part {
	var out []sqltext.Part
	for i, s := range strings.Split(text, hole) {
		if i > 0 {
			out = append(out, sqltext.Hole())
		}
		if s != "" {
			out = append(out, sqltext.Text(s))
		}
	}
	return out
}

// Given are the effects of a node's statement whose text a caller gives.
func (n *Node) Given(e *Effect, text string) []Effect {
	method := ""
	if n.Entry != nil {
		method = n.Entry.Symbol.Name
	}
	statements := sqltext.Parse(splitParts(text)...)
	var out []Effect
	for i := range statements {
		given := *e
		given.Text = nil
		if given.fromSQL(&statements[i], method) {
			out = append(out, given)
		}
	}
	return out
}

// textKinds are what the texts among a call's arguments do, if they are run.
func (n *Node) textKinds() Kinds {
	k := Kinds(0)
	for _, a := range n.Args {
		if a == nil || a.Kind != ValueText {
			continue
		}
		for _, e := range n.Given(&Effect{}, a.Name) {
			k |= KindOf(&e)
		}
	}
	return k
}

// markTexts finds the parameters whose text is run, here or in a callee.
func (p *Program) markTexts() {
	for changed := true; changed; {
		changed = false
		for _, s := range p.Order {
			f := p.Funcs[s]
			for _, n := range f.Nodes {
				if n != nil && n.Kind <= NodeDefer && p.passesText(f, n) {
					changed = true
				}
			}
		}
	}
}

func (p *Program) passesText(f *Func, n *Node) (changed bool) {
	for i := range n.Effects {
		if t := n.Effects[i].Text; t != nil {
			changed = p.takesText(f, t) || changed
		}
	}
	for i, a := range n.Args {
		if a == nil || a.Kind != ValueParam && a.Kind != ValueFree || a.Type != textType {
			continue
		}
		for _, c := range p.Resolve(n).Symbols {
			if p.Texts[c][i] {
				changed = p.takesText(f, a) || changed
			}
		}
	}
	return changed
}

// takesText notes a parameter. What a literal captures may be any parameter of
// the function that it is in.
func (p *Program) takesText(f *Func, v *Value) bool {
	if v.Kind == ValueParam {
		return p.noteText(f.Symbol, v.Index)
	}
	outer := p.Funcs[f.Parent]
	if outer == nil {
		return false
	}
	changed := false
	for i := range outer.Params {
		changed = p.noteText(outer.Symbol, i) || changed
	}
	return changed
}

func (p *Program) noteText(symbol string, i int) bool {
	if p.Texts[symbol][i] {
		return false
	}
	if p.Texts[symbol] == nil {
		p.Texts[symbol] = map[int]bool{}
	}
	p.Texts[symbol][i] = true
	return true
}

// listed are the values that a call which is given a statement's text hands on in a list.
func (b *builder) listed(n *Node, c *ssa.CallCommon) []*Lineage {
	if !c.Signature().Variadic() || len(c.Args) == 0 || !slices.ContainsFunc(n.Args, func(v *Value) bool { return v != nil && v.Kind == ValueText }) {
		return nil
	}
	elements, ok := elementsOf(c.Args[len(c.Args)-1])
	if !ok {
		return nil
	}
	return b.lineages(elements)
}
