package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// Ahead reports whether an effect of one of some kinds may come after the call in its
// function, itself or deferred, in the same round of its loops.
func (l Level) Ahead(p *effect.Program, kinds ...catalog.Kind) bool {
	f := l.Func
	work := []int{f.BlockOf(l.Node)}
	seen := map[int]bool{-1: true}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		b := &f.Blocks[at]
		if slices.ContainsFunc(b.Nodes, func(id int) bool { return does(p, f, f.Nodes[id], kinds) }) {
			return true
		}
		for _, to := range b.Succs {
			work = append(work, onward(f, b, to)...)
		}
	}
	return false
}

// onward is the next block, or on the way back to the head of a loop, those behind
// the loop.
func onward(f *effect.Func, from *effect.Block, to int) []int {
	if !slices.Contains(from.Loops, to) {
		return []int{to}
	}
	return slices.DeleteFunc(slices.Clone(f.Blocks[to].Succs), func(out int) bool { return slices.Contains(f.Blocks[out].Loops, to) })
}

// does reports whether a node has an effect of one of some kinds; where a function
// ends, its deferred calls do.
func does(p *effect.Program, f *effect.Func, n *effect.Node, kinds []catalog.Kind) bool {
	if n.Kind != effect.NodeRunDefers {
		return slices.ContainsFunc(n.Effects, func(e effect.Effect) bool { return slices.Contains(kinds, e.Kind) })
	}
	return slices.ContainsFunc(f.Nodes, func(d *effect.Node) bool {
		if d == nil || d.Kind != effect.NodeDefer {
			return false
		}
		return slices.ContainsFunc(p.Resolve(d).Symbols, func(s string) bool {
			g := p.Funcs[s]
			return g != nil && slices.ContainsFunc(g.Nodes, func(m *effect.Node) bool {
				return m != nil && m.Kind != effect.NodeRunDefers && does(p, g, m, kinds)
			})
		})
	})
}
