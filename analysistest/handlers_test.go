package analysistest

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deliverylint/deliverylint/internal/effect"
)

var handlerCases = sync.OnceValues(func() (*linked, error) {
	dir, err := testdata()
	if err != nil {
		return nil, err
	}
	return link(dir, "./handlers/...")
})

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

// TestHandlers: which functions are handlers, and what acks.
func TestHandlers(t *testing.T) { cases(t).compareHandlers(t) }

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
