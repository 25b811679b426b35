package earlyack

import (
	"fmt"
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// The stories.
const (
	beforeEffect = "before-effect"
	autoAck      = "auto-ack"
	onFailure    = "on-failure"
	outOfOrder   = "out-of-order"
	// madeUp is no finding: it says that a failure is no end of the delivery.
	madeUp = "made-up"
	// worked is none: it says that there was an effect before an ack, and before which.
	worked = "worked"
)

// What is remembered of a path, which is that of one delivery.
const (
	// received: the delivery was read in this function.
	received flow.Bits = 1 << iota
	// acked: it was acked.
	acked
	// applied: something durable came of it.
	applied
	// failed: an effect failed, and nothing has made up for it.
	failed
	// swallowed: a function that met the failure returned as if it had not.
	swallowed
	// refused: the delivery was given back, or put elsewhere.
	refused
	// auto: a library has acked the delivery.
	auto
	// stored: the delivery is kept in a row, and whoever looks at that goes on.
	stored
	// handed: the delivery was left to a goroutine or a channel, and nobody has
	// waited for it.
	handed
	// spawned: the same for a goroutine, which may ack it itself.
	spawned
	// kept: the same for a list in memory.
	kept
)

// left: the delivery is with others in the process.
const left = handed | spawned | kept

// What is remembered of a transaction that is open.
const (
	// written: it has a write in it.
	written flow.Bits = 1 << (16 + iota)
	// settled: the delivery is acked if it commits.
	settled
)

type rule struct {
	p    *effect.Program
	from *effect.Provenance
	d    *effect.Dedupe
	// early are the receives whose deliveries are acked by then.
	early map[*effect.Node]bool
}

// Apply runs one effect that succeeded.
func (r rule) Apply(p *flow.Path, ev flow.Event) {
	switch ev.Effect.Kind {
	case catalog.Receive:
		p.Reset()
		p.Recovered()
		p.Set(received)
		if h := r.p.Handlers[ev.Func.Symbol]; r.early[ev.Node] || h.Early && h.Ack == effect.AckAuto {
			p.Set(auto)
		}
	case catalog.Ack:
		ack(p, ev)
	case catalog.Nack, catalog.Requeue:
		p.Clear(failed | swallowed)
		p.Set(refused)
	case catalog.Write, catalog.OutboxWrite, catalog.Publish, catalog.SideEffect:
		r.effect(p, ev)
	}
}

// ack settles the delivery. After a failure for which nothing has made up, it
// loses the message.
func ack(p *flow.Path, ev flow.Event) {
	p.Mark(fmt.Sprintf("%s at %s:%d", worked, ev.Node.Pos.File, ev.Node.Pos.Line), applied)
	if ev.Async && ev.Effect.Broker == "kafka" {
		p.Pair(outOfOrder, -1, spawned, false)
	}
	switch {
	case p.Has(refused | applied):
	case p.Expected():
		p.Silent("the failure is one that the code knows: there is nothing to try again")
	case p.Has(swallowed):
		p.Blame(onFailure, swallowed, false)
	case p.Has(failed):
		p.Blame(onFailure, failed, true)
	case p.Has(kept):
		p.Blame(beforeEffect, kept, false)
	case p.Has(handed):
		p.Pair(beforeEffect, -1, handed, false)
	case p.Has(spawned) && !ev.Async:
		p.Pair(beforeEffect, -1, spawned, false)
	}
	p.Clear(failed | swallowed | left)
	switch {
	case ev.Tx >= 0:
		p.SetTx(ev.Tx, settled)
	case ev.Tx == flow.InPool:
		p.Set(acked)
	}
}

func (r rule) effect(p *flow.Path, ev flow.Event) {
	insert := ev.Effect.Kind == catalog.OutboxWrite || ev.Effect.Kind == catalog.Write && (ev.Effect.Op == catalog.Insert || ev.Effect.Op == catalog.Upsert)
	if insert && ev.Tx < 0 && !p.Has(acked|auto) {
		p.Set(stored)
	}
	if ev.Effect.Cache {
		return
	}
	if ev.Node.Dropped && ev.Node.ErrResult && ev.Node.Kind == effect.NodeCall {
		p.Silent("nobody looks at its error")
		return
	}
	if ev.Tx >= 0 && ev.Effect.Kind != catalog.Publish {
		p.SetTx(ev.Tx, written)
		return
	}
	if ev.Effect.Kind != catalog.Publish || ev.Effect.Confirm != "none" {
		r.lasts(p)
	}
	applies(p)
}

// lasts: what happens now is lost if the process ends after an ack before it.
func (r rule) lasts(p *flow.Path) {
	switch {
	case p.Has(stored) && p.Has(acked):
		p.Silent("the message was stored before it was acked")
	default:
		p.Pair(beforeEffect, -1, acked, true)
		p.Pair(autoAck, -1, auto, true)
	}
}

func applies(p *flow.Path) {
	p.Blame(madeUp, failed, true)
	p.BlameWell(madeUp, swallowed) // what answers another failure makes up for none that was hidden
	p.Clear(failed | swallowed)
	p.Set(applied)
}

// Failed remembers an effect that did not come about.
func (r rule) Failed(p *flow.Path, ev flow.Event) {
	switch ev.Effect.Kind {
	case catalog.Write, catalog.OutboxWrite, catalog.Publish, catalog.SideEffect:
		if !ev.Effect.Cache && !p.Has(applied|acked) {
			p.Set(failed)
		}
	case catalog.Commit:
		if ev.Tx >= 0 && p.Txs[ev.Tx].Has(written) && !p.Has(applied|acked) {
			p.Set(failed)
		}
	}
}

// Sent: what was acked, or is acked by itself, is lost with the process while it
// waits in a channel or a list.
func (r rule) Sent(p *flow.Path, f *effect.Func, n *effect.Node) {
	reads := r.p.Reads(n)
	if n.Kind == effect.NodeKeep && (!reads || r.from.Of(f, n.Holder).Has(effect.FromMessage)) || !r.delivers(f, n) {
		return
	}
	p.Pair(beforeEffect, -1, acked, true)
	p.Pair(autoAck, -1, auto, false)
	switch {
	case reads && n.Kind == effect.NodeKeep:
		p.Set(kept)
	case reads:
		p.Set(handed)
	}
}

// Took: what happened before was another delivery's, or none's.
func (rule) Took(p *flow.Path) {
	p.Recovered()
	p.Clear(failed | swallowed | acked | applied | stored | left)
}

// Spawned: a goroutine has effects that nobody waits for.
func (r rule) Spawned(p *flow.Path, f *effect.Func, n *effect.Node, kinds effect.Kinds) {
	if !r.delivers(f, n) || kinds&(effect.Writes|effect.Publishes|effect.Outboxes|effect.Outside) == 0 && r.p.Caches(f, n) {
		return
	}
	if kinds&(effect.Writes|effect.Publishes|effect.Outboxes) != 0 {
		p.Pair(beforeEffect, -1, acked, true)
	}
	p.Set(spawned)
}

// Entered: a library that calls a handler may have acked what it gives it.
func (r rule) Entered(p *flow.Path, f *effect.Func) {
	if h, ok := r.p.Handlers[f.Symbol]; ok && h.Early && h.Ack == effect.AckAuto && h.Receive == nil && h.Way != effect.ByLoop {
		p.Set(auto)
	}
}

// Waited: what was handed on may be done.
func (rule) Waited(p *flow.Path) { p.Clear(left) }

// Called: a function that is given by others and can fail has an effect, whatever
// it is.
func (r rule) Called(p *flow.Path, f *effect.Func, n *effect.Node) {
	if n.ErrResult && r.delivers(f, n) {
		p.Pair(autoAck, -1, auto, true)
	}
}

// delivers: the delivery is among what a node is given.
func (r rule) delivers(f *effect.Func, n *effect.Node) bool {
	return r.from.Given(f, n).Has(effect.FromMessage)
}

// Returned: a function that returns no error after a failure hides it.
func (r rule) Returned(p *flow.Path, f *effect.Func, err effect.Outcome) {
	if p.Expected() {
		p.Clear(failed | swallowed)
	}
	if p.Local&received != 0 { // what it took, it has settled
		p.Clear(received | acked | refused | auto | left | stored)
	}
	if err == effect.Yes || err == effect.Unknown && f.ErrResult >= 0 {
		return
	}
	if f.ErrResult < 0 && r.tellsOtherwise(f) {
		return
	}
	if p.Local&failed != 0 && p.Astray() {
		p.Own(failed, swallowed, counts)
	}
	if err == effect.No || f.ErrResult < 0 {
		p.Clear(failed)
	}
	h, handles := r.p.Handlers[f.Symbol]
	handles = handles && h.Ack == effect.AckReturn && f.ErrResult == 0 && len(f.Returns) == 1
	if handles && !p.Has(refused|acked) {
		p.Blame(beforeEffect, handed, false)
		p.Blame(beforeEffect, kept, false)
		p.Blame(beforeEffect, spawned, false)
	}
	if p.Local&swallowed == 0 || p.Has(refused|applied|acked) {
		return
	}
	if handles {
		p.Blame(onFailure, swallowed, false)
	}
	if r.p.Settles(f) {
		p.Clear(swallowed) // it has not acked
	}
}

// tellsOtherwise: a deferred literal tells of a failure by a variable of its parent,
// and so does a function that is given the place of an error.
func (r rule) tellsOtherwise(f *effect.Func) bool {
	if _, ok := r.p.Handlers[f.Symbol]; ok {
		return false
	}
	if parent := r.p.Funcs[f.Parent]; parent != nil && slices.ContainsFunc(parent.Nodes, func(n *effect.Node) bool {
		return n != nil && n.Kind == effect.NodeDefer && n.Static == f.Symbol
	}) {
		return true
	}
	return slices.ContainsFunc(f.Params, func(q effect.Param) bool { return q.Type == "error" })
}

// counts: the loss of what fails loses something.
func counts(w flow.Witness) bool { return !w.Journal() && !w.Telemetry() }

// NextRound: where an ack passes all that was read before, reading on after a
// failure drops it, unless the delivery is in a list for another time.
func (r rule) NextRound(p *flow.Path, f *effect.Func, broker string) {
	none := r.p.Handlers[f.Symbol].Ack == effect.AckNone
	if broker == "kafka" && !none && !p.Has(refused|applied|acked|auto) && !p.Expected() && !p.Appended() {
		if p.Local&failed != 0 && p.Astray() {
			p.Own(failed, swallowed, counts)
		}
		p.Blame(onFailure, swallowed, false)
	}
	p.Clear(failed | swallowed)
}

// Commit makes writes durable.
func (r rule) Commit(p *flow.Path, tx int) {
	if p.Txs[tx].Has(written) {
		r.lasts(p)
		applies(p)
	}
	if p.Txs[tx].Has(settled) {
		p.Move(tx, settled, acked)
	}
}

// Rollback undoes what the delivery has done.
func (rule) Rollback(p *flow.Path, _ int) { p.Clear(applied) }

// Passes are the bits that change what a callee's effects mean.
func (rule) Passes() flow.Bits {
	return acked | applied | failed | swallowed | refused | received | auto | left | stored
}

// OneRound are the bits that hold for one delivery of a batch.
func (rule) OneRound() flow.Bits { return acked | refused | left | stored }

// KnowsKinds: what the code does about an error it knows is meant.
func (rule) KnowsKinds() {}

// Keeps nothing: what a callee does counts.
func (rule) Keeps(*effect.Func, flow.Bits, bool) flow.Bits { return 0 }

// Ignores: telemetry is nothing that happens to a delivery.
func (rule) Ignores(f *effect.Func) bool { return flow.Measures(f) }

// Answers are none.
func (rule) Answers() flow.Bits { return 0 }

// Answered are none.
func (rule) Answered(flow.Bits) flow.Bits { return 0 }

// Nearest: of two failures the last is the one that nothing makes up for.
func (rule) Nearest() flow.Bits { return failed }

// OnError: a call that succeeds has met no failure that it tells of.
func (rule) OnError() flow.Bits { return failed }

// Each are the bits of which each place counts.
func (rule) Each() flow.Bits { return failed | swallowed }

// Durable are the bits of what lasts.
func (rule) Durable() flow.Bits { return applied | refused }

// Names are the words for what is remembered.
func (rule) Names() map[flow.Bits]string {
	return map[flow.Bits]string{
		received:  "a delivery",
		acked:     "an ack",
		applied:   "an effect",
		failed:    "an effect that failed",
		swallowed: "a failure that was not returned",
		refused:   "a delivery that was given back",
		auto:      "an ack by the library",
		handed:    "a delivery that was left to others",
		spawned:   "a delivery that was left to a goroutine",
		kept:      "a delivery that is in memory",
		stored:    "a stored row",
		written:   "a write",
		settled:   "an ack",
	}
}
