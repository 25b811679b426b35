package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// markLoops: a function that takes deliveries in a loop and does something with
// them is its own handler, and so is one that is given a delivery and settles it.
// A loop that only passes deliveries on to handlers, or into a channel, is none.
func (p *Program) markLoops() {
	var loops []*Func
	for _, s := range p.Order {
		f := p.Funcs[s]
		if f.Test || f.Synthetic {
			continue
		}
		from, _, _ := p.receives(f)
		_, known := p.Handlers[s]
		switch {
		case from != nil:
			loops = append(loops, f)
		case known || !f.takesDeliveries() || f.Parent != "":
		default:
			p.markGiven(f)
		}
	}
	for _, f := range loops {
		p.markLoop(f)
	}
	for _, s := range p.Order {
		f := p.Funcs[s]
		if f.Test || f.Synthetic || !f.takesDeliveries() || f.Parent == "" {
			continue
		}
		if _, up := p.Handlers[f.Parent]; !up && p.acks(f, 0).any {
			p.markGiven(f)
		}
	}
}

// takesDeliveries: a parameter is a delivery, a list of them, or holds one.
func (f *Func) takesDeliveries() bool {
	return f.Message >= 0 || slices.ContainsFunc(f.Params, func(q Param) bool { return q.Holds })
}

// serves: the function, or the one that it stands in, answers a request; what it
// passes on to a browser is handled nowhere.
func (p *Program) serves(f *Func) bool {
	for range 4 {
		if f == nil {
			return false
		}
		if slices.ContainsFunc(f.Params, func(q Param) bool { return q.Request || q.Type == "ResponseWriter" }) {
			return true
		}
		f = p.Funcs[f.Parent]
	}
	return false
}

// markGiven marks a function that is given a delivery, if it settles it or has
// effects and something that settles it.
func (p *Program) markGiven(f *Func) {
	acks := p.acks(f, 0)
	if p.Reach[f.Symbol]&(Writes|Transacts|Outboxes) == 0 && !p.callsUnknown(f) && (f.Parent != "" || p.calledByCode(f.Symbol)) {
		return // a helper that settles, or sends to a dead letter, for its callers
	}
	if !acks.any {
		acks = p.acks(f, 2)
		if p.Reach[f.Symbol]&(Writes|Publishes|Transacts) == 0 || !acks.any && !p.Reach[f.Symbol].Has(Receives) {
			return
		}
	}
	h := Handler{Way: ByLoop, Broker: f.MessageBroker}
	if acks.broker != "" {
		h.Broker = acks.broker
	}
	acks.any = true
	h.settle(f, acks)
	p.addHandler(f.Symbol, h)
}

func (p *Program) markLoop(f *Func) {
	from, in, at := p.receives(f)
	if h, ok := p.Handlers[f.Symbol]; ok {
		h.Receive, h.Loop = from, at
		p.Handlers[f.Symbol] = h
		return
	}
	acks := p.acks(f, 2)
	h := Handler{Way: ByLoop, Receive: from, Loop: at, Broker: f.MessageBroker}
	p.fromReceive(&h, from, in, acks.any)
	if to := p.handsOn(f, h); !acks.any && to != nil {
		if h.Ack == "" {
			h.Broker, h.Ack, h.OnError = to.Broker, to.Ack, to.OnError
		}
		h.Symbol, p.Passed[f.Symbol] = f.Symbol, h
		return
	}
	if !acks.any && p.serves(f) || !p.handles(f, acks) {
		return
	}
	if acks.broker != "" {
		h.Broker = acks.broker
	}
	h.settle(f, acks)
	p.addHandler(f.Symbol, h)
}

// hasMessage: something that a delivery was made into is among the arguments, as far as
// the function itself tells.
func (n *Node) hasMessage() bool {
	return slices.ContainsFunc(n.From, func(o *Lineage) bool { return o.flatBits().Has(FromMessage) })
}

// handsOn is the last of the handlers that a loop gives its deliveries to, which then
// have the loop's broker and ack mode; nil without one.
func (p *Program) handsOn(f *Func, from Handler) *Handler {
	var found *Handler
	for _, n := range f.Nodes {
		if n == nil || !n.InLoop || n.Kind > NodeDefer || n.Entry != nil {
			continue
		}
		for _, s := range p.Resolve(n).Symbols {
			h, ok := p.Handlers[s]
			if !ok || h.Way != ByLoop {
				continue
			}
			if h.Broker == "" {
				h.Broker = from.Broker
			}
			if from.Ack == AckAuto {
				h.Ack, h.OnError = from.Ack, from.OnError
			}
			h.Receive = from.Receive
			p.Handlers[s], found = h, &h
		}
	}
	return found
}

// fromReceive takes broker and ack mode from what receives; acks says that the loop
// acks itself.
func (p *Program) fromReceive(h *Handler, from *Node, owner *Func, acks bool) {
	if from.Broker != "" {
		h.Broker = from.Broker
	}
	makers := p.consumer(owner, from)
	for _, n := range makers {
		if n.Entry.Kind == catalog.Receive {
			h.Broker, h.Ack, h.OnError = n.Entry.Broker, n.Entry.Ack, n.Entry.OnError
			break
		}
	}
	p.configure(h, makers)
	if h.Ack == "" && from.Carrier != "" {
		p.fromFeeder(h, from.Carrier, acks)
	}
}

// receives finds the node that takes a delivery in a loop of f: a receive from a
// channel of deliveries, a library's call, or a call of a function that makes one
// and hands back what it got. in is the function that the node itself is in, at the
// node of the loop of f, nil where the loop goes over a batch.
func (p *Program) receives(f *Func) (from *Node, in *Func, at *Node) {
	for _, n := range f.Nodes {
		if n == nil || !n.InLoop {
			continue
		}
		if n.Delivery || receiveEntry(n) && !n.Streams {
			return n, f, n
		}
	}
	for _, n := range f.Nodes {
		if n == nil || !n.InLoop || n.Kind != NodeCall || n.Entry != nil {
			continue
		}
		for _, s := range p.Resolve(n).Symbols {
			if m := p.fetches(p.Funcs[s]); m != nil {
				return m, p.Funcs[s], n
			}
		}
	}
	if n, in := p.ranges(f); n != nil {
		return n, in, nil
	}
	if n := f.batch(); n != nil {
		return n, f, nil
	}
	from, in = p.polls(f)
	return from, in, nil
}

// Batch reports whether the loop at a block goes over the deliveries that one poll
// before it has returned.
func (p *Program) Batch(f *Func, head int) bool {
	h, ok := p.Handlers[f.Symbol]
	if !ok || h.Receive == nil || h.Receive.Entry == nil || !strings.HasPrefix(h.Receive.Entry.Symbol.Name, "Poll") {
		return false
	}
	at := f.BlockOf(h.Receive)
	if at < 0 {
		return false
	}
	inner, outer := f.Blocks[head].Loops, f.Blocks[at].Loops
	return len(inner) == len(outer)+1 && !slices.Contains(outer, head)
}

// batch is a receive outside of any loop whose deliveries the function itself
// hands to other calls: one poll a call.
func (f *Func) batch() *Node {
	uses := slices.ContainsFunc(f.Nodes, func(n *Node) bool {
		return n != nil && n.Kind <= NodeDefer && n.hasMessage()
	})
	for _, n := range f.Nodes {
		if uses && n != nil && receiveEntry(n) && !n.Streams {
			return n
		}
	}
	return nil
}

// ranges: a receive outside of a loop whose result is looped over, as of a batch.
func (p *Program) ranges(f *Func) (*Node, *Func) {
	for _, n := range f.Nodes {
		if n != nil && receiveEntry(n) && n.Streams && slices.ContainsFunc(f.Nodes, func(m *Node) bool {
			return m != nil && m.InLoop && (m.Kind == NodeReceive || len(m.Received) > 0) && drains(m, n.ID)
		}) {
			return n, f
		}
	}
	return nil, nil
}

// drains reports whether a receive takes from the result of a call.
func drains(m *Node, id int) bool {
	from := m.Received
	if m.Kind == NodeReceive {
		from = m.Args[:1]
	}
	return slices.ContainsFunc(from, func(v *Value) bool { return v.holdsCall(id, 4) })
}

func (v *Value) holdsCall(id, depth int) bool {
	if v == nil || depth == 0 {
		return false
	}
	if v.Kind == ValueCall && v.Index == id {
		return true
	}
	return slices.ContainsFunc(v.Of, func(x *Value) bool { return x.holdsCall(id, depth-1) })
}

func receiveEntry(n *Node) bool {
	return n.Kind == NodeCall && n.Entry != nil && n.Entry.Kind == catalog.Receive
}

func (o *Lineage) flatBits() Sources {
	if o == nil {
		return 0
	}
	return o.flat().Bits
}

// handles reports whether a loop does anything with its deliveries: acks them, has
// an effect, or gives them to code of the module, whatever that does.
func (p *Program) handles(f *Func, acks settled) bool {
	const effects = Writes | Publishes | Outboxes | Transacts | Outside | CallsParam
	return acks.any || p.Reach[f.Symbol]&effects != 0 || p.callsUnknown(f) || p.givesAway(f)
}

func (p *Program) givesAway(f *Func) bool {
	once := f.batch() != nil && p.fetches(f) == nil
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool {
		return n != nil && (n.InLoop || once) && n.Kind <= NodeDefer && n.Entry == nil && len(p.runsAny(f, n)) > 0 &&
			n.hasMessage()
	})
}

// callsUnknown: the function calls a function value with something: whoever uses
// it handles deliveries there.
func (p *Program) callsUnknown(f *Func) bool {
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool {
		return n != nil && n.Kind <= NodeDefer && n.Entry == nil && n.Dynamic != nil && n.Static == "" && !n.IsBuiltin() &&
			slices.ContainsFunc(n.From, func(o *Lineage) bool { return !o.empty() })
	})
}
