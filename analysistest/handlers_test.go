package analysistest

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/load"
)

// The folder handlers of testdata has no rule's cases: its comments say which
// functions are handlers and what acks their deliveries,
//
//	func (c *Consumer) Run(ctx context.Context) error { // handler kafka offset redeliver
//
// with - for what is not known, and what the argument of sink is made from.
//
//	sink(event.ID) // from message

type linked struct {
	dir     string
	res     *load.Result
	program *effect.Program
}

var handlerCases = sync.OnceValues(func() (*linked, error) {
	dir, err := testdata()
	if err != nil {
		return nil, err
	}
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, err
	}
	res, err := load.Load(context.Background(), load.Config{
		Dir: dir, Patterns: []string{"./handlers/..."}, Env: []string{"GOFLAGS=", "GOWORK=off"}, Bodies: effect.Bodies(cat),
	})
	if err != nil {
		return nil, err
	}
	for _, e := range res.Errors {
		return nil, fmt.Errorf("%s: %s", e.Pos, e.Message)
	}
	program, failures := effect.Build(res.Fset, units(res), res.Types, cat)
	for _, f := range failures {
		return nil, fmt.Errorf("%s: %s", f.Package, f.Message)
	}
	return &linked{dir, res, program}, nil
})

// comments are the lines with a comment that begins with a word.
func (l *linked) comments(word string) map[string]string {
	out := map[string]string{}
	for _, p := range l.res.Packages {
		if !p.Target {
			continue
		}
		for _, f := range p.Files {
			for _, g := range f.Comments {
				for _, c := range g.List {
					if rest, ok := strings.CutPrefix(c.Text, "// "+word+" "); ok {
						out[l.at(c)] = rest
					}
				}
			}
		}
	}
	return out
}

func (l *linked) at(n ast.Node) string { return l.place(l.res.Fset.Position(n.Pos())) }

func (l *linked) place(pos token.Position) string {
	rel, err := filepath.Rel(l.dir, pos.Filename)
	if err != nil {
		rel = pos.Filename
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(rel), pos.Line)
}

func (l *linked) position(p effect.Position) string {
	return l.place(token.Position{Filename: filepath.FromSlash(p.File), Line: p.Line})
}

// nodes visits the calls of the packages below a path.
func (l *linked) nodes(below string, visit func(f *effect.Func, n *effect.Node)) {
	for _, s := range l.program.Order {
		f := l.program.Funcs[s]
		if !strings.HasPrefix(f.Package, below) {
			continue
		}
		for _, n := range f.Nodes {
			if n != nil {
				visit(f, n)
			}
		}
	}
}

func cases(t *testing.T) *linked {
	t.Helper()
	l, err := handlerCases()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func compareLines(t *testing.T, got, want map[string]string) {
	t.Helper()
	for place, text := range want {
		if got[place] != text {
			t.Errorf("%s: got %q, want %q", place, got[place], text)
		}
	}
	for place, text := range got {
		if _, ok := want[place]; !ok {
			t.Errorf("%s: %q, which nobody wants", place, text)
		}
	}
}

// TestHandlers: which functions are handlers, and what acks.
func TestHandlers(t *testing.T) {
	l := cases(t)
	got := map[string]string{}
	add := func(symbol string, h effect.Handler) {
		f := l.program.Funcs[symbol]
		if f == nil || f.Synthetic || !strings.HasPrefix(f.Package, "example.org/testdata/handlers") {
			return
		}
		words := []string{h.Broker, h.Ack, h.OnError}
		for i, w := range words {
			if w == "" {
				words[i] = "-"
			}
		}
		if h.Partial {
			words = append(words, "partial")
		}
		if h.Cumulative {
			words = append(words, "cumulative")
		}
		got[l.position(f.Pos)] = strings.Join(words, " ")
	}
	for s, h := range l.program.Dispatched {
		add(s, h)
	}
	for s, h := range l.program.Handlers {
		add(s, h)
	}
	compareLines(t, got, l.comments("handler"))
}

// TestColumns: what the columns of statements, the fields of entities and the
// placeholders of clauses are made from.
func TestColumns(t *testing.T) {
	l := cases(t)
	from := effect.NewProvenance(l.program)
	got := map[string]string{}
	l.nodes("example.org/testdata/handlers/made", func(f *effect.Func, n *effect.Node) {
		for i := range n.Effects {
			if text := columns(from, f, &n.Effects[i]); text != "" {
				got[l.position(n.Pos)] = text
			}
		}
	})
	compareLines(t, got, l.comments("columns"))
}

func columns(from *effect.Provenance, f *effect.Func, e *effect.Effect) string {
	var out []string
	add := func(name string, o *effect.Lineage) {
		out = append(out, name+"="+strings.Join(sources(from.Of(f, o)), "+"))
	}
	if st := e.Statement; st != nil {
		for _, c := range slices.Concat(st.Set, st.Compared) {
			add(c.Name, e.LineageOf(c))
		}
	} else if e.Data.Whole != nil {
		for _, field := range e.Data.Whole.Fields {
			add(field.Name, e.Data.Whole.Field(field.Name))
		}
	}
	for _, c := range e.Data.Clauses {
		for _, o := range c.Params {
			add(c.Kind+" "+c.Text, o)
		}
	}
	return strings.Join(out, ", ")
}

// TestProvenance: what values are made from, across functions.
func TestProvenance(t *testing.T) {
	l := cases(t)
	from := effect.NewProvenance(l.program)
	got := map[string]string{}
	l.nodes("example.org/testdata/handlers", func(f *effect.Func, n *effect.Node) {
		if n.Text != "sink" {
			return
		}
		var o *effect.Lineage
		if len(n.From) > 0 {
			o = n.From[0]
		}
		got[l.position(n.Pos)] = strings.Join(sources(from.Of(f, o)), " ")
	})
	compareLines(t, got, l.comments("from"))
}

func sources(s effect.Sources) []string {
	var out []string
	for bit, word := range map[effect.Sources]string{
		effect.FromMessage: "message", effect.FromFresh: "fresh", effect.FromStored: "stored",
		effect.FromConst: "const", effect.FromElsewhere: "elsewhere",
	} {
		if s.Has(bit) {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return out
}
