package publishoutsidetx

import (
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// Trace walks a program as Check does and records what it meets.
func Trace(p *effect.Program, t *flow.Trace) {
	w := flow.NewWalker(p, rule{})
	w.Record(t)
	w.Stories()
	t.Judge(func(s *flow.Story) string { return silent(p, w, s) })
}

// silent says why a story is not reported, "" if it is.
func silent(p *effect.Program, w *flow.Walker, s *flow.Story) string {
	if why := p.Unwanted(s.Place().Func); why != "" {
		return why
	}
	return right(p, w, s)
}

// right says what makes the code of a story right, "" for nothing.
func right(p *effect.Program, w *flow.Walker, s *flow.Story) string {
	if why := harmless(p, w, s); why != "" {
		return why
	}
	switch {
	case polled(p, s):
		return "a loop publishes the rows of this table that were missed"
	case swept(p, s):
		return "a loop on a timer finds the row that was written and does what the message asks for"
	case repaired(p, w, s):
		return "it runs in a message handler: a failed delivery comes again and repeats the publish"
	}
	return ""
}

// harmless says why nothing is lost although nobody makes up for it, "" for no reason.
func harmless(p *effect.Program, w *flow.Walker, s *flow.Story) string {
	if why := unannounced(w, s); why != "" {
		return why
	}
	switch {
	case noEvent(s):
		return "by its name it is telemetry, a dead letter or a hint to caches: no event of a change"
	case s.Category != outsideTx && appends(w, s.Site()):
		return "what it appends to is the state"
	case (s.Category == dualWrite || s.Category == afterCommit) && w.OutboxesInLoop(s.Other()):
		return "an outbox row is stored for each event there is"
	case s.Category == outsideTx && w.WritesBeside(s):
		return "the row is stored with a change of its own, which it tells of"
	case s.Category == beforeWrite && s.Bits&read != 0 && p.Timed(s.Func.Symbol):
		return "a loop on a timer reads the row again, and does both once more"
	case shown(p, s):
		return "the broker keeps the message for nobody, and those who take it here only show it"
	case hinted(s):
		return "the broker keeps the message for nobody, and the code tells nobody where it can't be sent: a hint"
	case shrugged(w, s):
		return "by its name it is a notification to people, and the code shrugs its loss off"
	}
	return ""
}

// aside says why a publish completes no story whatever was written, "" if it may.
func aside(p *flow.Path) string {
	switch {
	case p.Has(outboxed):
		return "an outbox row was stored before it: this is a wake-up, the relay publishes"
	case p.Has(relaying):
		return "outbox rows were read or claimed before it: this is the relay"
	}
	return ""
}

// Names are the words for what is remembered.
func (rule) Names() map[flow.Bits]string {
	return map[flow.Bits]string{
		wrote:       "a write outside any transaction",
		committed:   "a committed transaction with a write in it",
		published:   "a publish with no write before it",
		outboxed:    "a stored outbox row",
		relaying:    "outbox rows read or claimed",
		outside:     "an outside call",
		claimed:     "a claimed row",
		surely:      "a write through the pool",
		unsent:      "a publish that failed",
		unsaved:     "a write that failed",
		acked:       "an ack",
		hidden:      "an ack all the same",
		txWrote:     "a write",
		txPublished: "a publish",
		txOutboxed:  "an outbox row",
		txLocked:    "locked rows",
		txBeside:    "a write beside it, through the pool",
		read:        "a read",
		inserted:    "an insert that a second try would repeat",
		announced:   "a publish after a write",
		retorted:    "a failed write answered with a message",
	}
}
