package checkthenact

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// What is remembered of claims whose answer is lost.
const (
	// unread: a claim succeeded, and nobody looks whether a row went in.
	unread flow.Bits = 1 << iota
	// violated: an insert met a row in this transaction.
	violated
)

// lost follows the inserts of one function: those of which nobody reads what they
// tell, and those that break their transaction.
type lost struct {
	f       *effect.Func
	d       *effect.Dedupe
	claims  map[*effect.Node]bool
	inserts map[*effect.Node]bool
}

// claims tells of claims whose answer is lost.
func (c *checker) claims(f *effect.Func) {
	r := lost{f: f, d: c.d, claims: map[*effect.Node]bool{}, inserts: map[*effect.Node]bool{}}
	for _, n := range f.Nodes {
		if n == nil || n.Kind != effect.NodeCall || len(n.Effects) != 1 {
			continue
		}
		switch e := &n.Effects[0]; {
		case e.Kind == catalog.Write && e.Claims() && n.Unread && c.dedupes(f, e) && !asksAfter(f, n, e.Table):
			r.claims[n] = true
		case postgres(n) && e.Op == catalog.Insert && c.d.AsksKind(f, n):
			r.inserts[n] = true
		}
	}
	if len(r.claims)+len(r.inserts) == 0 {
		return
	}
	w := flow.NewWalker(c.p, r)
	stories := w.From(f.Symbol)
	for i := range stories {
		c.report(tellClaim(c.p, &stories[i]))
	}
}

// asksAfter: the row is read again behind the claim, and tells what became of it.
func asksAfter(f *effect.Func, claim *effect.Node, table string) bool {
	return slices.ContainsFunc(f.Nodes, func(n *effect.Node) bool {
		return n != nil && n.ID > claim.ID && slices.ContainsFunc(n.Effects, func(e effect.Effect) bool { return e.Kind == catalog.Read && e.Table == table })
	})
}

// dedupes reports whether the row of an insert does nothing but say that a message
// was handled: by its columns, and where no handler reaches it by its name too.
func (c *checker) dedupes(f *effect.Func, e *effect.Effect) bool {
	s := e.Statement
	if len(s.Set) == 0 || len(s.Set) > 5 || s.Partial {
		return false
	}
	for _, col := range s.Set {
		if !marks(col.Name) {
			return false
		}
	}
	return recordName(s.Table) || len(s.Set) <= 3 && c.p.Handling[f.Symbol] && c.d.Keyed(f, e.LineageOf(s.Set[0]))
}

func recordName(table string) bool {
	name := strings.ReplaceAll(table, "_", "")
	return slices.ContainsFunc([]string{"processed", "inbox", "dedup", "idempot", "seenevent", "seenmessage", "handledevent", "handledmessage", "consumedmessage", "consumedevent"}, func(w string) bool {
		return strings.Contains(name, w)
	})
}

// marks: an id, a name of who handled it, a time.
func marks(column string) bool {
	for _, suffix := range []string{"id", "key", "uuid", "hash", "_at", "time", "timestamp", "consumer", "handler", "topic", "source", "type", "partition", "offset", "name", "group"} {
		if strings.HasSuffix(column, suffix) {
			return true
		}
	}
	return false
}

// postgres: a failed statement aborts the transaction there.
func postgres(n *effect.Node) bool {
	return n.Entry != nil && (strings.HasPrefix(n.Entry.Library, "pgx") || n.Entry.Library == "pgconn" || n.Entry.Library == "go-pg")
}

// Apply runs one effect that succeeded.
func (r lost) Apply(p *flow.Path, ev flow.Event) {
	if ev.Tx >= 0 && p.Txs[ev.Tx].Has(violated) {
		p.Pair(claimIgnored+"/aborted", ev.Tx, violated, true)
	}
	e := ev.Effect
	switch {
	case r.claims[ev.Node]:
		p.Set(unread)
	case e.Kind == catalog.Write && !e.Cache && again(e), e.Kind == catalog.SideEffect:
		p.Pair(claimIgnored, -1, unread, true)
	}
}

// Failed remembers that an insert met a row.
func (r lost) Failed(p *flow.Path, ev flow.Event) {
	if ev.Tx >= 0 && r.inserts[ev.Node] && ev.Effect.Statement != nil && ev.Effect.Statement.Verb == sqltext.VerbInsert {
		p.SetTx(ev.Tx, violated)
	}
}

// Commit and Rollback change nothing here.
func (lost) Commit(*flow.Path, int) {}

// Rollback gives the transaction up.
func (lost) Rollback(*flow.Path, int) {}

// Visits says that the function of the inserts is looked at call by call.
func (r lost) Visits(f *effect.Func) bool { return f == r.f }

// Before needs nothing.
func (lost) Before(*flow.Path, *effect.Node) {}

// After: a function that the caller gives is what it wants to have done once.
func (r lost) After(p *flow.Path, n *effect.Node) {
	if n.HandsOn() && !r.d.Known(r.f, n) && !r.d.Idle(r.f, n) {
		p.Pair(claimIgnored, -1, unread, true)
	}
}
