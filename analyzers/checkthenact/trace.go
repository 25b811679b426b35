package checkthenact

import (
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// Trace says of each gate at the places that t picks why it is reported or not.
func Trace(p *effect.Program, t *flow.Trace) {
	c := newChecker(p)
	for _, symbol := range p.Order {
		f := p.Funcs[symbol]
		for _, g := range c.d.Gates(f) {
			if !t.At(g.Node.Pos) {
				continue
			}
			step := flow.Step{Witness: flow.Witness{Path: []flow.Level{{Func: f, Node: g.Node}}}, Kind: "check for a duplicate", Where: flow.InPool}
			if why := c.silent(&g); why != "" {
				step.Why = []string{why}
			}
			t.Steps = append(t.Steps, step)
		}
	}
}

// silent says why a gate makes no finding, "" if it makes one.
func (c *checker) silent(g *effect.Gate) string {
	switch {
	case g.Func.Test || g.Func.Synthetic || !c.p.Own[g.Func.Package]:
		return "test code and other modules are not linted"
	case !g.Keyed:
		return "what it asks for is not known to come from the message"
	case !single(c.rule(g).stores):
		return "it asks more than one store"
	case !c.records(g):
		return "nothing is seen that tells the store of the delivery"
	}
	roots := c.roots(g)
	if len(roots) == 0 {
		return "no handler whose deliveries come again is known to reach it"
	}
	for _, root := range roots {
		if len(c.best(g, flow.NewWalker(c.p, c.rule(g)).From(root))) > 0 {
			return ""
		}
	}
	return "on every path it is in the transaction of what follows, or that can be repeated"
}
