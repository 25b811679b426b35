package effect

import "github.com/deliverylint/deliverylint/internal/catalog"

// ReadsApart reports whether what a function reads, itself and below, is of other tables
// than what it changes there: what it finds then tells nothing of whether it has run
// before. Where a table isn't known the type says what is read, whose method reads.
func (p *Program) ReadsApart(f *Func) bool {
	t := touched{p: p, read: map[string]bool{}, written: map[string]bool{}, known: true, seen: map[string]bool{}}
	t.visit(f, 7)
	t.known = t.known && len(t.read) > 0
	for name := range t.read {
		t.known = t.known && !t.written[name]
	}
	return t.known
}

// touched are the tables that are read and written, and the types that do so.
type touched struct {
	p             *Program
	read, written map[string]bool
	known         bool
	seen          map[string]bool
}

// visit goes down from a function, into the literals that it makes too.
func (t *touched) visit(f *Func, depth int) {
	if f == nil || t.seen[f.Symbol] || !t.known || t.p.Reach[f.Symbol]&^Remembering == 0 {
		return
	}
	if depth == 0 {
		t.known = false
		return
	}
	t.seen[f.Symbol] = true
	t.add(f)
	for _, n := range f.Nodes {
		if n == nil || n.Kind > NodeDefer {
			continue
		}
		for _, v := range append([]*Value{n.Dynamic}, n.Args...) {
			if v != nil && v.Kind == ValueClosure {
				t.visit(t.p.Funcs[v.Name], depth-1)
			}
		}
		if n.Entry == nil {
			for _, s := range t.p.Resolve(n).Symbols {
				t.visit(t.p.Funcs[s], depth-1)
			}
		}
	}
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
