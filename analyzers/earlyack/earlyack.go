package earlyack

import (
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// The stories.
const (
	beforeEffect = "before-effect"
	onFailure    = "on-failure"
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
)

type rule struct{ p *effect.Program }

// Apply runs one effect that succeeded.
func (r rule) Apply(p *flow.Path, ev flow.Event) {
	switch ev.Effect.Kind {
	case catalog.Receive:
		p.Reset()
		p.Set(received)
	case catalog.Ack:
		ack(p)
	case catalog.Nack, catalog.Requeue:
		p.Clear(failed | swallowed)
		p.Set(refused)
	case catalog.Write, catalog.OutboxWrite, catalog.Publish:
		r.effect(p, ev)
	}
}

// ack settles the delivery. After a failure for which nothing has made up, it
// loses the message.
func ack(p *flow.Path) {
	switch {
	case p.Has(refused | applied):
	case p.Expected():
		p.Silent("the failure is one that the code knows: there is nothing to try again")
	case p.Local&swallowed != 0:
		p.Blame(onFailure, swallowed)
	case p.Local&failed != 0:
		p.Blame(onFailure, failed)
	}
	p.Set(acked)
}

func (r rule) effect(p *flow.Path, ev flow.Event) {
	if ev.Effect.Cache {
		return
	}
	if ev.Node.Dropped && ev.Node.ErrResult && ev.Node.Kind == effect.NodeCall {
		p.Silent("nobody looks at its error")
		return
	}
	if ev.Effect.Kind != catalog.Publish || ev.Effect.Confirm != "none" {
		p.Pair(beforeEffect, -1, acked, true)
	}
	p.Clear(failed | swallowed)
	p.Set(applied)
}

// Failed remembers an effect that did not come about.
func (r rule) Failed(p *flow.Path, ev flow.Event) {
	switch ev.Effect.Kind {
	case catalog.Write, catalog.OutboxWrite, catalog.Publish:
		if !ev.Effect.Cache && !p.Has(applied|acked) {
			p.Set(failed)
		}
	}
}

// Returned: a function that returns no error after a failure hides it.
func (r rule) Returned(p *flow.Path, f *effect.Func, err effect.Outcome) {
	if p.Expected() {
		p.Clear(failed | swallowed)
	}
	if p.Local&received != 0 { // what it took, it has settled
		p.Clear(received | acked | refused)
	}
	if err == effect.Yes || err == effect.Unknown && f.ErrResult >= 0 || p.Local&failed == 0 {
		return
	}
	p.Own(failed, swallowed)
	if h, ok := r.p.Handlers[f.Symbol]; ok && h.Ack == "return" && f.ErrResult == 0 && len(f.Returns) == 1 && !p.Has(refused|applied|acked) {
		p.Blame(onFailure, swallowed)
	}
}

// NextRound: where an ack passes all that was read before, reading on after a
// failure drops it.
func (r rule) NextRound(p *flow.Path, f *effect.Func, broker string) {
	if broker != "kafka" || p.Has(refused|applied|acked) || p.Expected() {
		return
	}
	switch {
	case p.Local&swallowed != 0:
		p.Blame(onFailure, swallowed)
	case p.Local&failed != 0:
		p.Own(failed, swallowed)
		p.Blame(onFailure, swallowed)
	}
}

// Commit makes writes durable.
func (rule) Commit(p *flow.Path, tx int) {}

// Rollback undoes what the delivery has done.
func (rule) Rollback(p *flow.Path, _ int) { p.Clear(applied) }

// Passes are the bits that change what a callee's effects mean.
func (rule) Passes() flow.Bits { return acked | applied | failed | swallowed | refused | received }

// OneRound are the bits that hold for one delivery of a batch.
func (rule) OneRound() flow.Bits { return acked | refused }

// KnowsKinds: what the code does about an error it knows is meant.
func (rule) KnowsKinds() {}

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
	}
}
