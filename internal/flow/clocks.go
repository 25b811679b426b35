package flow

import (
	"github.com/deliverylint/deliverylint/internal/effect"
)

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
				for _, r := range w.from.ReadsOf(f, fork.From) {
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
