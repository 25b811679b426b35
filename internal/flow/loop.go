package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// Momentary is a rule that names the bits which are true of one round of a loop
// alone.
type Momentary interface{ OneRound() Bits }

// Earlier are the bits that earlier rounds of the loops that the path is in have
// set.
func (s *State) Earlier() Bits {
	b := Bits(0)
	for _, l := range s.loops {
		b |= l.aged
	}
	return b
}

// take adds the transactions that were begun in the loop and are still open.
func (l *loop) take(txs []Tx) {
	for _, t := range txs {
		if !slices.ContainsFunc(l.txs, func(r txRound) bool { return r.id == t.id }) {
			l.txs = append(l.txs, txRound{id: t.id})
		}
	}
}

// leftOut: a round of a loop over a batch that has failed, and adds nothing to the
// list that other rounds add to, has left out what it failed on.
func (w *Walker) leftOut(fr *frame, s *State, from, to int) {
	if w.plural == 0 || !slices.Contains(fr.f.Blocks[from].Loops, to) {
		return
	}
	adds := slices.ContainsFunc(fr.f.Blocks, func(b effect.Block) bool { return b.Appends && slices.Contains(b.Loops, to) })
	if adds && !s.appends {
		s.Clear(s.Local & w.plural)
	}
	s.appends = false
}

// retried: a loop that is left since a call has succeeded was there to try it again:
// what only its failures have set in earlier rounds is no more.
func (s *State) retried(f *effect.Func, to, node int, bits Bits) {
	for i := range s.loops {
		l := &s.loops[i]
		gone := l.aged & bits
		if gone == 0 || slices.Contains(f.Blocks[to].Loops, l.head) {
			continue
		}
		if !slices.ContainsFunc(s.witness, func(x witnessed) bool {
			return x.tx < 0 && x.bit&gone != 0 && (x.Node() == nil || x.Node().ID != node)
		}) {
			l.aged &^= gone
		}
	}
}

// left takes a path out of the loops that a block is not in: what their rounds have
// done counts again.
func (s *State) left(f *effect.Func, to int) {
	for i := len(s.loops) - 1; i >= 0; i-- {
		if l := s.loops[i]; !slices.Contains(f.Blocks[to].Loops, l.head) {
			s.Local |= l.aged
			for _, r := range l.txs {
				if j := s.txIndex(r.id); j >= 0 {
					s.Txs[j].Local |= r.aged
				}
			}
			s.loops = append(s.loops[:i:i], s.loops[i+1:]...)
		}
	}
}

// round keeps the rounds of a loop apart when a path goes from one block to
// another. On the way back to the head, what the round did is set aside.
func (s *State) round(f *effect.Func, from, to int, momentary Bits) {
	in, out := f.Blocks[to].Loops, f.Blocks[from].Loops
	for _, head := range in { // loops entered
		if to == head && !slices.Contains(out, head) {
			l := loop{head: head, before: s.Local}
			for _, t := range s.Txs {
				l.txs = append(l.txs, txRound{id: t.id, before: t.Local})
			}
			s.loops = append(s.loops, l)
		}
	}
	for i := range s.loops { // the next round
		l := &s.loops[i]
		if l.head == to && slices.Contains(out, l.head) {
			l.aged |= s.Local &^ l.before &^ momentary
			s.Local &= l.before
			l.take(s.Txs)
			for k := range l.txs {
				r := &l.txs[k]
				if j := s.txIndex(r.id); j >= 0 {
					r.aged |= s.Txs[j].Local &^ r.before
					s.Txs[j].Local &= r.before
				}
			}
		}
	}
}
