package effect

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// acksAnyway reports whether a function that settles deliveries acks where handling one
// has failed, on all ways and in all cases that it tells apart, or when it is left.
func (p *Program) acksAnyway(f *Func) bool {
	if p.refuses(f, 2) {
		return false
	}
	if f.gives(NodeDefer, catalog.Ack) || p.acksLeaving(f) {
		return true
	}
	if !f.gives(NodeCall, catalog.Ack) {
		return false
	}
	anyway := false
	for i := range f.Blocks {
		for _, id := range f.Blocks[i].Nodes {
			n := f.Nodes[id]
			if n == nil || n.Kind != NodeCall || !n.ErrResult || !p.givesMessage(f, n) || !p.works(f, n) {
				continue
			}
			acks, known := f.acksAfter(n, i)
			if known && !acks {
				return false
			}
			anyway = anyway || known
		}
	}
	return anyway
}

// acksLeaving: a literal that is run when the function is left acks.
func (p *Program) acksLeaving(f *Func) bool {
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool {
		if n == nil || n.Kind != NodeDefer {
			return false
		}
		g := p.Funcs[n.Static]
		return g != nil && g.Parent == f.Symbol && len(g.Blocks) == 1 && g.gives(NodeCall, catalog.Ack)
	})
}

// refuses: a function, or what it calls, gives a delivery back.
func (p *Program) refuses(f *Func, depth int) bool {
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool {
		if n == nil || n.Kind > NodeDefer {
			return false
		}
		return n.settles(catalog.Nack) || n.settles(catalog.Requeue) ||
			depth > 0 && slices.ContainsFunc(p.Resolve(n).Symbols, func(s string) bool { return p.Reach[s].Has(Receives) && p.refuses(p.Funcs[s], depth-1) })
	})
}

// gives: the function itself, or with NodeDefer when it is left, settles a delivery so.
func (f *Func) gives(how NodeKind, kind catalog.Kind) bool {
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool { return n != nil && n.Kind == how && n.settles(kind) })
}

func (n *Node) settles(kind catalog.Kind) bool {
	return slices.ContainsFunc(n.Effects, func(e Effect) bool { return e.Kind == kind })
}

// acksAfter reports whether all ways from where a call has failed ack; known is false
// where no branch asks.
func (f *Func) acksAfter(n *Node, at int) (acks, known bool) {
	acks = true
	for i := range f.Blocks {
		c := f.Blocks[i].Cond
		if c == nil || c.Key != (Key{Kind: 'c', A: n.ID}) || len(f.Blocks[i].Succs) != 2 || c.OnTrue == c.OnFalse {
			continue
		}
		known = true
		succ := f.Blocks[i].Succs[0]
		if c.OnFalse == Yes {
			succ = f.Blocks[i].Succs[1]
		}
		acks = acks && !f.leavesUnacked(succ, f.Blocks[at].Loops)
	}
	if !known && n.Dropped {
		return !f.leavesUnacked(at, f.Blocks[at].Loops), true
	}
	return acks, known
}

// leavesUnacked: some way from a block comes to the next round of a loop, or to the
// function's end, without an ack.
func (f *Func) leavesUnacked(from int, heads []int) bool {
	work, seen := []int{from}, map[int]bool{}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if slices.Contains(heads, at) && at != from {
			return true
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		b := &f.Blocks[at]
		if slices.ContainsFunc(b.Nodes, func(id int) bool { return f.Nodes[id] != nil && f.Nodes[id].settles(catalog.Ack) }) {
			continue
		}
		if len(b.Succs) == 0 {
			return true
		}
		work = append(work, b.Succs...)
	}
	return false
}
