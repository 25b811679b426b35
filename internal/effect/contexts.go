package effect

import (
	"slices"
	"sort"
	"strings"
)

// Context says how a function comes to be run.
type Context byte

// The contexts.
const (
	// Redriven: by a handler whose failure makes the broker deliver again.
	Redriven Context = 1 << iota
	// Elsewhere: by anything else, or nobody knows.
	Elsewhere
)

// markContexts carries contexts from the functions that nobody calls down to
// what they call. A handler passes on its own alone.
func (p *Program) markContexts() {
	callees := p.callees()
	var work []string
	set := func(s string, c Context) {
		if p.Contexts[s]|c != p.Contexts[s] {
			p.Contexts[s] |= c
			work = append(work, s)
		}
	}
	for _, s := range p.Order {
		if h, ok := p.Handlers[s]; ok {
			if h.OnError == Redeliver && h.Way != ByWebhook {
				set(s, Redriven)
			} else {
				set(s, Elsewhere)
			}
		} else if h, ok := p.Entered[s]; ok && h.Alone {
			set(s, Redriven)
		} else if !p.Funcs[s].Synthetic && !p.calledByCode(s) {
			set(s, Elsewhere)
		}
	}
	for len(work) > 0 {
		s := work[0]
		work = work[1:]
		for _, c := range callees[s] {
			if _, ok := p.Handlers[c]; !ok {
				set(c, p.Contexts[s])
			}
		}
		for _, c := range p.dropped(s) {
			set(c, Elsewhere)
		}
	}
}

// dropped are the functions whose error a function doesn't look at: nothing is delivered
// again for these.
func (p *Program) dropped(s string) []string {
	var out []string
	for _, n := range p.Funcs[s].Nodes {
		if n == nil || n.Kind != NodeCall || !n.Dropped || n.Entry != nil {
			continue
		}
		for _, c := range p.Resolve(n).Symbols {
			if _, ok := p.Handlers[c]; !ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// calledByCode reports whether some function that is no test calls s. Being put
// into a handler's wrapper counts as a call; a wrapper of the compiler's counts if it
// is called.
func (p *Program) calledByCode(s string) bool { return p.calledWithin(s, 3) }

func (p *Program) calledWithin(s string, depth int) bool {
	return depth > 0 && slices.ContainsFunc(p.Callers[s], func(c string) bool {
		f := p.Funcs[c]
		return c != s && !f.Test && (!f.Synthetic || p.calledWithin(c, depth-1))
	})
}

// callees are what each function calls, sorted. Who only hands a method on that
// others are known to call is none of its callers: it runs as they do. That
// is left at methods: a literal is also called in ways that aren't known.
func (p *Program) callees() map[string][]string {
	callees, loops := map[string][]string{}, p.loopsOf()
	for c, callers := range p.Callers {
		if called := p.Calling[c]; len(called) > 0 && strings.HasSuffix(c, "$bound") {
			callers = called
		} else if len(called) == 0 && len(loops[c]) > 0 {
			callers = loops[c]
		}
		for _, s := range callers {
			callees[s] = append(callees[s], c)
		}
	}
	for s := range callees {
		sort.Strings(callees[s])
	}
	return callees
}

// loopsOf are the loops over deliveries that call a function which they were given on a
// longer way, through an interface or a wrapper; nil for one that others call too.
func (p *Program) loopsOf() map[string][]string {
	loops, others := map[string][]string{}, map[string]bool{}
	for _, s := range p.Order {
		h, handler := p.Handlers[s]
		for _, c := range p.dynamic(p.Funcs[s]) {
			if handler && h.Receive != nil {
				loops[c] = append(loops[c], s)
			} else if !p.Funcs[s].Test {
				others[c] = true
			}
		}
	}
	for c := range others {
		delete(loops, c)
	}
	return loops
}
