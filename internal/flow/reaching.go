package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// reaching answers which blocks of a function come after which within one round
// of its loops.
type reaching struct {
	f     *effect.Func
	block map[*effect.Node]int
	memo  map[int][]bool
}

func newReaching(f *effect.Func) *reaching {
	r := &reaching{f: f, block: map[*effect.Node]int{}, memo: map[int][]bool{}}
	for i := range f.Blocks {
		for _, id := range f.Blocks[i].Nodes {
			r.block[f.Nodes[id]] = i
		}
	}
	return r
}

func (r *reaching) blockOf(n *effect.Node) int { return r.block[n] }

// reaches reports whether a path leads from a block to another, itself included.
func (r *reaching) reaches(from, to int) bool {
	seen := r.memo[from]
	if seen == nil {
		seen = make([]bool, len(r.f.Blocks))
		work := []int{from}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if seen[b] {
				continue
			}
			seen[b] = true
			for _, s := range r.f.Blocks[b].Succs {
				if !slices.Contains(r.f.Blocks[b].Loops, s) { // the next round
					work = append(work, s)
				}
			}
		}
		r.memo[from] = seen
	}
	return seen[to]
}

// leadsTo reports whether a side of a branch leads to a block within the round.
func (r *reaching) leadsTo(branch, side, to int) bool {
	b := &r.f.Blocks[branch]
	return !slices.Contains(b.Loops, b.Succs[side]) && r.reaches(b.Succs[side], to)
}

// leaves is a branch that is asked for and leaves before a block, on the side on which what
// it asks about is there; nil for none.
func (r *reaching) leaves(at int, asks func(*effect.Fork) bool) *effect.Fork {
	for c := range r.f.Blocks {
		b := &r.f.Blocks[c]
		if b.Fork == nil || len(b.Succs) != 2 || r.isHead(c, at) {
			continue
		}
		yes, no := r.leadsTo(c, 0, at), r.leadsTo(c, 1, at)
		if yes == no {
			continue
		}
		side := effect.SideTrue
		if yes {
			side = effect.SideFalse
		}
		if (b.Fork.Found == effect.SideEither || b.Fork.Found == side) && asks(b.Fork) {
			return b.Fork
		}
	}
	return nil
}

// isHead: the block decides whether a loop that the other is in goes on.
func (r *reaching) isHead(head, in int) bool {
	return slices.Contains(r.f.Blocks[in].Loops, head)
}

// together reports whether a path within one round runs both nodes.
func (r *reaching) together(a, b *effect.Node) bool {
	return r.reaches(r.block[a], r.block[b]) || r.reaches(r.block[b], r.block[a])
}

// before reports whether a runs before b on some path.
func (r *reaching) before(a, b *effect.Node) bool {
	x, y := r.block[a], r.block[b]
	return x == y && a.ID < b.ID || x != y && r.reaches(x, y)
}
