package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// private: the row was made on the way, and nobody was told of it since, so that no other
// message can be about it.
func (w *Ways) private(way *Way, o *effect.Overwrite) bool {
	return slices.ContainsFunc(o.Compared, func(c sqltext.Column) bool {
		return c.Op == "=" && c.Param > 0 && way.makes(o.ComparedWith(c))
	}) && !slices.ContainsFunc(way.Path, w.publishesBefore)
}

// publishesBefore reports whether something is published before a call, in its function.
func (w *Ways) publishesBefore(l Level) bool {
	g := newReaching(l.Func)
	return slices.ContainsFunc(l.Func.Nodes, func(n *effect.Node) bool {
		return n != nil && n != l.Node && n.Kind <= effect.NodeDefer && g.before(n, l.Node) && reachesBy(w.prog, n, effect.Publishes)
	})
}

// makes: a key is made anew on the way, or is what an insert there handed back.
func (w *Way) makes(key *effect.Lineage) bool {
	from := w.from.Within(w.calls(), key) &^ effect.FromConst
	if from == effect.FromFresh {
		return true
	}
	reads := w.Reads(key)
	return from&(effect.FromElsewhere|effect.FromMessage) == 0 && len(reads) > 0 && !slices.ContainsFunc(reads, func(r effect.Read) bool {
		s := r.Statement
		return s == nil || s.Verb != sqltext.VerbInsert || s.Conflict != sqltext.ConflictNone && s.Conflict != sqltext.ConflictNothing
	})
}
