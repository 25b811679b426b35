package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/directive"
)

// lasting are the effects for which it matters that a delivery is handled.
const lasting = Writes | Publishes | Outboxes | Transacts

// enteredElsewhere: what handles deliveries in other packages calls a function, and
// nothing in its own package that a delivery comes to does. The comment for it says
// what acks the delivery and which arguments carry it. A store's methods need none:
// what is told of them is told where they are called.
func (p *Program) enteredElsewhere(from *Provenance, f *Func) (directive.Directive, bool) {
	d := directive.Directive{Verb: directive.Handling, Handle: directive.Receiver}
	if _, takes := p.Takes(f.Symbol); takes || p.Reach[f.Symbol]&lasting == 0 || f.Stores() || !p.Handling[f.Symbol] || len(p.Texts[f.Symbol]) > 0 {
		return d, false
	}
	calls := p.entering(from, f, 4)
	for _, c := range calls {
		if c.Func.Package == f.Package && !p.lentOut(c.Func) {
			return d, false
		}
	}
	h, ok := p.handlerAbove(from, calls)
	if !ok || h.Ack == "" {
		return d, false
	}
	d.Broker, d.Ack, d.OnError = h.Broker, h.Ack, h.OnError
	any := p.carried(from, f, calls, &d)
	alone := p.Contexts[f.Symbol] == Redriven
	if alone && len(calls) == 1 && len(d.Message) > 0 && p.delegates(calls[0]) && f.ErrResult >= 0 {
		d.Verb, d.Stored = directive.Handler, nil
		return d, true
	}
	d.Alone = alone
	if p.Reach[f.Symbol]&lasting == Publishes {
		return d, alone // of one that only publishes nothing else is asked
	}
	return d, any
}

// entering are the calls of a function by what handles deliveries, those of the
// compiler's wrappers in their place.
func (p *Program) entering(from *Provenance, f *Func, depth int) []Call {
	var out []Call
	for _, c := range from.Callers(f) {
		switch {
		case !p.Handling[c.Func.Symbol] || c.Func.Test:
		case c.Func.Synthetic && depth > 0:
			out = append(out, p.entering(from, c.Func, depth-1)...)
		case !c.Func.Synthetic:
			out = append(out, c)
		}
	}
	return out
}

// handlerAbove is the first handler that leads to one of some calls.
func (p *Program) handlerAbove(from *Provenance, calls []Call) (Handler, bool) {
	var work []string
	for _, c := range calls {
		work = append(work, c.Func.Symbol)
	}
	seen := map[string]bool{}
	for len(work) > 0 {
		s := work[0]
		work = work[1:]
		if seen[s] {
			continue
		}
		seen[s] = true
		if h, ok := p.Takes(s); ok {
			return h, true
		}
		f := p.Funcs[s]
		if f == nil {
			continue
		}
		for _, c := range from.Callers(f) {
			if p.Handling[c.Func.Symbol] {
				work = append(work, c.Func.Symbol)
			}
		}
		if p.Handling[f.Parent] {
			work = append(work, f.Parent)
		}
	}
	return Handler{}, false
}

// carried notes which arguments are made of the message in some call, and which were read;
// it reports whether any has to do with it. What the methods of an interface return of a
// message is often made of something else, so that it has to be nothing but the message.
func (p *Program) carried(from *Provenance, f *Func, calls []Call, d *directive.Directive) (any bool) {
	for i := btoi(f.Method); i < len(f.Params); i++ {
		message, stored := false, false
		for _, c := range calls {
			if i < len(c.Node.From) {
				made := from.Of(c.Func, c.Node.From[i])
				message = message || made.Has(FromMessage) && !made.Has(FromStored) && (!f.Params[i].Open || !made.Has(FromElsewhere))
				any = any || made.Has(FromMessage) && f.Params[i].Type != "Context"
				stored = stored || made.Has(FromStored)
			}
		}
		switch at := i - btoi(f.Method); {
		case f.Params[i].Type == "Context" || at > 31:
		case message:
			d.Message = append(d.Message, at)
		case stored:
			d.Stored = append(d.Stored, at)
		}
	}
	return any
}

// delegates: all that a handler does is to make the call, by whose error it is judged.
func (p *Program) delegates(c Call) bool {
	h, ok := p.Takes(c.Func.Symbol)
	if !ok || h.Ack != AckReturn {
		return false
	}
	return !slices.ContainsFunc(c.Func.Nodes, func(n *Node) bool {
		if n == nil || n == c.Node || n.Kind > NodeDefer {
			return false
		}
		return p.anyReaches(p.Resolve(n).Symbols, lasting) || slices.ContainsFunc(n.Effects, func(e Effect) bool { return KindOf(&e)&lasting != 0 })
	})
}

// Stores tells by the name of its type what keeps things.
func (f *Func) Stores() bool {
	l := strings.ToLower(f.Receiver())
	return slices.ContainsFunc([]string{"repository", "repo", "store", "storage", "dao"}, func(w string) bool { return strings.HasSuffix(l, w) })
}

// Receiver is the name of the type that a function is a method of, "" for none.
func (f *Func) Receiver() string {
	t, _, _ := strings.Cut(strings.TrimLeft(f.Name, "(*"), ".")
	if !strings.Contains(f.Name, ".") {
		return ""
	}
	return strings.TrimRight(t, ")")
}
