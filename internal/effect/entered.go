package effect

import (
	"maps"
	"slices"

	"github.com/deliverylint/deliverylint/internal/directive"
)

// markDeclared marks the functions that a comment declares to be handlers. Where the
// code tells that a handler calls one, it tells all.
func (p *Program) markDeclared() {
	var declared []string
	for _, s := range p.Order {
		if p.Funcs[s].says(directive.Handler) != nil {
			declared = append(declared, s)
		}
	}
	if len(declared) == 0 {
		return
	}
	read := p.placesOf(p.reachedBy(slices.Collect(maps.Keys(p.Handlers))))
	for _, s := range declared {
		f := p.Funcs[s]
		d := f.says(directive.Handler)
		if _, ok := p.Handlers[s]; !ok && read[f.Pos] && d.Ack != "" {
			continue
		}
		h := Handler{Way: ByDirective, Broker: d.Broker, Ack: d.Ack, OnError: d.OnError}
		switch acks := p.acks(f, 2); {
		case d.Ack != "":
		case acks.any:
			h.Broker, h.Ack, h.OnError = acks.broker, AckExplicit, Redeliver
			if acks.broker == "kafka" {
				h.Ack = AckOffset
			}
		case f.ErrResult >= 0:
			h.Ack, h.OnError = AckReturn, Redeliver
		}
		h.Messages = behindReceiver(d.Message, f.Method)
		p.addHandler(s, h)
	}
}

// placesOf are the places of functions, which the instances of a generic one share.
func (p *Program) placesOf(symbols map[string]bool) map[Position]bool {
	out := map[Position]bool{}
	for s := range symbols {
		if f := p.Funcs[s]; f != nil {
			out[f.Pos] = true
		}
	}
	return out
}

// markEntered marks the functions of which a comment says that handlers call them, where
// no handler that was read does. Where the whole module was read none is missing, unless
// somebody gives a reason.
func (p *Program) markEntered() {
	var found []string
	handled := p.placesOf(p.Handling)
	for _, s := range p.Order {
		f := p.Funcs[s]
		d := f.says(directive.Handling)
		if _, taken := p.Takes(s); d == nil || taken || handled[f.Pos] || p.whole && !d.Reasoned {
			continue
		}
		found = append(found, s)
	}
	for _, s := range found {
		f := p.Funcs[s]
		d := f.says(directive.Handling)
		h := Handler{Symbol: s, Way: ByDirective, Broker: d.Broker, Ack: d.Ack, OnError: d.OnError, Alone: d.Alone, Guarded: d.Guarded}
		h.Messages, h.Stored = behindReceiver(d.Message, f.Method), behindReceiver(d.Stored, f.Method)
		p.Entered[s] = h
	}
	p.handling(found)
}

// reachedBy are the functions that some call.
func (p *Program) reachedBy(work []string) map[string]bool {
	callees := p.callees()
	seen := map[string]bool{}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range callees[s] {
			if !seen[c] {
				seen[c] = true
				work = append(work, c)
			}
		}
	}
	return seen
}
