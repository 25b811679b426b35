package effect

import (
	"slices"
	"sort"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Context says how a function comes to be run.
type Context byte

// The contexts.
const (
	// Redriven: by a handler whose failure makes the broker deliver again.
	Redriven Context = 1 << iota
	// Elsewhere: by anything else, or nobody knows.
	Elsewhere
)

// markHandlers finds the functions that a library calls with deliveries.
func (p *Program) markHandlers(types []catalog.HandlerType) {
	for _, s := range p.Order {
		f := p.Funcs[s]
		for _, n := range f.Nodes {
			if n == nil || n.Entry == nil || n.Entry.Kind != catalog.Handler {
				continue
			}
			h := Handler{Broker: n.Entry.Broker, Ack: n.Entry.Ack, OnError: n.Entry.OnError}
			for _, t := range p.FuncsFrom(n.arg(n.Entry.Func), s) {
				p.addHandler(t, h)
			}
		}
		p.markLoop(f)
	}
	for _, t := range types {
		h := Handler{Broker: t.Broker, Ack: t.Ack, OnError: t.OnError}
		for _, s := range p.HandlerMethods[handlerKey(t)] {
			p.addHandler(s, h)
		}
	}
}

func (p *Program) addHandler(symbol string, h Handler) {
	if _, ok := p.Handlers[symbol]; !ok {
		p.Handlers[symbol] = h
	}
	if f := p.Funcs[symbol]; f != nil && strings.HasSuffix(symbol, "$bound") {
		for _, n := range f.Nodes {
			if n != nil && n.Static != "" {
				p.addHandler(n.Static, h)
			}
		}
	}
}

// markLoop: a function that receives and acks in a loop is its own handler. A
// failed delivery comes again where the broker acks each on its own.
func (p *Program) markLoop(f *Func) {
	var h Handler
	receives, acks := false, false
	for _, n := range f.Nodes {
		if n == nil {
			continue
		}
		receives = receives || n.Kind == NodeReceive && n.InLoop
		for i := range n.Effects {
			switch n.Effects[i].Kind {
			case catalog.Receive:
				receives = true
				h.Broker = n.Effects[i].Broker
				if n.Entry != nil {
					h.Ack, h.OnError = n.Entry.Ack, n.Entry.OnError
				}
			case catalog.Ack, catalog.Nack, catalog.Requeue:
				acks = true
				h.Broker = n.Effects[i].Broker
			}
		}
	}
	acks = acks || f.Message >= 0 && f.Parent == "" && !f.Synthetic && p.Reach[f.Symbol].Has(Receives) && p.Reach[f.Symbol]&(Writes|Publishes|Transacts) != 0
	if !acks || !receives && f.Message < 0 {
		return
	}
	if h.Broker == "" {
		h.Broker = f.MessageBroker
	}
	switch {
	case h.OnError == "" && h.Broker != "kafka":
		h.Ack, h.OnError = "explicit", "redeliver"
	case h.Broker == "kafka" && f.ErrResult >= 0 && h.Ack != "auto":
		h.Ack, h.OnError = "offset", "redeliver" // if it stops at the failure; rules look
	}
	p.addHandler(f.Symbol, h)
}

// handlerKey names a handler type of the catalog.
func handlerKey(t catalog.HandlerType) string {
	return t.Package + "." + t.Interface + "#" + t.Method + "#" + t.Param
}

// markContexts carries contexts from the functions that nobody calls down to
// what they call. A handler passes on its own alone.
func (p *Program) markContexts() {
	callees := map[string][]string{}
	for c, callers := range p.Callers {
		for _, s := range callers {
			callees[s] = append(callees[s], c)
		}
	}
	for s := range callees {
		sort.Strings(callees[s])
	}
	var work []string
	set := func(s string, c Context) {
		if p.Contexts[s]|c != p.Contexts[s] {
			p.Contexts[s] |= c
			work = append(work, s)
		}
	}
	for _, s := range p.Order {
		if h, ok := p.Handlers[s]; ok {
			if h.OnError == "redeliver" {
				set(s, Redriven)
			} else {
				set(s, Elsewhere)
			}
		} else if !p.calledByCode(s) {
			set(s, Elsewhere)
		}
	}
	for len(work) > 0 {
		s := work[0]
		work = work[1:]
		for _, c := range callees[s] {
			if _, ok := p.Handlers[c]; !ok {
				set(c, p.Contexts[s])
			}
		}
	}
}

// calledByCode reports whether some function that is no test calls s. Being put
// into a handler's wrapper counts as a call.
func (p *Program) calledByCode(s string) bool {
	return slices.ContainsFunc(p.Callers[s], func(c string) bool { return c != s && !p.Funcs[c].Test })
}
