package flow

import (
	"strings"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// result is what a function does for one entry state.
type result struct {
	exits    []exit
	pendings []pending
}

// exit is one way to leave a function.
type exit struct {
	state     *State
	err, bool effect.Outcome
	vals      []av
	// failed: the path took the branch of a call that returned an error.
	failed bool
	// expected: the error is one that the function knows (sql.ErrNoRows).
	expected bool
}

// exit leaves the function with a state and the outcome it returns.
func (w *Walker) exit(fr *frame, s *State, n *effect.Node, r *result, seen map[string]int) {
	s = s.clone()
	w.returned(fr, s, n, s.source(n.Err))
	e := exit{state: s, err: s.source(n.Err), bool: s.source(n.Bool), failed: s.failed, expected: s.expected}
	e.state.failed, e.state.expected, e.state.appends = false, false, false
	for _, v := range n.Results {
		e.vals = append(e.vals, w.eval(fr, s, v, evalDepth))
	}
	e.state.vals, e.state.defers, e.state.loops = nil, 0, nil
	w.closeLeaks(fr, &e)
	var b strings.Builder
	e.state.out = keepFree(e.state.out)
	b.WriteString(e.state.key())
	b.WriteByte('0' + byte(e.err))
	b.WriteByte('0' + byte(e.bool))
	if e.failed {
		b.WriteByte('f')
	}
	if e.expected {
		b.WriteByte('e')
	}
	for _, a := range e.vals {
		a.write(&b)
	}
	if i, ok := seen[b.String()]; ok {
		r.exits[i].state.witness.merge(e.state.witness, w.plural)
		return
	}
	seen[b.String()] = len(r.exits)
	r.exits = append(r.exits, e)
}

// closeLeaks forgets transactions that the function began and neither ended nor
// handed out: some path was not understood.
func (w *Walker) closeLeaks(fr *frame, e *exit) {
	if fr.f.KeepsTx {
		return
	}
	kept := map[int]bool{}
	for _, v := range e.vals {
		v.txs(kept)
	}
	for i := len(e.state.Txs) - 1; i >= 0; i-- {
		t := e.state.Txs[i]
		if t.id >= fr.entryTxs && !t.Outer && !kept[t.id] {
			e.state.close(i)
		}
	}
}

// keepFree keeps the outcomes of captured variables: the closure's creator
// reads them.
func keepFree(out []outcome) []outcome {
	kept := out[:0:0]
	for _, o := range out {
		if o.key.Kind == 'f' {
			kept = append(kept, o)
		}
	}
	return kept
}
