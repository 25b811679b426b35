package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Guarded says what on a way makes a second delivery harmless, "" for nothing that
// is seen: a branch on stored state that leaves before the effect, a claim or
// record of the delivery beside it, a function that refuses. It also looks at what
// calls the handler. Where one of several implementations guards, the way counts as
// guarded.
func (w *Ways) Guarded(way *Way) string {
	if way.Handler.Guarded {
		return guardedAbove
	}
	q := question{plainTable(effectTable(way)), w.changesWhatItReads(way.Path[0].Func)}
	for i := range way.Path {
		if why := w.guardedAt(way, i, q); why != "" {
			return why
		}
	}
	return w.wrapped(way, q)
}

const guardedAbove = "a comment says that what calls it guards"

// question is what is asked of each function on a way.
type question struct {
	// table is the table of the effect, "" if it is not known.
	table string
	// changes: the handler writes what it reads, so that what it asks of the store
	// may have another answer the second time.
	changes bool
}

func effectTable(way *Way) string {
	for _, e := range way.Path[len(way.Path)-1].Node.Effects {
		if isWrite(&e) {
			return e.Table
		}
	}
	return ""
}

func plainTable(s string) string {
	return strings.TrimSuffix(strings.ToLower(strings.ReplaceAll(s, "_", "")), "s")
}

// guardedAt looks at one function of the way.
func (w *Ways) guardedAt(way *Way, i int, q question) string {
	l := way.Path[i]
	if namesDedupe(l.Func.Name) {
		return "by its name " + l.Func.Name + " dedupes"
	}
	g := newReaching(l.Func)
	at := g.blockOf(l.Node)
	upper := Way{way.Handler, way.Path[:i+1], way.from}
	if fork := w.asked(&upper, g, at, q.changes); fork != nil {
		return fmt.Sprintf("the branch at line %d of %s asks what is stored and leaves before it", fork.Pos.Line, l.Func.Name)
	}
	for _, n := range l.Func.Nodes {
		if n == nil || n == l.Node || n.Kind > effect.NodeDefer || !g.together(n, l.Node) {
			continue
		}
		if why := w.dedupes(l.Func, n, q.table, 5); why != "" {
			return why
		}
		if q.changes && g.before(n, l.Node) && w.refuses(l.Func, n, 4) {
			return n.Text + " may refuse it"
		}
	}
	return ""
}

// asked: a branch on stored state, or on what some call says of it, leaves before
// the block, on the side on which what was asked for is there.
func (w *Ways) asked(way *Way, g *reaching, at int, changes bool) *effect.Fork {
	return g.leaves(at, func(f *effect.Fork) bool {
		s := way.Sources(f.From)
		return knows(f, s) && (changes || !s.Has(effect.FromStored))
	})
}

// knows: the answer comes from a store, or from a call or map that the message was
// looked up in.
func knows(a *effect.Fork, s effect.Sources) bool {
	return s.Has(effect.FromStored) || a.Looked && s.Has(effect.FromMessage|effect.FromElsewhere)
}

// refuses: a function returns an error of its own on a branch on stored state.
func (w *Ways) refuses(f *effect.Func, n *effect.Node, depth int) bool {
	if depth == 0 || n.Entry != nil {
		return false
	}
	return slices.ContainsFunc(w.below(f, n), func(g *effect.Func) bool { return w.refusesIn(g, depth) })
}

func (w *Ways) refusesIn(g *effect.Func, depth int) bool {
	if got, ok := w.refusing[g.Symbol]; ok {
		return got
	}
	w.refusing[g.Symbol] = false
	if w.stores.IdleFunc(g.Symbol) {
		return false // it decodes, or looks whether what it is given is well-formed
	}
	out := failsWhere(g, func(f *effect.Fork) bool {
		s := w.from.Of(g, f.From)
		return knows(f, s) && !expires(f, s)
	})
	for _, n := range g.Nodes {
		if !out && n != nil && n.Kind == effect.NodeCall && n.ErrResult {
			out = w.refuses(g, n, depth-1)
		}
	}
	w.refusing[g.Symbol] = out
	return out
}

// expires: what is asked is whether something stored is too old by the clock,
// which is the same for the first delivery and the second.
func expires(a *effect.Fork, s effect.Sources) bool { return a.Ordered && s.Has(effect.FromFresh) }

// failsWhere reports whether a function fails by itself on a branch that is asked for, on the
// side on which something was found.
func failsWhere(g *effect.Func, asks func(*effect.Fork) bool) bool {
	for i := range g.Blocks {
		b := &g.Blocks[i]
		if b.Fork == nil || len(b.Succs) != 2 || !asks(b.Fork) {
			continue
		}
		for side, to := range b.Succs {
			if (b.Fork.Found == effect.SideEither || int(b.Fork.Found)-1 == side) && failsAt(g, to) {
				return true
			}
		}
	}
	return false
}

// failsAt: the block returns an error that is made there, or a no.
func failsAt(f *effect.Func, block int) bool {
	for range 4 {
		b := &f.Blocks[block]
		for _, id := range b.Nodes {
			if n := f.Nodes[id]; n != nil && n.Kind == effect.NodeReturn {
				return n.Err.Const == effect.Yes
			}
		}
		if len(b.Succs) != 1 {
			return false
		}
		block = b.Succs[0]
	}
	return false
}

// dedupes says what in a call and below it records or claims the delivery.
func (w *Ways) dedupes(f *effect.Func, n *effect.Node, table string, depth int) string {
	if namesDedupe(n.Text) || namesDedupe(n.Static) {
		return "by its name " + n.Text + " dedupes"
	}
	for i := range n.Effects {
		if w.claims(f, &n.Effects[i], table) {
			return n.Text + " records or claims the delivery"
		}
	}
	if depth == 0 || n.Entry != nil && len(n.Effects) == 0 {
		return ""
	}
	for _, g := range w.below(f, n) {
		if w.dedupesIn(g, table, depth-1) {
			return n.Text + " dedupes"
		}
	}
	return ""
}

func (w *Ways) dedupesIn(g *effect.Func, table string, depth int) bool {
	key := g.Symbol + "#" + table
	if got, ok := w.deduping[key]; ok {
		return got
	}
	w.deduping[key] = false
	out := slices.ContainsFunc(g.Nodes, func(n *effect.Node) bool {
		return n != nil && n.Kind <= effect.NodeDefer && w.dedupes(g, n, table, depth) != ""
	})
	w.deduping[key] = out
	return out
}

// claims: a statement that a second delivery fails at or that tells it, and a
// delete of the rows that the effect inserts anew.
func (w *Ways) claims(f *effect.Func, e *effect.Effect, table string) bool {
	same := plainTable(e.Table) == table && table != ""
	switch {
	case e.Kind == catalog.Dedupe:
		return true
	case e.Kind != catalog.Write:
		return false
	case namesDedupe(e.Table) && e.Op != catalog.Delete:
		return true
	case e.Op == catalog.Delete:
		return same
	case e.Op == catalog.Conditional:
		return !same
	case e.Op == catalog.Upsert && e.Statement != nil:
		return !same && e.Statement.Conflict == sqltext.ConflictNothing
	case e.Op == catalog.Insert:
		return w.unique(f, e)
	}
	return false
}

// unique: an insert that fails the second time.
func (w *Ways) unique(f *effect.Func, e *effect.Effect) bool {
	return w.prog.Unique(e, asker{w.from, f})
}

// asker answers for all callers of a function.
type asker struct {
	from *effect.Provenance
	f    *effect.Func
}

func (a asker) Sources(o *effect.Lineage) effect.Sources { return a.from.Of(a.f, o) }

func (a asker) Sums(*effect.Lineage) []effect.Sum { return nil }

// wrapped looks at what calls the handler, and what that calls beside it.
func (w *Ways) wrapped(way *Way, q question) string {
	return w.above(way, func(upper *Way) string { return w.guardedAt(upper, 0, q) })
}

// GuardedAbove reports whether anything on the ways from handlers to a function asks
// what is stored, or dedupes. It is a may, and looks at no table.
func (w *Ways) GuardedAbove(f *effect.Func) bool {
	q := question{changes: true}
	top := &Way{Path: []Level{{Func: f}}, from: w.from}
	return w.above(top, func(upper *Way) string {
		if namesDedupe(upper.Path[0].Node.Text) {
			return ""
		}
		return w.guardedAt(upper, 0, q)
	}) != ""
}

// above asks of each call on the ways up from the handler of a way, until there is an
// answer.
func (w *Ways) above(way *Way, ask func(upper *Way) string) string {
	seen := map[string]bool{}
	work := []*effect.Func{way.Path[0].Func}
	for len(work) > 0 && len(seen) < 40 {
		f := work[0]
		work = work[1:]
		if seen[f.Symbol] {
			continue
		}
		seen[f.Symbol] = true
		for _, c := range w.callers(f) {
			if why := ask(&Way{way.Handler, []Level{c}, way.from}); why != "" {
				return why
			}
			work = append(work, c.Func)
		}
	}
	return ""
}

// namesDedupe tells by its name what keeps deliveries from being applied twice.
func namesDedupe(name string) bool {
	l := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	for _, word := range []string{"dedup", "idempot", "inbox", "alreadyproc", "isprocessed", "markprocessed", "isduplicate", "processedevent", "processedmessage", "processonce", "runonce", "executeonce"} {
		if strings.Contains(l, word) {
			return true
		}
	}
	return false
}
