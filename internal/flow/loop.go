package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// round keeps the rounds of a loop apart when a path goes from one block to
// another. On the way into the body from the head, what earlier rounds did is
// set aside; on the way out of the loop it counts again.
func (s *State) round(f *effect.Func, from, to int) {
	in, out := f.Blocks[to].Loops, f.Blocks[from].Loops
	for i := len(s.loops) - 1; i >= 0; i-- { // loops left
		if l := s.loops[i]; !slices.Contains(in, l.head) {
			s.Local |= l.aged
			s.loops = append(s.loops[:i:i], s.loops[i+1:]...)
		}
	}
	for _, head := range in { // loops entered
		if to == head && !slices.Contains(out, head) {
			s.loops = append(s.loops, loop{head: head, before: s.Local})
		}
	}
	for i := range s.loops { // the next round
		l := &s.loops[i]
		if l.head == from && slices.Contains(in, l.head) {
			l.aged |= s.Local &^ l.before
			s.Local &= l.before
		}
	}
}
