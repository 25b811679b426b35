package checkthenact

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// maxRoots bounds the handlers from which one gate is walked.
const maxRoots = 12

// roots are the functions from which a gate is walked: the handlers that reach it;
// without one, its own function where what it does is a dedupe all the same. Who hands
// the effect to it as a function is one too.
func (c *checker) roots(g *effect.Gate) []string {
	own := g.Func.Symbol
	var out []string
	switch {
	case c.p.Handling[own]:
		out = c.handlers(own)
	case c.alone(g) || c.flag(g):
		out = []string{own}
	default:
		return nil
	}
	if c.alone(g) && slices.ContainsFunc(g.Func.Nodes, func(n *effect.Node) bool { return n != nil && n.CallsGiven() }) {
		for _, up := range c.p.Callers[own] {
			if !c.p.Handling[up] && !c.p.Funcs[up].Test && len(out) < maxRoots {
				out = append(out, up)
			}
		}
	}
	return out
}

// handlers are those that reach a function; one that is called through a table stands
// for them.
func (c *checker) handlers(symbol string) []string {
	var out []string
	work, seen := []string{symbol}, map[string]bool{}
	for len(work) > 0 && len(out) < maxRoots {
		s := work[0]
		work = work[1:]
		if seen[s] {
			continue
		}
		seen[s] = true
		if h, ok := c.p.Handlers[s]; ok && c.p.Funcs[s] != nil && !c.p.Funcs[s].Test {
			if h.OnError != effect.Drop { // nothing is delivered again
				out = append(out, s)
			}
			continue
		}
		up := slices.DeleteFunc(slices.Clone(c.p.Callers[s]), func(u string) bool { return !c.p.Handling[u] || u == s })
		if len(up) == 0 {
			out = append(out, s)
		}
		work = append(work, up...)
	}
	return out
}

// alone: what a gate is for can be told without a handler.
func (c *checker) alone(g *effect.Gate) bool {
	return c.p.Handling[g.Func.Symbol] || g.Func.Message >= 0 || claimsOutside(g) || named(g)
}

// flag: what the function sets where it is done is the very thing that it asks.
func (c *checker) flag(g *effect.Gate) bool {
	return c.touches(g, func(t *effect.Touch) bool {
		return t.Op == effect.Remembers && t.Effect != nil && t.Effect.Flag && !t.Effect.Conditional
	})
}
