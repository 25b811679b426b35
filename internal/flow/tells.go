package flow

import (
	"maps"
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// tellsBudget bounds the blocks that are looked at after one failure.
const tellsBudget = 200

// Tells reports whether a failure of the effect is returned as an error by every
// function on the way up, the one that the path starts in included. Where that isn't
// known it is false.
func (w Witness) Tells() bool {
	return len(w.Path) > 0 && !w.Dropped && !slices.ContainsFunc(w.Path, func(l Level) bool { return !tells(l.Func, l.Node) })
}

// tells reports whether a function returns an error wherever a call in it has
// returned one.
func tells(f *effect.Func, n *effect.Node) bool {
	from := f.BlockOf(n)
	if from < 0 || n.Kind != effect.NodeCall || !n.ErrResult || f.ErrResult < 0 {
		return false
	}
	t := teller{f: f, call: n, budget: tellsBudget, seen: map[int][]failing{}}
	return t.block(from, slices.Index(f.Blocks[from].Nodes, n.ID)+1, failing{{Kind: 'c', A: n.ID}: true})
}

// failing are the values that are known to be the error.
type failing map[effect.Key]bool

type teller struct {
	f      *effect.Func
	call   *effect.Node
	budget int
	seen   map[int][]failing
}

// block follows a failure from a node of a block on.
func (t *teller) block(i, node int, known failing) bool {
	if t.budget--; t.budget < 0 {
		return false
	}
	b := &t.f.Blocks[i]
	for _, id := range b.Nodes[node:] {
		n := t.f.Nodes[id]
		switch {
		case n == t.call:
			return false // another try
		case n.Kind == effect.NodeReturn:
			return known.is(n.Err)
		case n.Kind == effect.NodeStore:
			known.assign(n.Key, known.is(n.Err))
		}
	}
	for s := range b.Succs {
		if t.takes(b, s, known) && !t.enter(i, b.Succs[s], maps.Clone(known)) {
			return false
		}
	}
	return true
}

// takes: what is known doesn't rule a branch out.
func (t *teller) takes(b *effect.Block, succ int, known failing) bool {
	c := b.Cond
	if c == nil || len(b.Succs) != 2 || c.Value != nil || !known[c.Key] {
		return true
	}
	want := c.OnTrue
	if succ == 1 {
		want = c.OnFalse
	}
	return want != effect.No
}

func (t *teller) enter(from, to int, known failing) bool {
	b := &t.f.Blocks[to]
	if p := slices.Index(b.Preds, from); p >= 0 {
		are := make([]bool, len(b.Phis))
		for i, phi := range b.Phis {
			are[i] = p < len(phi.From) && known.is(phi.From[p])
		}
		for i, phi := range b.Phis {
			known.assign(phi.Key, are[i])
		}
	}
	if slices.ContainsFunc(t.seen[to], func(k failing) bool { return maps.Equal(k, known) }) {
		return true
	}
	t.seen[to] = append(t.seen[to], maps.Clone(known))
	return t.block(to, 0, known)
}

// is: a value is an error for certain.
func (k failing) is(s effect.Source) bool { return s.Const == effect.Yes || k[s.Key] }

func (k failing) assign(key effect.Key, is bool) {
	if is && key.Kind != 0 {
		k[key] = true
	} else {
		delete(k, key)
	}
}

// Passes reports whether a function can't return, but with an error, before a call in
// it has succeeded.
func Passes(f *effect.Func, n *effect.Node) bool { return !skips(f, n) && tells(f, n) }

// skips reports whether a function can return, and not with an error that it makes
// there, without having come by a call in it.
func skips(f *effect.Func, n *effect.Node) bool {
	at := f.BlockOf(n)
	if at < 0 || len(f.Blocks) == 0 {
		return true
	}
	seen, work := map[int]bool{at: true, 0: true}, []int{0}
	for len(work) > 0 && at != 0 {
		b := &f.Blocks[work[0]]
		work = work[1:]
		if slices.ContainsFunc(b.Nodes, func(id int) bool {
			return f.Nodes[id].Kind == effect.NodeReturn && f.Nodes[id].Err.Const != effect.Yes
		}) {
			return true
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}
