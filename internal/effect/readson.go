package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// readsOn reports whether a loop that commits offsets goes on to the next delivery
// where handling one has failed, and never stops there: the next commit passes the
// failed one, so that it doesn't come again. Whether it was put aside before is not
// looked at, nor is code that says nothing of its failures.
func (p *Program) readsOn(f *Func, from *Node) bool {
	at := f.BlockOf(from)
	if at < 0 || len(f.Blocks[at].Loops) == 0 {
		return false
	}
	loops := f.Blocks[at].Loops
	head := loops[len(loops)-1]
	on := false
	for i := range f.Blocks {
		if !slices.Contains(f.Blocks[i].Loops, head) {
			continue
		}
		for _, id := range f.Blocks[i].Nodes {
			n := f.Nodes[id]
			if n == nil || n.Kind > NodeDefer || !n.hasMessage() || !p.works(f, n) {
				continue
			}
			goes, stops := f.afterFailure(n, head)
			if stops {
				return false
			}
			on = on || goes
		}
	}
	return on
}

// works: a call does what the delivery is for, rather than settle, decode or log it.
func (p *Program) works(f *Func, n *Node) bool {
	const work = Writes | Publishes | Outboxes | Transacts | Outside
	for i := range n.Effects {
		if KindOf(&n.Effects[i])&work != 0 {
			return true
		}
	}
	if n.Entry != nil {
		return false
	}
	return n.CallsGiven() || slices.ContainsFunc(p.runsAny(f, n), func(s string) bool { return p.Reach[s]&(work|CallsParam) != 0 })
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

// leadsTo follows the ways from a block to a loop's head and to the function's ends.
// One on which all is said to be well, or on which it is told to stop, is no end.
func (f *Func) leadsTo(from, head int) (goes, stops bool) {
	work, seen := []int{from}, map[int]bool{}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if at == head {
			goes = true
			continue
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		b := &f.Blocks[at]
		for _, id := range b.Nodes {
			if n := f.Nodes[id]; n != nil && n.Kind == NodeReturn && !f.shutsDown(n) {
				stops = true
			}
		}
		work = append(work, b.Succs...)
	}
	return goes, stops
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

// passes corrects what becomes of a failed delivery of Kafka: a loop that reads on
// passes it.
func (p *Program) passes(f *Func, h *Handler) {
	if h.Broker != "kafka" || h.Ack != AckOffset || h.OnError != Redeliver {
		return
	}
	from := h.Loop
	if from == nil {
		from = h.Receive
	}
	if from != nil && from.Entry != nil && from.Entry.Kind == catalog.Receive && from.Streams {
		from = f.draining(from)
	}
	if p.readsOn(f, from) {
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
