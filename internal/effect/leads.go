package effect

import "slices"

// located is a lineage in the function that it belongs to.
type located struct {
	c *calling
	o *Lineage
}

// leads are the lineages of other functions that a reference stands for; none where
// these are not known.
func (a *Provenance) leads(c *calling, r LineageRef) []located {
	switch r.Kind {
	case RefParam:
		return a.leadsUp(c, r)
	case RefFree:
		if x, ok := a.captured(c, r); ok {
			return []located{x}
		}
	case RefCall, RefChange:
		return a.leadsInto(c, r)
	case RefCapture:
		if x, ok := a.stored(c, r); ok {
			return []located{x}
		}
	}
	return nil
}

func (a *Provenance) leadsUp(c *calling, r LineageRef) []located {
	if x, ok := a.argument(c, r); ok {
		return []located{x}
	}
	if c.alone || a.prog.delivered(c.f, r.Index) {
		return nil
	}
	var out []located
	for _, s := range a.callers(c.f) {
		out = append(out, located{&calling{f: s.f}, selected(s.n.From, LineageRef{Result: r.Index, Field: r.Field})})
	}
	return out
}

// argument is what the call that the function was entered by gives for a parameter; false
// where that call is not known.
func (a *Provenance) argument(c *calling, r LineageRef) (located, bool) {
	if c.node == nil || c.up == nil || !slices.Contains(a.targets(c.up.f, c.node), c.f.Symbol) {
		return located{}, false
	}
	return located{c.up, selected(c.node.From, LineageRef{Result: r.Index, Field: r.Field})}, true
}

// captured is what the function that a literal stands in gives it; false where that
// function is not known.
func (a *Provenance) captured(c *calling, r LineageRef) (located, bool) {
	up := c.up
	for up != nil && up.f.Symbol != c.f.Parent {
		up = up.up
	}
	if up == nil && !c.alone {
		up = &calling{f: a.prog.Funcs[c.f.Parent]}
	}
	if up == nil || up.f == nil {
		return located{}, false
	}
	for _, b := range up.f.Bound {
		if b.Closure == c.f.Symbol && r.Index < len(b.From) {
			return located{up, selected(b.From, LineageRef{Result: r.Index, Field: r.Field})}, true
		}
	}
	return located{up, nil}, true
}

// stored is what a literal stores in a variable that it captures; false where the literal
// is not known.
func (a *Provenance) stored(c *calling, r LineageRef) (located, bool) {
	if r.Index >= len(c.f.Bound) {
		return located{}, false
	}
	g := a.prog.Funcs[c.f.Bound[r.Index].Closure]
	if g == nil {
		return located{}, false
	}
	return located{&calling{f: g, up: c, alone: c.alone}, selected(g.FreeOuts, r)}, true
}

// leadsInto are what a call may run, and where such a function only chooses by what it is
// given, that too; none where nobody has read any.
func (a *Provenance) leadsInto(c *calling, r LineageRef) []located {
	if r.Index >= len(c.f.Nodes) || c.f.Nodes[r.Index] == nil {
		return nil
	}
	n := c.f.Nodes[r.Index]
	var out []located
	for _, t := range a.targetsIn(c, n) {
		g := a.prog.Funcs[t]
		if g == nil {
			continue
		}
		list := g.ReturnFrom
		if r.Kind == RefChange {
			list = g.Outs
		}
		o := selected(list, r)
		out = append(out, located{&calling{f: g, node: n, up: c, alone: c.alone}, o})
		if r.Kind == RefCall && len(o.constants()) > 1 && o.chooses() {
			for _, arg := range n.From {
				out = append(out, located{c, arg})
			}
		}
	}
	return out
}
