package checkthenact

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// The stories.
const (
	checkOutside  = "check-outside-tx"
	recordOutside = "record-outside-tx"
	markBefore    = "mark-before-effect"
	volatile      = "volatile-store"
	claimIgnored  = "claim-ignored"
)

// What is remembered of a path, and of its transactions.
const (
	// asked: the store was looked into; outside any transaction, or in this one.
	asked flow.Bits = 1 << iota
	// claimed: it was written to before the gate was passed.
	claimed
	// passed: the delivery is new, by what was read outside any transaction.
	passed
	// applied: the effect is durable, or is once the transaction commits, and a
	// second time it does something again.
	applied
	// changed: the same of any effect.
	changed
	// recorded: the store knows of the delivery.
	recorded
	// noted: it does by an update that would do the same a second time.
	noted
)

// rule follows one gate: the deliveries that pass it, their effects and the record
// of them.
type rule struct {
	p      *effect.Program
	d      *effect.Dedupe
	from   *effect.Provenance
	gate   *effect.Gate
	stores []effect.Touch
}

func (c *checker) rule(g *effect.Gate) rule {
	return rule{c.p, c.d, c.from, g, slices.Concat(g.Lookups, g.Claims)}
}

// claimsOutside: SETNX and its like are for nothing but a claim.
func (r rule) claimsOutside() bool { return claimsOutside(r.gate) }

func (r rule) same(t *effect.Touch) bool {
	return slices.ContainsFunc(r.stores, func(s effect.Touch) bool { return s.Same(t) })
}

// Apply runs one effect that succeeded.
func (r rule) Apply(p *flow.Path, ev flow.Event) {
	e := ev.Effect
	t, ok := effect.TouchOf(ev.Func, ev.Node, e)
	mine := ok && r.same(&t)
	if mine && ev.Tx == flow.InPool && !ev.Sure && e.Statement != nil && ev.Node.Iface != "" {
		ev.Tx = flow.InParam // a handle that somebody put there: it may be a transaction
	}
	switch {
	case e.Kind == catalog.Read && mine:
		set(p, ev.Tx, asked)
	case mine:
		r.record(p, ev.Tx, t.Op != effect.Remembers || e.Conditional)
	case e.Kind == catalog.Write && (e.Cache || e.Op == effect.OutboxMark):
	case e.Kind == catalog.Write, e.Kind == catalog.OutboxWrite:
		act(p, ev.Tx, r.again(ev))
	case e.Kind == catalog.SideEffect:
		act(p, flow.InPool, true)
	case e.Kind == catalog.Publish:
		act(p, flow.InPool, r.claimsOutside())
	}
}

// Keyed runs what is done to a store that is not the database.
func (r rule) Keyed(p *flow.Path, ev flow.Event) {
	t := effect.KeyedTouch(ev.Func, ev.Node)
	if !r.same(&t) {
		return
	}
	switch t.Op {
	case effect.Recalls:
		set(p, flow.InPool, asked)
	case effect.Remembers, effect.Claims, effect.Scripts:
		r.record(p, flow.InPool, true)
	}
}

// Missed: that nothing is found may be an error.
func (r rule) Missed(p *flow.Path, ev flow.Event) {
	if ev.Node.Keyed.Op == effect.Recalls {
		r.Keyed(p, ev)
	}
}

// Failed is the same of a table.
func (r rule) Failed(p *flow.Path, ev flow.Event) {
	if ev.Effect.Kind == catalog.Read {
		r.Apply(p, ev)
	}
}

func set(p *flow.Path, tx int, b flow.Bits) {
	if tx >= 0 {
		p.SetTx(tx, b)
	} else if tx == flow.InPool {
		p.Set(b)
	}
}

// record: the store learns of the delivery. sure says that a second time would tell.
func (r rule) record(p *flow.Path, tx int, sure bool) {
	b := noted
	if sure {
		b = recorded
	}
	switch {
	case tx >= 0:
		p.SetTx(tx, b)
	case tx == flow.InParam:
	case !p.Has(passed):
		p.Set(claimed)
	default:
		if p.Has(applied) {
			p.Pair(recordOutside, -1, applied, false)
		}
		if sure {
			p.Set(recorded)
		}
	}
}

// act: the delivery has an effect.
func act(p *flow.Path, tx int, again bool) {
	switch {
	case tx >= 0 && again:
		p.SetTx(tx, applied|changed)
	case tx >= 0:
		p.SetTx(tx, changed)
	case tx == flow.InPool && p.Has(passed):
		if p.Has(recorded) {
			p.Pair(markBefore, -1, recorded, true)
		}
		if again {
			p.Set(applied)
		}
	}
}

// again: a second delivery would do it once more, or store a sum of what the first one
// has stored.
func (r rule) again(ev flow.Event) bool {
	if again(ev.Effect) {
		return true
	}
	found := r.p.Repeats(ev.Effect, asker{r.from, []effect.Call{{Func: ev.Func, Node: ev.Node}}})
	return found != nil && found.Kind == effect.RepeatAdd
}

// asker answers what the values at a call are made from.
type asker struct {
	from *effect.Provenance
	at   []effect.Call
}

// Sources is what a value is made from.
func (a asker) Sources(o *effect.Lineage) effect.Sources { return a.from.At(a.at, o) }

// Sums are the sums that a value contains.
func (a asker) Sums(o *effect.Lineage) []effect.Sum { return a.from.SumsAt(a.at, o) }

// again reports whether an effect does something again a second time: what is
// inserted without a word on conflicts, and what is counted up.
func again(e *effect.Effect) bool {
	s := e.Statement
	if s == nil {
		return e.Op == catalog.Insert || e.Kind == catalog.OutboxWrite
	}
	delta := func(c sqltext.Column) bool { return c.From == sqltext.FromDelta }
	switch s.Verb {
	case sqltext.VerbInsert:
		return s.Conflict == sqltext.ConflictNone || slices.ContainsFunc(s.ConflictSet, delta)
	case sqltext.VerbUpdate:
		return slices.ContainsFunc(s.Set, delta) && !e.Conditional
	}
	return false
}

// Commit makes what a transaction did durable.
func (r rule) Commit(p *flow.Path, tx int) {
	t := &p.Txs[tx]
	does, knows := t.Has(changed), t.Has(recorded|noted)
	if !p.Has(passed) {
		switch {
		case t.Has(recorded) && !does:
			p.Set(passed | recorded)
		case t.Has(asked) && t.Has(applied) && !knows:
			p.Set(passed)
			p.Move(tx, applied, applied)
		}
		return
	}
	switch {
	case does && knows:
		if t.Has(applied) && !t.Has(recorded|asked) {
			p.Pair(checkOutside, -1, passed, true)
		}
		p.Clear(passed | applied | recorded)
	case knows:
		if p.Has(applied) {
			p.Pair(recordOutside, -1, applied, false)
		}
		if t.Has(recorded) {
			p.Set(recorded)
		}
	case does:
		if p.Has(recorded) {
			p.Pair(markBefore, -1, recorded, true)
		}
		if t.Has(applied) {
			p.Move(tx, applied, applied)
		}
	}
}

// Rollback undoes it.
func (rule) Rollback(*flow.Path, int) {}

// Visits says that the function of the gate is looked at call by call.
func (r rule) Visits(f *effect.Func) bool { return f == r.gate.Func }

// Before forgets what was asked before the gate.
func (r rule) Before(p *flow.Path, n *effect.Node) {
	if n == r.gate.Node {
		p.Clear(asked | claimed | passed | applied | recorded)
	} else if p.Has(passed) && (r.gate.Form == effect.AsksError || r.gate.Form == effect.AsksKind) {
		p.Recovered() // that nothing was found is no failure
	}
}

// After passes the gate; a function that the caller gives is what it wants to have
// done.
func (r rule) After(p *flow.Path, n *effect.Node) {
	switch {
	case n == r.gate.Node && p.Local&asked != 0:
		p.Clear(asked)
		p.Set(passed)
	case n == r.gate.Node && p.Local&claimed != 0:
		p.Clear(claimed)
		p.Set(passed | recorded)
	case n != r.gate.Node && n.HandsOn() && !r.d.Known(r.gate.Func, n) && !r.d.Idle(r.gate.Func, n):
		act(p, flow.InPool, true)
	}
}

// Names are the words for what is remembered.
func (rule) Names() map[flow.Bits]string {
	return map[flow.Bits]string{
		asked: "a lookup", claimed: "a claim", passed: "a delivery that is new", applied: "an effect",
		changed: "a change", recorded: "a record of the delivery", noted: "a note of the delivery",
	}
}
