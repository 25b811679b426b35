package effect

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// settled is what settles deliveries in a function and what it calls.
type settled struct {
	any    bool
	broker string
}

// Settles reports whether a function, or what it calls, acks or gives back each
// delivery on its own: where it returns without, the delivery comes again.
func (p *Program) Settles(f *Func) bool {
	acks := p.acks(f, 2)
	return acks.any && acks.broker != "kafka"
}

// acks looks for what settles deliveries. Handlers that are called, and what
// they call, settle their own.
func (p *Program) acks(f *Func, depth int) settled {
	var out settled
	if f == nil {
		return out
	}
	for _, n := range f.Nodes {
		if n == nil {
			continue
		}
		for i := range n.Effects {
			switch n.Effects[i].Kind {
			case catalog.Ack, catalog.Nack, catalog.Requeue:
				out.any = true
				out.broker = n.Effects[i].Broker
			}
		}
		if out.any || depth == 0 || n.Kind > NodeDefer {
			continue
		}
		out = p.acksBelow(f, n, depth)
	}
	return out
}

func (p *Program) acksBelow(f *Func, n *Node, depth int) settled {
	symbols := p.Resolve(n).Symbols
	for _, a := range append([]*Value{n.Dynamic}, n.Args...) {
		symbols = append(slices.Clone(symbols), p.FuncsFrom(a, f.Symbol)...)
	}
	for _, s := range symbols {
		if _, handler := p.Handlers[s]; handler || !p.Reach[s].Has(Receives) {
			continue
		}
		if p.Funcs[s].worksOff() {
			continue // from a channel, whoever fills it
		}
		if got := p.acks(p.Funcs[s], depth-1); got.any {
			return got
		}
	}
	return settled{}
}

// worksOff: the function's own loop takes deliveries out of a channel.
func (f *Func) worksOff() bool {
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool { return n != nil && n.InLoop && n.Delivery })
}

// settle decides what acks. A failed delivery comes again where each is acked on
// its own; of one whose offset is passed only stopping before it does.
func (h *Handler) settle(f *Func, acks settled) {
	switch {
	case !acks.any:
		return
	case h.Ack == AckAuto && h.Broker != "kafka":
	case h.Ack == AckOffset && h.Broker != "kafka": // a checkpoint
	case h.Broker != "kafka":
		h.Ack, h.OnError = AckExplicit, Redeliver
	case h.Ack == AckAuto:
	case f.ErrResult >= 0:
		h.Ack, h.OnError = AckOffset, Redeliver // if it stops at the failure; rules look
	default:
		h.Ack, h.OnError = AckOffset, Skip
	}
}
