package publishoutsidetx

import (
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// Name is the rule's name.
const Name = "publishoutsidetx"

// The stories.
const (
	afterCommit = "after-commit"
	dualWrite   = "dual-write"
	insideTx    = "inside-tx"
	beforeWrite = "before-write"
	outsideTx   = "outbox-outside-tx"
)

// What is remembered of a path.
const (
	// wrote: a write outside any transaction has succeeded.
	wrote flow.Bits = 1 << iota
	// committed: a transaction with a write in it has committed.
	committed
	// published: a message is on the broker and nothing was written before it.
	published
	// outboxed: an event row was stored, so a later publish is only a wake-up.
	outboxed
	// relaying: rows of an outbox were read or claimed.
	relaying
)

// What is remembered of an open transaction.
const (
	txWrote flow.Bits = 1 << (16 + iota)
	txPublished
	txOutboxed
)

type rule struct{}

// Apply runs one effect.
func (rule) Apply(p *flow.Path, ev flow.Event) {
	switch ev.Effect.Kind {
	case catalog.Write:
		write(p, ev)
	case catalog.OutboxWrite:
		outboxWrite(p, ev)
	case catalog.Publish:
		publish(p)
	case catalog.Read:
		if ev.Effect.SkipLocked || isOutbox(ev) {
			p.Set(relaying)
		}
	}
}

func write(p *flow.Path, ev flow.Event) {
	if ev.Effect.Op == "outbox-mark" {
		p.Set(relaying)
		p.Clear(published)
		return
	}
	switch {
	case ev.Tx >= 0:
		p.Pair(insideTx, ev.Tx, txPublished, true)
		p.SetTx(ev.Tx, txWrote)
	case ev.Tx == flow.InPool:
		p.Set(wrote)
	default:
		return
	}
	if p.Has(published) && !p.Has(relaying) {
		p.Pair(beforeWrite, -1, published, true)
	}
}

func outboxWrite(p *flow.Path, ev flow.Event) {
	if ev.Tx >= 0 {
		p.SetTx(ev.Tx, txOutboxed)
	} else if ev.Tx == flow.InPool {
		for i := range p.Txs {
			if p.Txs[i].Has(txWrote) {
				p.Pair(outsideTx, i, txWrote, false)
			}
		}
		p.Pair(outsideTx, -1, committed, false)
	}
	p.Set(outboxed)
}

func publish(p *flow.Path) {
	if p.Has(relaying | outboxed) {
		return
	}
	found := false
	for i := range p.Txs {
		if p.Txs[i].Has(txOutboxed) {
			continue
		}
		if p.Txs[i].Has(txWrote) {
			p.Pair(insideTx, i, txWrote, false)
			found = true
			continue
		}
		p.SetTx(i, txPublished)
	}
	switch {
	case p.Has(committed):
		p.Pair(afterCommit, -1, committed, false)
	case p.Has(wrote) && !found:
		p.Pair(dualWrite, -1, wrote, false)
	case !found && len(p.Txs) == 0:
		p.Set(published)
	}
}

// Commit makes the writes of a transaction durable.
func (rule) Commit(p *flow.Path, tx int) {
	t := &p.Txs[tx]
	if t.Has(txOutboxed) {
		p.Set(outboxed)
	}
	if t.Has(txWrote) {
		p.Set(committed)
	}
}

// Rollback undoes them.
func (rule) Rollback(*flow.Path, int) {}

func isOutbox(ev flow.Event) bool {
	return ev.Effect.Statement != nil && ev.Effect.NamesOutbox()
}
