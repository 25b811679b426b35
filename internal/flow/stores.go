package flow

import (
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// Stores is a rule that wants to know what is done to stores that are not the
// database: Node.Keyed says what.
type Stores interface {
	Keyed(p *Path, ev Event)
	// Missed is the same where the call returned an error: that a key is not there
	// may be one.
	Missed(p *Path, ev Event)
}

// Visitor is a rule that looks at the calls of some functions, whatever they do:
// before a call, and after it on each way that it goes on.
type Visitor interface {
	Visits(f *effect.Func) bool
	Before(p *Path, n *effect.Node)
	After(p *Path, n *effect.Node)
}

// Ignorer is a rule to which what some functions do is nothing.
type Ignorer interface{ Ignores(f *effect.Func) bool }

// relevant reports whether a function can do something that the rule wants to know.
func (w *Walker) relevant(f *effect.Func) bool {
	if r, ok := w.base.(Ignorer); ok && r.Ignores(f) {
		return false
	}
	if w.prog.Relevant[f.Symbol] {
		return true
	}
	return w.stores != nil && w.prog.Reach[f.Symbol].Has(effect.Remembering) || w.visitor != nil && w.visitor.Visits(f)
}

func (w *Walker) keyed(fr *frame, s *State, n *effect.Node) []*State {
	if w.stores == nil || n.Keyed == nil {
		return []*State{s}
	}
	states := w.both(fr, s, n)
	ev := Event{Node: n, Func: fr.f, Tx: InPool, Async: fr.async, Sure: true}
	w.stores.Keyed(w.path(fr, states[0], n, nil), ev)
	if len(states) > 1 {
		w.stores.Missed(w.path(fr, states[1], n, nil), ev)
	}
	return states
}

func (w *Walker) before(fr *frame, s *State, n *effect.Node) {
	if w.visitor != nil && w.visitor.Visits(fr.f) {
		w.visitor.Before(w.path(fr, s, n, nil), n)
	}
}

func (w *Walker) after(fr *frame, states []*State, n *effect.Node) []*State {
	if w.visitor != nil && w.visitor.Visits(fr.f) {
		for _, s := range states {
			w.visitor.After(w.path(fr, s, n, nil), n)
		}
	}
	return states
}

// From walks one function alone and returns its stories. What a literal has captured
// is told by its types.
func (w *Walker) From(symbol string) []Story {
	f := w.prog.Funcs[symbol]
	if f == nil {
		return nil
	}
	free := make([]av, len(f.Free))
	for i := range f.Free {
		if f.Free[i].Class == catalog.Pool {
			free[i] = av{kind: pool}
		}
	}
	w.rootWith(f, free)
	return w.told()
}
