package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// nearestAt are the bits of which a call is the nearest place that sets them: none
// where the function goes on after the call has failed. What it can do without is not
// what the rest is about, if something else was done before.
func (w *Walker) nearestAt(f *effect.Func, n *effect.Node) Bits {
	if w.nearest == 0 || n == nil || n.Kind != effect.NodeCall || !n.ErrResult {
		return w.nearest
	}
	shrugged, known := w.shrugged[n]
	if !known {
		shrugged = n.Dropped || shrugs(f, n)
		w.shrugged[n] = shrugged
	}
	if shrugged {
		return 0
	}
	return w.nearest
}

// shrugs reports whether a function calls others after a call in it has failed, and
// the same ones after it has succeeded. Another round of a loop is no going on.
func shrugs(f *effect.Func, n *effect.Node) bool {
	key := effect.Key{Kind: 'c', A: n.ID}
	at := f.BlockOf(n)
	if at < 0 {
		return false
	}
	for _, b := range f.Blocks {
		c := b.Cond
		if c == nil || c.Key != key || len(b.Succs) != 2 || c.OnTrue == effect.Unknown || c.OnFalse == effect.Unknown {
			continue
		}
		failed, went := b.Succs[0], b.Succs[1]
		if c.OnTrue == effect.No {
			failed, went = went, failed
		}
		stop := f.Blocks[at].Loops
		after, well := ahead(f, failed, stop), ahead(f, went, stop)
		return both(f, after, well)
	}
	return false
}

// both: some call is ahead on both branches.
func both(f *effect.Func, one, other map[int]bool) bool {
	for i := range f.Blocks {
		if one[i] && other[i] && slices.ContainsFunc(f.Blocks[i].Nodes, func(id int) bool { return f.Nodes[id].Kind == effect.NodeCall }) {
			return true
		}
	}
	return false
}

// ahead are the blocks that can be reached from one, it included, but for some.
func ahead(f *effect.Func, from int, but []int) map[int]bool {
	out, work := map[int]bool{}, []int{from}
	for len(work) > 0 {
		i := work[0]
		work = work[1:]
		if !out[i] && !slices.Contains(but, i) {
			out[i] = true
			work = append(work, f.Blocks[i].Succs...)
		}
	}
	return out
}
