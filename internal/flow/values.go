package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// valuesOnly: a callee without effects may still return a handle.
func (w *Walker) valuesOnly(fr *frame, s *State, n *effect.Node, t target, args []av) []*State {
	inner := &frame{f: t.f, params: args, free: t.free}
	empty := &State{Txs: s.Txs}
	vals := make([]av, len(t.f.Returns))
	for i, v := range t.f.Returns {
		vals[i] = w.eval(inner, empty, v, evalDepth)
	}
	s.setVals(n.ID, vals)
	return []*State{s}
}

// maxPicker bounds the blocks of a function that is walked for its values alone.
const maxPicker = 16

// picks reports whether a function without effects has to be walked for what it
// returns: it returns what a call gives it, or compares a handle with nil
// (if tx := txFrom(ctx); tx != nil { return q.WithTx(tx) }; return q).
func (w *Walker) picks(f *effect.Func) bool {
	got, ok := w.pickers[f.Symbol]
	if !ok {
		got = len(f.Blocks) <= maxPicker && slices.ContainsFunc(f.Returns, returnsCall)
		w.pickers[f.Symbol] = got
	}
	return got
}

func returnsCall(v *effect.Value) bool {
	if v == nil {
		return false
	}
	return v.Kind == effect.ValueCall || v.Kind == effect.ValueChoice && slices.ContainsFunc(v.Of, returnsCall)
}

// picked walks a function without effects for the values that it returns.
func (w *Walker) picked(fr *frame, s *State, n *effect.Node, t target, args []av) []*State {
	ids, back := map[int]int{}, map[int]int{}
	entry := &State{}
	for i, tx := range s.Txs {
		ids[tx.id], back[i] = i, tx.id
		entry.Txs = append(entry.Txs, Tx{id: i, Outer: tx.Outer})
	}
	r := w.walk(t.f, entry, w.params(t.f, args, ids), renameAll(t.free, ids), fr.depth+1, false, fr.async, narrow(fr.tree, t.f.Package))
	var out []*State
	for _, e := range r.exits {
		o := s.clone()
		o.setVals(n.ID, renameAll(e.vals, back))
		o.setOutcome(effect.Key{Kind: 'c', A: n.ID}, e.err)
		o.setOutcome(effect.Key{Kind: 'c', A: n.ID, Bool: true}, e.bool)
		out = append(out, o)
	}
	if len(out) == 0 { // it never returns, or calls itself
		return w.valuesOnly(fr, s, n, t, args)
	}
	return w.unique(out)
}
