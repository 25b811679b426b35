package flow

import (
	"github.com/deliverylint/deliverylint/internal/effect"
)

// takePendings completes the stories of which the callee has the second half.
func (w *Walker) takePendings(fr *frame, s *State, n *effect.Node, t target, r *result) {
	for _, p := range r.pendings {
		if p.answer {
			w.takeAnswer(fr, s, n, p)
			continue
		}
		if s.astray() {
			continue
		}
		if n.Kind == effect.NodeGo && p.atFirst {
			continue // what a goroutine does later is no failure of this path
		}
		if p.atFirst && w.keeps(t.f, 0, r)&w.durable != 0 {
			continue // the write is the callee's own matter
		}
		tx := p.tx
		local, inherited := s.Local, s.Inherited
		if tx >= 0 {
			if tx >= len(s.Txs) {
				continue
			}
			local, inherited = s.Txs[tx].Local, s.Txs[tx].Inherited
		}
		second := through(fr, n, p.second)
		switch {
		case local&p.bit != 0:
			first, _ := s.find(tx, p.bit)
			w.report(fr, p.category, first, second, p.atFirst, p.bits|s.Local)
		case inherited&p.bit != 0 && !w.explained(p.category, s.Local):
			fr.pend(pending{category: p.category, tx: tx, bit: p.bit, atFirst: p.atFirst, second: second, bits: p.bits | s.Local})
		}
	}
}

// takeAnswer completes the stories of failures that the callee settles.
func (w *Walker) takeAnswer(fr *frame, s *State, n *effect.Node, p pending) {
	p.second = through(fr, n, p.second)
	p.bits |= s.Local
	if p.offBranch && s.astray() {
		return
	}
	if s.Local&p.bit != 0 {
		w.blame(fr, s, p)
	}
	if s.Inherited&p.bit != 0 {
		fr.pend(p)
	}
}

// Explainer is a rule that lets a frame answer for its second half: what the
// frame itself did explains it, and no caller's first half is told with it.
type Explainer interface {
	Explained(category string, local Bits) bool
}

func (w *Walker) explained(category string, local Bits) bool {
	r, ok := w.base.(Explainer)
	return ok && r.Explained(category, local)
}

// through is a witness of the callee as the caller sees it.
func through(fr *frame, n *effect.Node, inner Witness) Witness {
	return inner.below(Level{fr.f, n})
}

// leave is the caller's state after one exit of the callee.
func (w *Walker) leave(fr *frame, s *State, n *effect.Node, t target, r *result, e *exit) *State {
	out := s.clone()
	kept := w.keeps(t.f, e.state.Local, r)
	if s.astray() {
		kept |= w.answers
	}
	out.Local = s.Local & (e.state.Inherited | ^w.passes)
	out.Inherited = s.Inherited & (e.state.Inherited | ^w.passes)
	if w.kinds && n.Dropped && e.err == effect.Yes { // nobody answers this failure
		out.failed, out.expected = true, false
	}
	out.stale(w.plural)
	out.Local |= e.state.Local &^ kept
	if k, ok := w.base.(Keeper); ok && s.astray() && e.state.Local&w.answers != 0 {
		out.Local |= k.Answered(s.Local)
	}
	if e.state.Local&^kept&w.durable != 0 {
		out.failed = false
	}
	w.takeWitnesses(out, fr, n, -1, -1, e.state, s.Local, kept)
	back := map[int]int{}
	for i, tx := range s.Txs {
		j := e.state.txIndex(i)
		k := out.txIndex(tx.id)
		if j < 0 {
			out.close(k)
			continue
		}
		in := e.state.Txs[j]
		out.Txs[k].Local = tx.Local&in.Inherited | in.Local&^kept
		out.Txs[k].Inherited = tx.Inherited & in.Inherited
		back[i] = tx.id
		w.takeWitnesses(out, fr, n, tx.id, i, e.state, tx.Local, kept)
	}
	for _, in := range e.state.Txs {
		if in.id < len(s.Txs) {
			continue
		}
		k := out.open(in.Outer)
		out.Txs[k].Local, out.Txs[k].bare = in.Local, in.bare
		back[in.id] = out.Txs[k].id
		w.takeWitnesses(out, fr, n, out.Txs[k].id, in.id, e.state, 0, 0)
	}
	vals := make([]av, len(e.vals))
	for i, a := range e.vals {
		vals[i] = a.rename(back)
	}
	out.setVals(n.ID, vals)
	out.setOutcome(effect.Key{Kind: 'c', A: n.ID}, e.err)
	out.setOutcome(effect.Key{Kind: 'c', A: n.ID, Bool: true}, e.bool)
	returnCells(out, t.cells, e.state)
	return out
}

// takeWitnesses takes over where the callee has set its bits, but those it keeps.
// Of bits that the caller had itself, the first place stays.
func (w *Walker) takeWitnesses(out *State, fr *frame, n *effect.Node, id, innerID int, in *State, had, kept Bits) {
	nearest := w.nearestAt(fr.f, n)
	for _, x := range in.witness {
		k, inner := x.scoped, x.Witness
		if k.tx != innerID || k.bit&kept != 0 {
			continue
		}
		k.tx = id
		if k.tx < 0 && k.bit&w.plural != 0 {
			out.witness.merge(witnesses{{k, through(fr, n, inner)}}, w.plural)
			continue
		}
		if k.bit&had&^nearest == 0 {
			out.witness.drop(func(old scoped) bool { return old == k })
		}
		out.witness.put(k, through(fr, n, inner), nearest)
	}
}

// returnCells carries what a closure assigned to captured variables back.
func returnCells(out *State, cells []*effect.Value, in *State) {
	for i, c := range cells {
		kind := byte('m')
		if c.Kind == effect.ValueFree {
			kind = 'f'
		} else if c.Kind != effect.ValueCell {
			continue
		}
		for _, isBool := range []bool{false, true} {
			o := in.outcomeOf(effect.Key{Kind: 'f', A: i, Bool: isBool})
			out.setOutcome(effect.Key{Kind: kind, A: c.Index, Bool: isBool}, o)
		}
	}
}
