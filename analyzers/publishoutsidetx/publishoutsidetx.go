package publishoutsidetx

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
	"github.com/deliverylint/deliverylint/internal/sqltext"
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
	// read: state was read from the database.
	read
	// inserted: a write was an insert that a second delivery would repeat.
	inserted
	// surely: the handle of such a write is known for the pool.
	surely
	// unsent: a publish failed. unsaved: a write failed after a publish.
	unsent
	unsaved
	// acked: the delivery was acked.
	acked
	// hidden: the delivery was acked all the same.
	hidden
	// outside: an outside call was made (mail, HTTP).
	outside
	// claimed: a row that is due was claimed, so a write after the publish marks it.
	claimed
	// announced: a write was followed by a publish.
	announced
	// retorted: a write that failed was answered with a message.
	retorted
)

// What is remembered of an open transaction.
const (
	txWrote flow.Bits = 1 << (20 + iota)
	txPublished
	txOutboxed
	// txLocked: rows were locked before anything else was done.
	txLocked
	// txBeside: while it was open, a write went through the pool.
	txBeside
	// txTried: a write in it has failed, and the failure was passed over, or marks rows that
	// were locked: what is stored beside it tells of that.
	txTried
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
		load(p, ev)
	case catalog.Receive:
		receive(p, ev)
	case catalog.SideEffect:
		p.Set(outside)
	case catalog.Ack:
		if p.Local&(unsent|unsaved) != 0 {
			p.Set(hidden)
		}
		p.Set(acked)
	}
}

// receive begins a new delivery. Where an ack passes all that was read before,
// reading on after a failure drops it.
func receive(p *flow.Path, ev flow.Event) {
	dropped := ev.Effect.Broker == "kafka" && (p.Local|p.Earlier())&(unsent|unsaved) != 0
	p.Reset()
	if dropped {
		p.Set(hidden)
	}
}

func load(p *flow.Path, ev flow.Event) {
	p.Set(read)
	if ev.Effect.SkipLocked || ev.Effect.Statement != nil && ev.Effect.NamesOutbox() {
		p.Set(relaying)
	}
	if ev.Tx >= 0 && ev.Effect.Lock && !p.Txs[ev.Tx].Has(txWrote) {
		p.SetTx(ev.Tx, txLocked)
	}
}

func write(p *flow.Path, ev flow.Event) {
	if ev.Effect.Cache {
		p.Silent("a cache holds no state that an event could tell of")
		return
	}
	if ev.Effect.Op == effect.OutboxMark {
		p.Silent("it marks outbox rows: this is the relay")
		p.Set(relaying)
		p.Clear(published)
		return
	}
	if ev.Effect.SkipLocked && ev.Effect.Op == catalog.Update && ev.Tx == flow.InPool {
		p.Silent("it claims a row that is due: what was not marked is claimed again")
		p.Set(claimed)
		return
	}
	mark := marks(p, ev)
	switch {
	case ev.Tx >= 0 && mark && p.Txs[ev.Tx].Has(txLocked):
		p.SetTx(ev.Tx, txTried)
		p.Silent("it marks rows that were locked: this is the relay")
		return
	case ev.Tx >= 0:
		if !mark {
			p.Pair(insideTx, ev.Tx, txPublished, true)
		}
		p.SetTx(ev.Tx, txWrote)
		p.Recovered()
	case ev.Tx == flow.InPool:
		p.Recovered()
		if ev.Effect.Atomic {
			p.Set(committed)
			break
		}
		p.Set(wrote)
		if !ev.Sure {
			break
		}
		p.Set(surely)
		for i := range p.Txs {
			p.SetTx(i, txBeside)
		}
	default:
		p.Silent("callers decide which transaction it is in")
		return
	}
	if ev.Effect.Op == catalog.Insert && !ev.Effect.Conditional {
		p.Set(inserted)
	}
	if mark && p.Has(published) {
		p.Silent("it records the publish before it")
	}
	if p.Has(published) && !p.Has(relaying|claimed) && !mark {
		p.Pair(beforeWrite, -1, published, true)
	}
}

// marks reports whether a write records that a message was published: by its
// name, or by setting a constant after a check of what was read.
func marks(p *flow.Path, ev flow.Event) bool {
	return ev.Effect.Flag && p.Has(read) || isMark(ev.Func.Name) && !carries(ev.Effect)
}

// carries reports whether an update sets a column that is no mark to a value it
// was given: then it changes state.
func carries(e *effect.Effect) bool {
	if e.Statement == nil {
		return false
	}
	for _, c := range e.Statement.Set {
		if c.From == sqltext.FromParam && !containsAny(c.Name, markColumns()) {
			return true
		}
	}
	return false
}

func markColumns() []string {
	return []string{"status", "state", "error", "attempt", "retr", "reason", "_at", "sent", "publish", "process", "deliver", "lock", "claim", "lease", "worker"}
}

// isMark tells by its name whether a function records a publish.
func isMark(name string) bool {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	l := strings.ToLower(name)
	if !strings.HasPrefix(l, "mark") && !strings.HasPrefix(l, "set") && !strings.HasPrefix(l, "update") {
		return false
	}
	return containsAny(l, []string{"publish", "sent", "dispatch", "deliver", "processed", "notified", "done", "relay", "emitted", "enqueued", "handled", "dead", "failed"})
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// outboxWrite: a row that a relay reads. A job's row is one for its worker, and says nothing
// of a message that goes to a broker beside it.
func outboxWrite(p *flow.Path, ev flow.Event) {
	job := ev.Effect.Broker != ""
	if ev.Tx >= 0 {
		if !job {
			p.SetTx(ev.Tx, txOutboxed)
		}
		if !p.Txs[ev.Tx].Has(txWrote) && !p.Txs[ev.Tx].Has(txTried) {
			p.Pair(outsideTx, ev.Tx, txBeside, true)
			p.Pair(outsideTx, -1, committed, false)
		}
	} else if ev.Tx == flow.InPool && ev.Sure {
		for i := range p.Txs {
			if p.Txs[i].Has(txWrote) {
				p.Pair(outsideTx, i, txWrote, false)
			}
		}
		p.Pair(outsideTx, -1, committed, false)
		if !p.Has(committed) {
			p.Pair(outsideTx, -1, surely, false)
		}
	}
	if !job {
		p.Set(outboxed)
	}
}

func publish(p *flow.Path) {
	if why := aside(p); why != "" {
		p.Silent(why)
		return
	}
	found := false
	for i := range p.Txs {
		t := &p.Txs[i]
		switch {
		case t.Has(txOutboxed):
			p.Silent("an outbox row is stored in the open transaction")
		case t.Has(txWrote):
			p.Pair(insideTx, i, txWrote, false)
			found = true
		case !t.Has(txLocked) && !p.Astray(): // else a relay, which marks the rows it locked
			p.SetTx(i, txPublished)
		}
	}
	switch {
	case p.Has(committed):
		p.Pair(afterCommit, -1, committed, false)
	case p.Has(wrote) && !found:
		p.Pair(dualWrite, -1, wrote, false)
	case !found && len(p.Txs) == 0:
		p.Silent("nothing was written before it")
	case !found:
		p.Silent("nothing was written before it in the open transaction")
	}
	switch {
	case p.Astray(): // it answers the failure
		if p.Local&unsaved != 0 {
			p.Set(retorted)
		}
	case p.Has(wrote | committed):
		p.Set(announced)
	case !found && len(p.Txs) == 0:
		p.Set(published)
	}
}

// Failed remembers what went wrong, for handlers that hide it.
func (rule) Failed(p *flow.Path, ev flow.Event) {
	switch {
	case ev.Effect.Kind == catalog.Publish && p.Has(wrote|committed):
		p.Set(unsent)
	case ev.Effect.Kind == catalog.Write && p.Has(published):
		p.Set(unsaved)
	case ev.Effect.Kind == catalog.Write && ev.Tx >= 0:
		p.SetTx(ev.Tx, txTried)
	}
}

// Explained: what follows an outside call tells of that call, not of a write
// that a caller did before.
func (rule) Explained(category string, local flow.Bits) bool {
	return (category == dualWrite || category == afterCommit) && local&outside != 0 && local&(wrote|committed) == 0
}

// Passes are the bits that change what a callee's effects mean.
func (rule) Passes() flow.Bits {
	return wrote | committed | published | outboxed | relaying | read | surely | claimed
}

// Durable are the bits of what lasts.
func (rule) Durable() flow.Bits { return wrote | committed | outboxed }

// InHook is the bit of a transaction that an ORM's hook method runs in.
func (rule) InHook() flow.Bits { return txWrote }

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
