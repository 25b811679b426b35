package flow

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// maxRetryDepth bounds the calls from what is tried again down to a write.
const maxRetryDepth = 4

// Retry is a write in what is tried again until it succeeds: Path[0] is the call
// that is, the last level the write's.
type Retry struct {
	Path   []Level
	Effect *effect.Effect
	ways   *Ways
}

// Remade is the key of the inserted row that each try makes anew, "" for none.
func (r *Retry) Remade() string {
	calls := make([]effect.Call, 0, len(r.Path))
	for _, l := range r.Path[1:] {
		calls = append(calls, effect.Call(l))
	}
	return r.ways.prog.Remade(r.ways.from, calls, r.Effect)
}

// Guarded says what makes a second try harmless, "" for nothing that is seen.
func (r *Retry) Guarded() string {
	way := Way{Path: r.Path, from: r.ways.from}
	return r.ways.Guarded(&way)
}

// Retries are the writes that a function tries again, below the calls in it.
func (w *Ways) Retries(f *effect.Func) []Retry {
	var out []Retry
	for _, n := range f.Nodes {
		if n == nil || n.Kind != effect.NodeCall || n.Entry != nil {
			continue
		}
		if triedAgain(f, n) || retriesLiteral(n) {
			w.writesBelow([]Level{{f, n}}, func(path []Level, e *effect.Effect) {
				out = append(out, Retry{path, e, w})
			})
		}
	}
	return out
}

func (w *Ways) writesBelow(path []Level, do func([]Level, *effect.Effect)) {
	last := path[len(path)-1]
	if len(path) > maxRetryDepth {
		return
	}
	for _, g := range w.below(last.Func, last.Node) {
		if onPath(path, g) {
			continue
		}
		for _, n := range g.Nodes {
			if n == nil || n.Kind > effect.NodeDefer {
				continue
			}
			next := append(slices.Clone(path), Level{g, n})
			for i := range n.Effects {
				if isWrite(&n.Effects[i]) {
					do(next, &n.Effects[i])
				}
			}
			if n.Entry == nil {
				w.writesBelow(next, do)
			}
		}
	}
}

// triedAgain: the call is made once more in a loop while it fails, whatever the
// error is, and the loop is left when it succeeds.
func triedAgain(f *effect.Func, n *effect.Node) bool {
	if !n.InLoop || !n.ErrResult {
		return false
	}
	at := f.BlockOf(n)
	if at < 0 || len(f.Blocks[at].Loops) == 0 {
		return false
	}
	head := f.Blocks[at].Loops[len(f.Blocks[at].Loops)-1]
	for i := range f.Blocks {
		b := &f.Blocks[i]
		c := b.Cond
		if c == nil || c.Kind || len(b.Succs) != 2 || c.Key != (effect.Key{Kind: 'c', A: n.ID}) {
			continue
		}
		good, bad := b.Succs[0], b.Succs[1]
		switch effect.No {
		case c.OnTrue:
		case c.OnFalse:
			good, bad = bad, good
		default:
			continue // it is told what failure it is
		}
		if !slices.Contains(f.Blocks[good].Loops, head) && slices.Contains(f.Blocks[bad].Loops, head) && !tellsErrors(f, bad, head) {
			return true
		}
	}
	return false
}

// tellsErrors: on the branch of the failure one error is told from others; there
// the tries go on for those of which it is known that nothing was stored.
func tellsErrors(f *effect.Func, block, head int) bool {
	for block != head {
		b := &f.Blocks[block]
		if b.Cond != nil && b.Cond.Kind || b.Fork != nil || len(b.Asks) > 0 {
			return true
		}
		if len(b.Succs) != 1 {
			return false
		}
		block = b.Succs[0]
	}
	return false
}

// retriesLiteral: a library calls a function literal until it succeeds.
func retriesLiteral(n *effect.Node) bool {
	pkg, name := n.Static, n.Static
	if i := strings.LastIndexByte(n.Static, '.'); i >= 0 {
		pkg, name = n.Static[:i], n.Static[i+1:]
	}
	switch {
	case strings.Contains(pkg, "/backoff"):
		return strings.HasPrefix(name, "Retry")
	case strings.HasSuffix(strings.TrimRight(pkg, "/v0123456789"), "/retry-go"):
		return strings.HasPrefix(name, "Do")
	}
	return false
}
