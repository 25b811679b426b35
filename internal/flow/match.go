package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// matches takes a branch as far as it compares a value with a constant; it is false
// where an earlier comparison of that value rules the branch out. Another round of a
// loop has other values.
func (s *State) matches(b *effect.Block, succ int) bool {
	if slices.Contains(b.Loops, b.Succs[succ]) {
		s.out = slices.DeleteFunc(slices.Clone(s.out), func(o outcome) bool { return o.key.Kind == 'e' })
	}
	if b.Match == nil || len(b.Succs) != 2 || succ != b.Match.Side {
		return true
	}
	if s.outcomeOf(b.Match.Key) == effect.No {
		return false
	}
	for _, k := range b.Match.Others {
		s.setOutcome(k, effect.No)
	}
	return true
}
