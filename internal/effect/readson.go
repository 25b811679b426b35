package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// afterFailures says what a loop that commits offsets does where handling a delivery has
// failed: it may stop, and if it never does it may be seen to go on to the next, whose
// commit passes the failed one, so that it doesn't come again. Whether it was put aside
// before is not looked at, nor is code that says nothing of its failures.
func (p *Program) afterFailures(f *Func, from *Node) (on, stops bool) {
	at := f.BlockOf(from)
	if at < 0 || len(f.Blocks[at].Loops) == 0 {
		return false, false
	}
	loops := f.Blocks[at].Loops
	for i := range f.Blocks {
		head := shared(loops, f.Blocks[i].Loops)
		if head < 0 {
			continue
		}
		for _, id := range f.Blocks[i].Nodes {
			n := f.Nodes[id]
			if n == nil || n.Kind > NodeDefer || !p.givesMessage(f, n) || !p.works(f, n) {
				continue
			}
			goes, ends := f.afterFailure(n, head)
			on, stops = on || goes, stops || ends
		}
	}
	return on, stops
}

// shared is the innermost loop that two blocks are in, -1 for none. What is done with a
// batch stands outside of the loop that gathers it.
func shared(a, b []int) int {
	for i := len(a) - 1; i >= 0; i-- {
		if slices.Contains(b, a[i]) {
			return a[i]
		}
	}
	return -1
}

// givesMessage: something that a delivery was made into is among the arguments, by what
// the function and those that it calls tell.
func (p *Program) givesMessage(f *Func, n *Node) bool {
	a := NewProvenance(p)
	return n.hasMessage() || slices.ContainsFunc(n.From, func(o *Lineage) bool {
		return a.eval(&calling{f: f, alone: true}, o, 0).Has(FromMessage)
	})
}

// works: a call does what the delivery is for, rather than settle, decode or log it.
func (p *Program) works(f *Func, n *Node) bool {
	const work = Writes | Publishes | Outboxes | Transacts | Outside
	for i := range n.Effects {
		if KindOf(&n.Effects[i])&work != 0 {
			return true
		}
	}
	if n.Entry != nil || hasAny(strings.ToLower(n.Text), "unmarshal", "decode", "parse") {
		return false
	}
	return n.CallsGiven() || n.Iface != "" && handles(n.Method) || slices.ContainsFunc(p.runsAny(f, n), func(s string) bool { return p.Reach[s]&(work|CallsParam) != 0 })
}

// afterFailure says where a function goes when a call has failed: on to the next round
// of the loop, or out of the function. A call that tells of no failure goes on.
func (f *Func) afterFailure(n *Node, head int) (goes, stops bool) {
	if n.Kind != NodeCall || !n.ErrResult || n.Dropped {
		return !n.BoolResult, false
	}
	for i := range f.Blocks {
		c := f.Blocks[i].Cond
		if c == nil || c.Key != (Key{Kind: 'c', A: n.ID}) || len(f.Blocks[i].Succs) != 2 {
			continue
		}
		succ := f.Blocks[i].Succs[0]
		if c.OnFalse == Yes {
			succ = f.Blocks[i].Succs[1]
		}
		g, s := f.leadsTo(succ, head)
		goes, stops = goes || g, stops || s
	}
	return goes, stops
}

// leadsTo follows the ways from a block to a loop's head, or to a commit, and to the
// function's ends.
// One on which all is said to be well, or on which it is told to stop, is no end.
func (f *Func) leadsTo(from, head int) (goes, stops bool) {
	work, seen := [][2]int{{from, -1}}, map[int]bool{}
	for len(work) > 0 {
		at, before := work[len(work)-1][0], work[len(work)-1][1]
		work = work[:len(work)-1]
		if at == head {
			over := f.EndsLoop(head, before)
			goes, stops = goes || !over, stops || over
			continue
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		b := &f.Blocks[at]
		if slices.ContainsFunc(b.Nodes, func(id int) bool { return f.Nodes[id] != nil && f.Nodes[id].settles(catalog.Ack) }) {
			goes = true // it commits what has failed
			continue
		}
		for _, id := range b.Nodes {
			if n := f.Nodes[id]; n != nil && n.Kind == NodeReturn && !f.shutsDown(n) {
				stops = true
			}
		}
		for _, s := range b.Succs {
			work = append(work, [2]int{s, at})
		}
	}
	return goes, stops
}

// EndsLoop: on the way from a block to a loop's head the variable that the loop goes on
// by was set to false.
func (f *Func) EndsLoop(head, from int) bool {
	b := &f.Blocks[head]
	if b.Cond == nil || b.Cond.Key.Kind != 'p' || b.Cond.OnTrue != Yes {
		return false
	}
	i := slices.Index(b.Preds, from)
	for _, phi := range b.Phis {
		if phi.Key == b.Cond.Key && i >= 0 && i < len(phi.From) {
			return phi.From[i].Key.Kind == 0 && phi.From[i].Const == No
		}
	}
	return false
}

// shutsDown: a return of nil, or of the context's error.
func (f *Func) shutsDown(n *Node) bool {
	if f.ErrResult < 0 {
		return false
	}
	if k := n.Err.Key; k.Kind == 'c' && k.A < len(f.Nodes) && f.Nodes[k.A] != nil {
		m := f.Nodes[k.A]
		return m.Method == "Err" && strings.HasSuffix(m.Iface, "context.Context")
	}
	return n.Err.Key.Kind == 0 && n.Err.Const == No
}

// passes corrects what becomes of a failed delivery: a loop over a partition of Kafka
// that reads on passes it, and code that acks whatever has happened drops it.
func (p *Program) passes(f *Func, h *Handler) {
	switch {
	case h.Ack == AckExplicit && h.Broker != "kafka" && h.OnError == Redeliver:
		if p.acksAnyway(f) {
			h.OnError = Drop
		}
		return
	case h.Broker != "kafka" || h.Ack != AckOffset:
		return
	}
	from := h.Loop
	if from == nil {
		from = h.Receive
	}
	if from != nil && from.Entry != nil && from.Entry.Kind == catalog.Receive && from.Streams {
		from = f.draining(from)
	}
	if on, stops := p.afterFailures(f, from); stops {
		h.OnError = Redeliver
	} else if on {
		h.OnError = Skip
	}
}

// draining is the receive of a loop over what a call returns.
func (f *Func) draining(call *Node) *Node {
	for _, n := range f.Nodes {
		if n != nil && n.InLoop && (n.Kind == NodeReceive || len(n.Received) > 0) && drains(n, call.ID) {
			return n
		}
	}
	return nil
}
