package flow

import (
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// changesWhatItReads reports whether a handler writes a table that it also reads.
// If it doesn't, no check of stored state tells its second run from the first. It is
// a may: of tables that aren't known anything is possible.
func (w *Ways) changesWhatItReads(f *effect.Func) bool {
	if got, ok := w.changing[f.Symbol]; ok {
		return got
	}
	t := tables{w: w, seen: map[string]bool{}, read: map[string]bool{}, written: map[string]bool{}}
	t.add(f, maxTablesDepth)
	out := t.unknown
	for name := range t.written {
		out = out || t.read[name]
	}
	w.changing[f.Symbol] = out
	return out
}

// The bounds of what is looked through.
const (
	maxTablesDepth = 12
	maxTablesFuncs = 400
)

// tables are what functions read and write.
type tables struct {
	w             *Ways
	seen          map[string]bool
	read, written map[string]bool
	// unknown: some of it can't be told.
	unknown bool
}

func (t *tables) add(f *effect.Func, depth int) {
	if t.seen[f.Symbol] || t.unknown {
		return
	}
	if t.seen[f.Symbol] = true; depth == 0 || len(t.seen) > maxTablesFuncs {
		t.unknown = true
		return
	}
	for _, n := range f.Nodes {
		if n == nil || n.Kind > effect.NodeDefer {
			continue
		}
		if n.Entry != nil {
			t.unknown = t.unknown || remembers(n.Entry.Kind)
		}
		for i := range n.Effects {
			t.effect(&n.Effects[i])
		}
		for _, g := range t.w.below(f, n) {
			t.add(g, depth-1)
		}
	}
}

// remembers: stores beside the tables keep what a handler has done as well.
func remembers(k catalog.Kind) bool {
	switch k {
	case catalog.Dedupe, catalog.Recall, catalog.Remember, catalog.Forget, catalog.Script:
		return true
	}
	return false
}

func (t *tables) effect(e *effect.Effect) {
	name := plainTable(e.Table)
	switch e.Kind {
	case catalog.Write:
		t.unknown = t.unknown || name == ""
		t.written[name] = true
	case catalog.OutboxWrite:
		t.written[name] = true
	case catalog.Read:
		t.unknown = t.unknown || name == ""
		t.read[name] = true
	}
}
