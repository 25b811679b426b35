package effect

import "slices"

// fetches is the receive of a function that makes one, outside of any loop, and
// returns the delivery.
func (p *Program) fetches(f *Func) *Node {
	if f == nil || len(f.ReturnFrom) == 0 {
		return nil
	}
	if !slices.ContainsFunc(f.ReturnFrom, func(o *Lineage) bool { return o.flatBits().Has(FromMessage) }) {
		return nil
	}
	for _, n := range f.Nodes {
		if n != nil && !n.InLoop && (receiveEntry(n) && !n.Streams || n.Delivery) {
			return n
		}
	}
	return nil
}

// polls is a call of what fetches a delivery, in a function that is called again and
// again and handles what it gets.
func (p *Program) polls(f *Func) (*Node, *Func) {
	for _, n := range f.Nodes {
		if n == nil || n.Kind != NodeCall || n.Entry != nil {
			continue
		}
		for _, s := range p.Resolve(n).Symbols {
			if m := p.fetches(p.Funcs[s]); m != nil && !p.returnsDelivery(f) && p.looped(f.Symbol, 2) {
				return m, p.Funcs[s]
			}
		}
	}
	return nil, nil
}

func (p *Program) returnsDelivery(f *Func) bool {
	a := NewProvenance(p)
	return slices.ContainsFunc(f.ReturnFrom, func(o *Lineage) bool {
		return a.eval(&calling{f: f, alone: true}, o, 0).Has(FromMessage)
	})
}

// looped: somebody calls a function in a loop.
func (p *Program) looped(symbol string, depth int) bool {
	return slices.ContainsFunc(p.Callers[symbol], func(c string) bool {
		f := p.Funcs[c]
		if f == nil || f.Test || c == symbol {
			return false
		}
		return depth > 0 && p.looped(c, depth-1) || slices.ContainsFunc(f.Nodes, func(n *Node) bool {
			return n != nil && n.InLoop && n.Kind <= NodeDefer && p.runs(f, n, symbol)
		})
	})
}

// fromFeeder takes broker and ack mode from who hands on the deliveries. What he acks
// himself is acked whatever becomes of it.
func (p *Program) fromFeeder(h *Handler, carrier string, own bool) {
	for _, s := range p.Feeders[carrier] {
		f := p.Funcs[s]
		x, known := p.Handlers[s]
		if f == nil {
			continue
		}
		if from, in, _ := p.receives(f); !known && from != nil && from.Carrier != carrier {
			p.fromReceive(&x, from, in, false)
		}
		if x.Ack == "" {
			continue
		}
		h.Broker, h.Ack, h.OnError = x.Broker, x.Ack, x.OnError
		if acks := p.acks(f, 0); own {
			return // what the feeder acks, it has not passed on
		} else if acks.any && acks.broker == "kafka" {
			h.Ack, h.OnError = AckAuto, Skip
		} else if acks.any {
			h.Ack, h.OnError = AckAuto, Drop
		}
		return
	}
}
