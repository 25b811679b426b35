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
		d.follow(s, nil, 5)
	}
}

type dispatching struct {
	p    *Program
	a    *Provenance
	root Handler
	seen map[string]bool
}

// follow goes down from a function that the calls of a path lead to.
func (d *dispatching) follow(symbol string, path []Call, depth int) {
	f := d.p.Funcs[symbol]
	if f == nil || depth == 0 || d.seen[symbol] {
		return
	}
	d.seen[symbol] = true
	for _, n := range f.Nodes {
		if n == nil || n.Kind > NodeDefer || n.Entry != nil {
			continue
		}
		to := append(slices.Clone(path), Call{f, n})
		for _, t := range d.a.targets(f, n) {
			switch {
			case d.hands(to, t):
				messages := d.messages(to)
				for _, own := range d.p.unbound(t) {
					if !d.p.adapts(own) {
						d.mark(own, behindReceiver(messages, own != t))
					}
					d.follow(own, to, depth-1)
				}
			case d.p.Funcs[t].Synthetic:
				d.follow(t, to, depth)
			case n.Iface == "" || handles(n.Method):
				d.follow(t, to, depth-1)
			}
		}
	}
}

// hands reports whether a call hands what was delivered to a function that handles
// it, which it finds in a table, in a field or behind an interface.
func (d *dispatching) hands(path []Call, target string) bool {
	n, g := path[len(path)-1].Node, d.p.Funcs[target]
	switch {
	case n.Static != "":
		return false
	case n.Iface != "" && !handles(n.Method) && !(g.takesDeliveries() && g.onlyFails() && !settles(n.Method)):
		return false
	case g.Parent != "" && !g.takesDeliveries():
		return false
	}
	return d.given(path)
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
func (d *dispatching) given(path []Call) bool {
	n := path[len(path)-1].Node
	return slices.ContainsFunc(n.From, func(o *Lineage) bool { return d.a.At(path, o).Has(FromMessage) })
}

// messages are the arguments that are made of the delivery and of nothing stored.
func (d *dispatching) messages(path []Call) []int {
	var out []int
	for i, o := range path[len(path)-1].Node.From {
		if from := d.a.At(path, o); from.Has(FromMessage) && !from.Has(FromStored) {
			out = append(out, i)
		}
	}
	return out
}

// behindReceiver are the same parameters of a method whose value was called.
func behindReceiver(list []int, bound bool) []int {
	out := slices.Clone(list)
	for i := range out {
		if bound {
			out[i]++
		}
	}
	return out
}

func (d *dispatching) mark(symbol string, messages []int) {
	if _, ok := d.p.Handlers[symbol]; ok {
		return
	}
	if _, ok := d.p.Dispatched[symbol]; !ok {
		h := d.root
		h.Symbol, h.Receive, h.Feeds, h.Messages = symbol, nil, false, messages
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
