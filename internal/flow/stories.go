package flow

import (
	"slices"
	"sort"
	"time"

	"github.com/deliverylint/deliverylint/internal/effect"
)

type storyKey struct {
	category string
	site     *effect.Node
}

// Stories walks every function that can have an effect and returns the
// completed stories, in a fixed order.
func (w *Walker) Stories() []Story {
	for _, closures := range []bool{false, true} {
		for _, s := range w.prog.Order {
			f := w.prog.Funcs[s]
			if !w.prog.Relevant[s] || f.Test || (f.Parent != "") != closures || w.visited[s] && closures {
				continue
			}
			t0 := time.Now()
			w.root(f)
			if Debug && time.Since(t0) > 3*time.Second {
				println(f.Symbol, time.Since(t0).String())
				w.DebugTop()
			}
		}
	}
	return w.told()
}

// told are the stories that were completed, in a fixed order.
func (w *Walker) told() []Story {
	out := make([]Story, 0, len(w.order))
	for _, k := range w.order {
		out = append(out, w.stories[k])
	}
	sort.SliceStable(out, func(i, j int) bool { return lessStory(&out[i], &out[j]) })
	return out
}

// Once leaves out stories whose site lies above another story's: the pair that is
// complete in the callee is told there, and its change mends both. Of a publish
// that a caller's write comes before and one of the same entity after, the first
// is what it tells of, whether that is among the stories or only among all.
func Once(stories, all []Story) []Story {
	stories = slices.DeleteFunc(slices.Clone(stories), func(s Story) bool {
		return s.AtFirst && slices.ContainsFunc(all, s.noted)
	})
	told := calls{}
	for i := range stories {
		told.add(&stories[i])
	}
	return slices.DeleteFunc(stories, func(s Story) bool {
		return slices.ContainsFunc(s.Site().Path[s.Depth()+1:], func(l Level) bool { return told[s.deep()][l.Node] })
	})
}

// noted reports whether a story that ends in a write is one of a write that only
// notes how the publish went: the other story tells of the same publish and of
// the same entity, written by a caller before it.
func (s *Story) noted(o Story) bool {
	here := s.Place().Node
	if o.AtFirst || o.deep() != s.deep() || o.Place().Node == here {
		return false
	}
	if !slices.ContainsFunc(o.Site().Path, func(l Level) bool { return l.Node == here }) {
		return false
	}
	a, b := o.Other().Effect, s.Other().Effect
	if a == nil || b == nil {
		return false
	}
	names := a.Names()
	return slices.ContainsFunc(b.Names(), func(n string) bool { return slices.Contains(names, n) })
}

// deep is the library's call that a story's site leads to.
func (s *Story) deep() *effect.Node { return s.Site().deep() }

// calls are calls by the library's call that they lead to.
type calls map[*effect.Node]map[*effect.Node]bool

func (c calls) add(s *Story) {
	deep := s.deep()
	if c[deep] == nil {
		c[deep] = map[*effect.Node]bool{}
	}
	c[deep][s.Place().Node] = true
}

func lessStory(a, b *Story) bool {
	x, y := a.Place().Node.Pos, b.Place().Node.Pos
	if x.File != y.File {
		return x.File < y.File
	}
	if x.Line != y.Line {
		return x.Line < y.Line
	}
	if x.Col != y.Col {
		return x.Col < y.Col
	}
	return a.Category < b.Category
}

// report keeps a completed story; of equal ones the shortest, then the first.
func (w *Walker) report(fr *frame, category string, first, second Witness, atFirst bool, bits Bits) {
	s := Story{Func: fr.f, Category: category, First: first, Second: second, AtFirst: atFirst, Bits: bits}
	if s.Site().Node() == nil || s.Other().Node() == nil {
		return
	}
	if !atFirst {
		fr.told(s.Site())
	}
	k := storyKey{category: category, site: s.Place().Node}
	old, ok := w.stories[k]
	if !ok {
		w.order = append(w.order, k)
	} else if !w.better(&s, &old) {
		return
	}
	w.stories[k] = s
}

// Ranking is a rule that would rather tell one story of a place than another.
type Ranking interface{ Rank(s *Story) int }

// better reports whether a story is the one to tell, of two of one place: by its rank,
// else the shorter one.
func (w *Walker) better(s, old *Story) bool {
	if r, ok := w.base.(Ranking); ok {
		if now, was := r.Rank(s), r.Rank(old); now != was {
			return now > was
		}
	}
	return len(s.First.Path)+len(s.Second.Path) < len(old.First.Path)+len(old.Second.Path)
}

// Exits reports whether a function, entered with nothing known, can return
// without an error on a path that has all of some bits and none of others. With
// plain, paths that took the branch of a failed call don't count.
func (w *Walker) Exits(symbol string, all, none Bits, plain bool) bool {
	for _, e := range w.roots[symbol] {
		if e.err != effect.Yes && !(plain && e.failed) && !e.expected && e.state.Local&all == all && e.state.Local&none == 0 {
			return true
		}
	}
	return false
}

// Ends reports whether a function, entered with nothing known, can return an
// error, or at all where it returns none, on a path that has all of some bits.
func (w *Walker) Ends(symbol string, all Bits) bool {
	f := w.prog.Funcs[symbol]
	return slices.ContainsFunc(w.roots[symbol], func(e exit) bool {
		return e.state.Local&all == all && (e.err == effect.Yes || f != nil && f.ErrResult < 0)
	})
}

// Leaves reports whether a function, entered with nothing known, can return in
// any way on a path that has one of some bits.
func (w *Walker) Leaves(symbol string, any Bits) bool {
	for _, e := range w.roots[symbol] {
		if e.state.Local&any != 0 {
			return true
		}
	}
	return false
}
