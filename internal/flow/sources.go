package flow

import "github.com/deliverylint/deliverylint/internal/effect"

// Sources is what the lineage of a value at the effect comes down to, with the
// functions called as the path says: a parameter is what the call above gives.
func (w Witness) Sources(from *effect.Provenance, o *effect.Lineage) effect.Sources {
	path := make([]effect.Call, len(w.Path))
	for i, l := range w.Path {
		path[i] = effect.Call{Func: l.Func, Node: l.Node}
	}
	return from.At(path, o)
}

// Dispatching is a rule about handlers: it follows the functions that get to where
// they are called on long ways (tables, captured variables, wrappers) too, in what
// a handler reaches.
type Dispatching interface{ Dispatches() bool }

// dispatched are the targets of such a call.
func (w *Walker) dispatched(fr *frame, n *effect.Node) []target {
	if r, ok := w.base.(Dispatching); !ok || !r.Dispatches() || !w.prog.Handling[fr.f.Symbol] {
		return nil
	}
	return inTree(w.symbolTargets(w.prog.Wide(n.Dynamic, fr.f.Symbol)), fr.tree)
}
