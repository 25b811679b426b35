package flow

import (
	"github.com/deliverylint/deliverylint/internal/effect"
)

// maxCompared bounds the columns that a comparison of two times may be about: what is made of
// more than that is made of a whole row, and tells of none of its columns.
const maxCompared = 3

// Orders are the columns and fields that some code orders by, by plain names of table and
// column; the table is "" where it isn't known.
type Orders map[string]bool

// Has reports whether a column of a table, or one of an unknown table that is called so, is
// among them.
func (o Orders) Has(table, column string) bool {
	c := "." + PlainName(column)
	return o[c] || o[plainTable(table)+c] || table == "" && o["*"+c]
}

func (o Orders) add(table, column string) {
	if c := PlainName(column); c != "" {
		o[plainTable(table)+"."+c], o["*."+c] = true, true
	}
}

// OrderedBy are what some code orders by: a statement compares it with < or >, or two times
// are compared of which one is read from it.
func (w *Ways) OrderedBy() Orders {
	out := Orders{}
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
					out.add(r.Table, r.Field)
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
	return out
}

func orderedIn(e *effect.Effect, out Orders) {
	if e.Statement == nil {
		return
	}
	for _, c := range e.Statement.Compared {
		switch c.Op {
		case "<", ">", "<=", ">=":
			for _, t := range append([]string{e.Statement.Table}, e.Statement.Tables...) {
				out.add(t, c.Name)
			}
		}
	}
}
