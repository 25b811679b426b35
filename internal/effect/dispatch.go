package effect

import (
	"maps"
	"slices"
	"strings"
)

// markDispatched finds where handlers pass a delivery, or what they made of it, on
// to the code that handles its kind: a function out of a table, or a method of an
// interface, if it is given the delivery itself or has a handler's name.
func (p *Program) markDispatched() {
	a := NewProvenance(p)
	for _, s := range slices.Sorted(maps.Keys(p.Handlers)) {
		h := p.Handlers[s]
		if h.Way == ByWebhook {
			continue
		}
		d := dispatching{p: p, a: a, root: h, seen: map[string]bool{}}
		d.follow(s, 5)
	}
}

type dispatching struct {
	p    *Program
	a    *Provenance
	root Handler
	seen map[string]bool
}

func (d *dispatching) follow(symbol string, depth int) {
	f := d.p.Funcs[symbol]
	if f == nil || depth == 0 || d.seen[symbol] {
		return
	}
	d.seen[symbol] = true
	for _, n := range f.Nodes {
		if n == nil || n.Kind > NodeDefer || n.Entry != nil {
			continue
		}
		for _, t := range d.a.targets(f, n) {
			switch {
			case d.hands(f, n, t):
				for _, own := range d.p.unbound(t) {
					if !d.p.adapts(own) {
						d.mark(own)
					}
					d.follow(own, depth-1)
				}
			case d.p.Funcs[t].Synthetic:
				d.follow(t, depth)
			case n.Iface == "" || handles(n.Method):
				d.follow(t, depth-1)
			}
		}
	}
}

// hands reports whether a call hands what was delivered to a function that handles
// it, which it finds in a table, in a field or behind an interface.
func (d *dispatching) hands(f *Func, n *Node, target string) bool {
	g := d.p.Funcs[target]
	switch {
	case n.Static != "":
		return false
	case n.Iface != "" && !handles(n.Method) && !(g.takesDeliveries() && g.onlyFails() && !settles(n.Method)):
		return false
	case g.Parent != "" && !g.takesDeliveries():
		return false
	}
	return d.given(f, n)
}

// onlyFails: a function returns no more than whether it has failed. One that decodes a
// delivery returns what it found.
func (f *Func) onlyFails() bool {
	for i := range f.Results {
		if i != f.ErrResult && i != f.BoolResult {
			return false
		}
	}
	return true
}

// adapts reports whether all that a function does is to call another that it was
// given.
func (p *Program) adapts(symbol string) bool {
	var calls int
	f := p.Funcs[symbol]
	for _, n := range f.Nodes {
		if n == nil || n.Kind > NodeDefer {
			continue
		}
		if calls++; !n.CallsGiven() {
			return false
		}
	}
	return calls == 1
}

// unbound is a function, or of a method's value or expression the methods that it
// calls.
func (p *Program) unbound(symbol string) []string {
	if !strings.HasSuffix(symbol, "$bound") && !strings.HasSuffix(symbol, "$thunk") {
		return []string{symbol}
	}
	var out []string
	for _, n := range p.Funcs[symbol].Nodes {
		if n != nil && n.Kind <= NodeDefer {
			out = append(out, p.Resolve(n).Symbols...)
		}
	}
	return out
}

// given: the delivery, or something made from it, is an argument.
func (d *dispatching) given(f *Func, n *Node) bool {
	return slices.ContainsFunc(n.From, func(o *Lineage) bool { return d.a.Of(f, o).Has(FromMessage) })
}

func (d *dispatching) mark(symbol string) {
	if _, ok := d.p.Handlers[symbol]; ok {
		return
	}
	if _, ok := d.p.Dispatched[symbol]; !ok {
		h := d.root
		h.Symbol, h.Receive, h.Feeds = symbol, nil, false
		d.p.Dispatched[symbol] = h
	}
}

// handles reports whether a method is called to handle something.
func handles(method string) bool {
	l := strings.ToLower(method)
	for _, w := range []string{"process", "processmessage", "processevent", "execute", "onmessage", "onevent"} {
		if l == w {
			return true
		}
	}
	return strings.HasPrefix(l, "handle") || strings.HasPrefix(l, "consume")
}

// settles: by its name, a method is done with a delivery, looks at it or sends it on.
func settles(method string) bool {
	l := strings.ToLower(method)
	return slices.ContainsFunc([]string{
		"ack", "nack", "nak", "reject", "requeue", "commit", "complete", "abandon", "delete", "finish", "mark",
		"publish", "send", "produce", "write", "forward", "log", "debug", "info", "warn", "error", "trace", "record", "observe",
		"extract", "inject", "valid", "check", "retry", "deadletter", "todeadletter", "dlq", "filter", "match",
	}, func(verb string) bool { return strings.HasPrefix(l, verb) })
}
