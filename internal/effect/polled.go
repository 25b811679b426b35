package effect

import (
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// markPolled finds the tables that a poller publishes from: a function that
// reads rows of a table and, in a loop, publishes and marks or deletes rows of
// the same table. A lost publish of such a row is made good by the poller.
func (p *Program) markPolled() {
	for _, s := range p.Order {
		f := p.Funcs[s]
		if f.Test || !p.Reach[s].Has(Reads|Publishes|Writes) {
			continue
		}
		reads := p.tables(f, catalog.Read, false, 2)
		if len(reads) == 0 || !p.publishesInLoop(f) {
			continue
		}
		for t := range p.tables(f, catalog.Write, true, 2) {
			if reads[t] {
				p.Polled[t] = true
			}
		}
	}
}

func (p *Program) publishesInLoop(f *Func) bool {
	for _, n := range f.Nodes {
		if n == nil || !n.InLoop || n.Kind > NodeDefer {
			continue
		}
		for i := range n.Effects {
			if n.Effects[i].Kind == catalog.Publish {
				return true
			}
		}
		for _, c := range p.Resolve(n).Symbols {
			if p.Reach[c].Has(Publishes) {
				return true
			}
		}
	}
	return false
}

// tables are the tables that a function reads or changes, itself or through
// calls of a given depth; in a loop only if asked.
func (p *Program) tables(f *Func, kind catalog.Kind, inLoop bool, depth int) map[string]bool {
	out := map[string]bool{}
	for _, n := range f.Nodes {
		if n == nil || n.Kind > NodeDefer || inLoop && !n.InLoop {
			continue
		}
		for i := range n.Effects {
			e := &n.Effects[i]
			if e.Kind != kind || kind == catalog.Write && e.Op != catalog.Update && e.Op != catalog.Delete && e.Op != OutboxMark && e.Op != catalog.Conditional {
				continue
			}
			for _, t := range e.Names() {
				out[t] = true
			}
		}
		if depth > 0 {
			for _, c := range p.Resolve(n).Symbols {
				for t := range p.tables(p.Funcs[c], kind, false, depth-1) {
					out[t] = true
				}
			}
		}
	}
	return out
}

// Names are the names that an effect's table or entity goes by.
func (e *Effect) Names() []string {
	var out []string
	for _, h := range append([]string{e.Table}, e.Hints...) {
		h = strings.ToLower(h)
		if h != "" && h != "string" && h != "db" && !strings.ContainsAny(h, " ?=*,()") {
			out = append(out, h)
		}
	}
	return out
}
