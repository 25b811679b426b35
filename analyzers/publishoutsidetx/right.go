package publishoutsidetx

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// noEvent: what goes to a dead letter, or is telemetry by the names on the way
// to the broker, tells of no change.
func noEvent(s *flow.Story) bool {
	if s.Category == outsideTx {
		return false
	}
	return s.Other().Journal() || s.Site().Journal() || s.Site().Telemetry() || s.Site().DeadLetter()
}

// appends: the message is an event in a log, and what the log answers is stored elsewhere.
func appends(w *flow.Walker, site flow.Witness) bool {
	return slices.ContainsFunc(site.Path, func(l flow.Level) bool { return flow.IsEventLog(l.Func, "append") && w.StoresAnswer(l.Func) })
}

// shown: the broker keeps the message for nobody, and all who take its messages in the module
// change nothing: they hand them on to people who look.
func shown(p *effect.Program, s *flow.Story) bool {
	e := s.Site().Effect
	return s.Category != outsideTx && e != nil && (e.Transient || e.Broker == "nats" && e.Confirm == "none") && p.OnlyShown(e.Broker)
}

// hinted: the broker keeps the message for nobody, and a function on the way to it tells
// nobody that it could not be sent: who wrote it counts on no one to get it.
func hinted(s *flow.Story) bool {
	e := s.Site().Effect
	return s.Category != outsideTx && e != nil && e.Transient && s.Site().Unanswered()
}

// shrugged: the message tells people of a change that is stored, and the code goes on
// where it can't be sent. A mail has a code or a link in it that somebody waits for.
func shrugged(w *flow.Walker, s *flow.Story) bool {
	if s.Category != dualWrite && s.Category != afterCommit || !s.Site().Notice() {
		return false
	}
	return s.Site().Dropped || w.Exits(s.Func.Symbol, unsent, 0, false)
}

// polled: a poller publishes the rows of the written table that were missed. It
// finds no row that was deleted.
func polled(p *effect.Program, s *flow.Story) bool {
	e := s.Other().Effect
	if e == nil || e.Op == catalog.Delete || s.Category != dualWrite && s.Category != afterCommit {
		return false
	}
	if declared := p.DeclaredPolled(s.Func, e.Names()); declared {
		return true
	}
	return slices.ContainsFunc(e.Names(), func(n string) bool { return len(p.Polled[n]) > 0 })
}

// swept: a sweeper finds the row that was written and does what the message asks
// for. The message has to be the row: its function is given one.
func swept(p *effect.Program, s *flow.Story) bool {
	if len(p.Swept) == 0 || s.Category != dualWrite && s.Category != afterCommit {
		return false
	}
	path := s.Site().Path
	var types []string
	for _, q := range path[len(path)-1].Func.Params {
		if q.Record {
			types = append(types, q.Type)
		}
	}
	other := s.Other()
	nodes := []*effect.Node{other.Node()}
	if s.Category == afterCommit { // the writes stand beside the commit, or below the call
		nodes = append(nodes, other.Path[len(other.Path)-1].Func.Nodes...)
	}
	return p.Sweeps(nodes, types)
}

// repaired reports whether a redelivery repeats the publish: the function runs
// only in handlers whose failure brings the message again, nobody drops the
// error, and no path of it returns early on what the first try has changed.
func repaired(p *effect.Program, w *flow.Walker, s *flow.Story) bool {
	if p.Contexts[s.Func.Symbol] != effect.Redriven || s.Category == insideTx || s.Category == outsideTx {
		return false
	}
	if s.Category == beforeWrite {
		return !s.Other().Dropped && !hides(p, w, s.Func, published|unsaved)
	}
	if s.Bits&(inserted|acked) != 0 {
		return false // a second insert fails, and the publish is never reached; what is acked never comes again
	}
	if site := s.Site(); site.Dropped || site.Async() {
		return false
	}
	for f := s.Func; f != nil; f = p.Funcs[f.Parent] {
		mine := f == s.Func
		if w.Exits(f.Symbol, read, wrote|committed|published|announced|outboxed, true) && !(mine && flow.Passes(f, s.Other().Node())) && !p.ReadsApart(f) {
			return false
		}
		if hides(p, w, f, unsent) && !(mine && s.Site().Tells() && !w.Leaves(f.Symbol, hidden)) {
			return false
		}
	}
	return true
}

// hides reports whether a function goes on as if nothing had happened after a
// failure: it returns no error, or acks the delivery.
func hides(p *effect.Program, w *flow.Walker, f *effect.Func, failure flow.Bits) bool {
	if w.Leaves(f.Symbol, hidden) {
		return true
	}
	h, handler := p.Handlers[f.Symbol]
	if handler && h.Ack == "explicit" || f.ErrResult < 0 {
		return false // what is not acked comes again
	}
	return w.Exits(f.Symbol, failure, 0, false)
}
