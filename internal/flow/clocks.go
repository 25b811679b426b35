package flow

import (
	"github.com/deliverylint/deliverylint/internal/effect"
)

// maxCompared bounds the columns that a comparison of two times may be about: what is made of
// more than that is made of a whole row, and tells of none of its columns.
const maxCompared = 3

// OrderedBy are the columns and fields that some code orders by, by plain names: a
// statement compares them with < or >, or two times are compared of which one is read
// from them.
func (w *Ways) OrderedBy() map[string]bool {
	out := map[string]bool{}
	for _, s := range w.prog.Order {
		f := w.prog.Funcs[s]
		if f.Test {
			continue
		}
		for i := range f.Blocks {
			if fork := f.Blocks[i].Fork; fork != nil && fork.Ordered {
				reads := w.from.ReadsOf(f, fork.From)
				if len(reads) > maxCompared {
					continue
				}
				for _, r := range reads {
					out[PlainName(r.Field)] = true
				}
			}
		}
		for _, n := range f.Nodes {
			if n == nil || n.Kind > effect.NodeDefer {
				continue
			}
			for i := range n.Effects {
				orderedIn(&n.Effects[i], out)
			}
		}
	}
	delete(out, "")
	return out
}

func orderedIn(e *effect.Effect, out map[string]bool) {
	if e.Statement == nil {
		return
	}
	for _, c := range e.Statement.Compared {
		switch c.Op {
		case "<", ">", "<=", ">=":
			out[PlainName(c.Name)] = true
		}
	}
}
