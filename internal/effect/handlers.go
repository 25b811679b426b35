package effect

import (
	"maps"
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Way says how a function was found to be a handler.
type Way string

// The ways.
const (
	ByRegistration Way = "registration" // a library is given it
	ByInterface    Way = "interface"    // it is a method that a library calls
	ByLoop         Way = "loop"         // it reads deliveries in a loop
	ByWebhook      Way = "webhook"      // it serves a provider's request
	ByDirective    Way = "directive"    // the code says so
)

// What acks a delivery, and what becomes of one whose handler failed, beyond the
// words of the catalog's entries.
const (
	AckReturn   = "return"   // a nil error, or returning at all
	AckExplicit = "explicit" // a call for each delivery
	AckAuto     = "auto"     // the library, before or whatever the handler does
	AckOffset   = "offset"   // an offset, which covers all earlier deliveries
	AckResponse = "response" // a 2xx answer
	AckNone     = "none"     // nothing: no position is kept

	Redeliver = "redeliver"
	Drop      = "drop"
	Skip      = "skip"
)

// Handler says how a function came to be a handler.
type Handler struct {
	Symbol string
	Way    Way
	// From is the package that registers it.
	From string
	// Broker, Ack and OnError are "" where they are not known.
	Broker, Ack, OnError string
	// Early: what acks does so before the handler has done its work, by a setting
	// that could be another.
	Early bool
	// Cumulative: acking a delivery acks all that came before it.
	Cumulative bool
	// Partial: the handler says which deliveries of a batch failed.
	Partial bool
	// Messages are the parameters that are, or carry, the delivery; Stored, where a
	// comment says so, those that were read from a store.
	Messages, Stored []int
	// Alone: a comment says that nothing else runs it. Guarded: it says that what calls
	// it dedupes, or compares what is stored.
	Alone, Guarded bool
	// Receive is the call or receive that takes the delivery in the handler's
	// own loop, nil where the delivery is a parameter.
	Receive *Node
	// Loop is the node of the handler's own loop that takes it: Receive, or the
	// call that leads there.
	Loop *Node
}

// markHandlers finds the functions that a library calls with deliveries, and
// those that read deliveries in a loop.
func (p *Program) markHandlers(types []catalog.HandlerType) {
	for _, s := range p.Order {
		f := p.Funcs[s]
		for _, n := range f.Nodes {
			if n != nil && n.Entry != nil && n.Entry.Kind == catalog.Handler {
				p.register(f, n)
			}
		}
	}
	for _, t := range types {
		h := Handler{Way: ByInterface, Broker: t.Broker, Ack: t.Ack, OnError: t.OnError}
		for _, s := range p.HandlerMethods[handlerKey(t)] {
			p.addHandler(s, h)
		}
	}
	p.markLoops()
	p.markWebhooks()
	p.markDeclared()
	for s, h := range p.Handlers {
		p.complete(s, &h)
		p.Handlers[s] = h
	}
	for s, h := range p.Passed { // loops
		if to := p.handsOn(p.Funcs[s], h); to != nil {
			h.Ack, h.OnError, h.Cumulative = to.Ack, to.OnError, to.Cumulative
			p.Passed[s] = h
		}
	}
	p.markHandling()
	p.markNamedWebhooks()
	p.markPushed()
	p.markDispatched()
	p.markEntered()
}

// register marks the functions that a call registers.
func (p *Program) register(f *Func, n *Node) {
	h := Handler{Way: ByRegistration, From: f.Package, Broker: n.Entry.Broker, Ack: n.Entry.Ack, OnError: n.Entry.OnError}
	p.configure(&h, p.consumer(f, n))
	for _, t := range append(p.registered(f, n.arg(n.Entry.Func), 3), p.inTable(f, n)...) {
		p.addHandler(t, h)
	}
}

// registered are the functions that a registered value runs: itself, and where
// it is wrapped, what the wrapper returns and is given.
func (p *Program) registered(f *Func, v *Value, depth int) []string {
	if out := p.Wide(v, f.Symbol); len(out) > 0 || v == nil || depth == 0 {
		return out
	}
	var out []string
	switch v.Kind {
	case ValueCall:
		if v.Index >= len(f.Nodes) || f.Nodes[v.Index] == nil {
			return nil
		}
		n := f.Nodes[v.Index]
		for _, a := range n.Args {
			out = append(out, p.registered(f, a, depth-1)...)
		}
		for _, s := range p.Resolve(n).Symbols {
			if g := p.Funcs[s]; v.Result < len(g.Returns) {
				out = append(out, p.Wide(g.Returns[v.Result], g.Symbol)...)
			}
		}
	case ValueChoice, ValueCell:
		for _, x := range v.Of {
			out = append(out, p.registered(f, x, depth-1)...)
		}
	case ValueField:
		if v.Name == "[]" {
			return p.registered(f, v.Of[0], depth)
		}
	}
	return out
}

func (p *Program) addHandler(symbol string, h Handler) {
	h.Symbol = symbol
	if _, ok := p.Handlers[symbol]; !ok {
		p.Handlers[symbol] = h
	}
	if p.Funcs[symbol] == nil {
		return
	}
	for _, t := range p.unbound(symbol) {
		if t != symbol {
			p.addHandler(t, h)
		}
	}
}

// complete fills in what the function itself tells.
func (p *Program) complete(symbol string, h *Handler) {
	f := p.Funcs[symbol]
	if f == nil {
		return
	}
	if h.Broker == "" {
		h.Broker = f.MessageBroker
	}
	if h.Ack == "" && h.Way == ByRegistration {
		if acks := p.acks(f, 2); acks.any && acks.broker != "kafka" {
			h.Ack, h.OnError = AckExplicit, Redeliver
		}
	}
	h.Cumulative = h.Cumulative || h.Ack == AckOffset || h.Ack == AckAuto && h.Broker == "kafka"
	if len(h.Messages) == 0 {
		h.Messages = messageParams(f, h.Way)
	}
	p.passes(f, h)
	h.Partial = h.Broker == "lambda" && slices.ContainsFunc(f.Results, func(t string) bool {
		return t == "SQSEventResponse" || t == "KinesisEventResponse" || t == "DynamoDBEventResponse"
	})
}

// messageParams are the parameters that a delivery comes in: those of a delivery's
// type, or else all that are neither a context nor a handle.
func messageParams(f *Func, way Way) []int {
	var typed, plain []int
	for i, q := range f.Params {
		switch {
		case f.Method && i == 0:
		case q.Class == catalog.Message, q.Holds:
			typed = append(typed, i)
		case way == ByWebhook:
			if q.Request {
				plain = append(plain, i)
			}
		case way != ByLoop && q.Class == "" && q.Type != "Context" && q.Type != "ResponseWriter":
			plain = append(plain, i)
		}
	}
	if len(typed) > 0 {
		return typed
	}
	return plain
}

// Takes says how a function takes deliveries: as a handler, or as one that handlers
// pass them on to.
func (p *Program) Takes(symbol string) (Handler, bool) {
	if h, ok := p.Handlers[symbol]; ok {
		return h, true
	}
	if h, ok := p.Dispatched[symbol]; ok {
		return h, true
	}
	h, ok := p.Entered[symbol]
	return h, ok
}

// delivered reports whether a parameter is a handler's delivery.
func (p *Program) delivered(f *Func, index int) bool {
	h, ok := p.Takes(f.Symbol)
	return ok && slices.Contains(h.Messages, index)
}

// markHandling finds what handlers reach.
func (p *Program) markHandling() { p.handling(slices.Collect(maps.Keys(p.Handlers))) }

// handling marks what some functions reach as run while a delivery is handled.
func (p *Program) handling(work []string) {
	callees := p.callees()
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if p.Handling[s] {
			continue
		}
		p.Handling[s] = true
		work = append(work, callees[s]...)
		if f := p.Funcs[s]; f != nil {
			work = append(work, p.dynamic(f)...)
		}
	}
}

// dynamic are the functions that the calls of function values may run.
func (p *Program) dynamic(f *Func) []string {
	var out []string
	for _, n := range f.Nodes {
		if n != nil && n.Kind <= NodeDefer && n.Dynamic != nil && n.Static == "" {
			out = append(out, p.Wide(n.Dynamic, f.Symbol)...)
		}
		if n != nil && n.Mediated != "" {
			out = append(out, p.Mediated[n.Mediated]...)
		}
	}
	return out
}

// handlerKey names a handler type of the catalog.
func handlerKey(t catalog.HandlerType) string {
	return t.Package + "." + t.Interface + "#" + t.Method + "#" + t.Param
}
