package effect

import "github.com/deliverylint/deliverylint/internal/catalog"

// ReadsApart reports whether what a function reads, itself and below, is of other tables
// than what it changes there: what it finds then tells nothing of whether it has run
// before. Where a table isn't known the type says what is read, whose method reads.
func (p *Program) ReadsApart(f *Func) bool {
	t := touched{read: map[string]bool{}, written: map[string]bool{}, known: true}
	t.add(f)
	p.below(f.Nodes, 6, func(g *Func) bool {
		t.add(g)
		return t.known && p.Reach[g.Symbol]&(Reads|Writes) != 0
	})
	for name := range t.read {
		t.known = t.known && !t.written[name]
	}
	return t.known
}

// touched are the tables that are read and written, and the types that do so.
type touched struct {
	read, written map[string]bool
	known         bool
}

func (t *touched) add(f *Func) {
	owner := receiver(f.Symbol)
	for _, n := range f.Nodes {
		if n == nil {
			continue
		}
		for i := range n.Effects {
			e := &n.Effects[i]
			names := e.Names()
			switch e.Kind {
			case catalog.Write:
				for _, name := range append(names, owner) {
					t.written[name] = true
				}
			case catalog.Read:
				if len(names) == 0 {
					names = []string{owner}
				}
				for _, name := range names {
					t.read[name] = true
				}
				t.known = t.known && names[0] != ""
			}
		}
	}
}
