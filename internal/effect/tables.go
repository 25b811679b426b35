package effect

import (
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/directive"
)

// tables is what all packages below one tell it.
type tables struct {
	// owner is the table that a symbol's graph is in, generic the symbol of
	// each generic function by its form without type arguments.
	owner    map[string]*table
	generic  map[string]string
	types    []*typeSet
	live     map[string]bool
	ifaces   map[string]*ifaceSet
	funcs    map[string][]string
	channels []string
	declares map[string][]directive.Directive
}

func openTables(s *Summary) *tables {
	out := &tables{
		owner: map[string]*table{}, generic: map[string]string{}, live: map[string]bool{},
		ifaces: map[string]*ifaceSet{}, funcs: map[string][]string{}, declares: map[string][]directive.Directive{},
	}
	known := map[string]bool{}
	for _, t := range s.tables {
		h := t.open()
		out.addGraphs(t, h)
		for i := range h.Types {
			if set := &h.Types[i]; !known[set.Name] {
				known[set.Name] = true
				out.types = append(out.types, set)
			}
		}
		for _, name := range h.Live {
			out.live[name] = true
		}
		for i := range h.Ifaces {
			out.ifaces[h.Ifaces[i].Name] = &h.Ifaces[i]
		}
		for _, f := range h.Funcs {
			out.funcs[f.Key] = append(out.funcs[f.Key], f.Symbols...)
		}
		out.channels = append(out.channels, h.Channels...)
		for _, d := range h.Declares {
			out.declares[d.Key] = d.Says
		}
	}
	return out
}

func (t *tables) addGraphs(from *table, h *head) {
	for _, g := range h.Graphs {
		if t.owner[g.Symbol] == nil {
			t.owner[g.Symbol] = from
		}
		if bare := withoutTypeArgs(g.Symbol); bare != g.Symbol && t.generic[bare] == "" {
			t.generic[bare] = g.Symbol
		}
	}
}

// graph reads a graph; that of a generic function stands for its instances.
func (t *tables) graph(symbol string, cat *catalog.Catalog) *Func {
	if from := t.owner[symbol]; from != nil {
		return from.graph(symbol, cat)
	}
	bare := withoutTypeArgs(symbol)
	if bare == symbol {
		return nil
	}
	origin := bare
	if t.owner[origin] == nil {
		origin = t.generic[bare]
	}
	from := t.owner[origin]
	if from == nil {
		return nil
	}
	f := from.graph(origin, cat)
	if f != nil {
		f.Symbol = symbol
	}
	return f
}

// withoutTypeArgs drops what stands in brackets.
func withoutTypeArgs(symbol string) string {
	if !strings.Contains(symbol, "[") {
		return symbol
	}
	var b strings.Builder
	depth := 0
	for _, c := range symbol {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		default:
			if depth == 0 {
				b.WriteRune(c)
			}
		}
	}
	return b.String()
}
