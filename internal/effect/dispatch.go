package effect

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// markDispatched finds where handlers pass a delivery, or what they made of it, on
// to the code that handles its kind: a function out of a table, or a method of an
// interface, if it is given the delivery itself or has a handler's name.
func (p *Program) markDispatched() {
	a := NewProvenance(p)
	roots := slices.Sorted(maps.Keys(p.Handlers))
	slices.SortStableFunc(roots, func(s, t string) int { // one that has the loop knows better than its wrapper
		return cmp.Or(btoi(p.Handlers[s].Way == ByDirective)-btoi(p.Handlers[t].Way == ByDirective),
			btoi(p.Handlers[t].Receive != nil)-btoi(p.Handlers[s].Receive != nil))
	})
	for _, s := range roots {
		if h := p.Handlers[s]; h.Way != ByWebhook && h.Symbol != "" {
			d := dispatching{p: p, a: a, root: h, into: p.Dispatched, seen: map[string]bool{}}
			d.follow(s, nil, 5)
		}
	}
	roots = slices.DeleteFunc(roots, func(s string) bool { return p.Handlers[s].Symbol == "" })
	for _, s := range roots {
		d := dispatching{p: p, a: a, root: p.Handlers[s], into: p.Passed, seen: map[string]bool{}}
		d.pass(s, 2)
		if d.root.Way == ByWebhook {
			clear(d.seen)
			d.follow(s, nil, 5)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(p.Passed)) {
		if h := p.Passed[s]; h.Way == ByWebhook && len(h.Messages) > 0 && h.Symbol == s {
			d := dispatching{p: p, a: a, root: h, into: p.Passed, named: true, seen: map[string]bool{}}
			d.pass(s, 1)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(p.Dispatched)) {
		d := dispatching{p: p, a: a, root: p.Dispatched[s], into: p.Passed, seen: map[string]bool{}}
		d.pass(s, 1)
	}
}

type dispatching struct {
	// into is where what is found is noted.
	into map[string]Handler
	// named: that the root is a handler is only its name's word.
	named bool
	p     *Program
	a     *Provenance
	root  Handler
	seen  map[string]bool
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
			case d.hands(f, n, t):
				messages := d.messages(to)
				for _, own := range d.p.unbound(t) {
					if !d.p.adapts(own) {
						d.markGiven(own, behindReceiver(messages, own != t))
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
func (d *dispatching) hands(f *Func, n *Node, target string) bool {
	g := d.p.Funcs[target]
	const lasting = Writes | Publishes | Outboxes | Transacts | Outside
	named := handlesByName(g.ownName())
	switch {
	case n.Static != "" || asks(g.ownName()):
		return false
	case d.root.Way == ByWebhook && (!named || d.p.Reach[target]&lasting == 0):
		return false
	case n.Iface == "" && !named && !g.onlyFails() && !g.takesDeliveries():
		return false // what it returns is looked at: it decodes, or finds something
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
	for i, t := range f.Results {
		if i != f.ErrResult && i != f.BoolResult && !strings.HasSuffix(t, "Error") {
			return false
		}
	}
	return true
}

// asks: by its name, a function answers a question.
func asks(name string) bool {
	for _, verb := range []string{"Is", "is", "Has", "has", "Should", "should", "Can", "can"} {
		if rest, ok := strings.CutPrefix(name, verb); ok && rest != "" && unicode.IsUpper(rune(rest[0])) {
			return true
		}
	}
	return false
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

// markGiven notes a handler and which of its parameters carry the delivery.
func (d *dispatching) markGiven(symbol string, messages []int) {
	_, before := d.into[symbol]
	d.mark(symbol)
	if h, ok := d.into[symbol]; ok && !before {
		h.Messages = messages
		d.into[symbol] = h
	}
}

func (d *dispatching) mark(symbol string) {
	if h, ok := d.p.Handlers[symbol]; ok {
		if h.Way != ByDirective || d.root.Way == ByDirective {
			return
		}
		delete(d.p.Handlers, symbol) // what was read tells more than the comment
	}
	_, dispatched := d.p.Dispatched[symbol]
	if _, ok := d.into[symbol]; !ok && !dispatched {
		h := d.root
		h.Symbol, h.Receive, h.Loop = symbol, nil, nil
		d.into[symbol] = h
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
