package effect

import "slices"

// Call is one call on the way down to a value: Node of Func. The last one is
// the call that the value belongs to.
type Call struct {
	Func *Func
	Node *Node
}

// At is the same for the origin of a value at the last of the calls of a path,
// with the functions called as the path says. Of what lies above the path, all
// callers are meant.
func (a *Provenance) At(path []Call, o *Lineage) Sources {
	a.steps = 0
	return a.eval(chain(path), o, 0)
}

// SumsAt are the sums that the value is or contains, of fields of what was stored.
func (a *Provenance) SumsAt(path []Call, o *Lineage) []Sum {
	return a.asking(&met{wantsSums: true}, chain(path), o).sums
}

// meets is what a question for an origin comes by.
func (a *Provenance) meets(c *calling, o *Lineage) *met { return a.asking(&met{}, c, o) }

func (a *Provenance) asking(out *met, c *calling, o *Lineage) *met {
	a.steps, a.met = 0, out
	a.eval(c, o, 0)
	a.met = nil
	return out
}

// Made says what a value at the last of the calls of a path is made from: the parameters
// of the path's first function, constants, and what else there is.
type Made struct {
	Params []LineageRef
	Consts []string
	Rest   Sources
}

// MadeAt asks for one path, whoever calls its first function.
func (a *Provenance) MadeAt(path []Call, o *Lineage) Made {
	c := chain(path)
	top := c
	for top.up != nil && top.up.f != nil {
		top = top.up
	}
	top.alone = true
	a.steps = 0
	out := &met{wantsParams: true}
	a.met = out
	rest := a.eval(c, o, 0)
	a.met = nil
	slices.Sort(out.consts)
	return Made{out.params, slices.Compact(out.consts), rest}
}

func chain(path []Call) *calling {
	c := &calling{}
	for i, l := range path {
		next := &calling{f: l.Func}
		if i > 0 {
			next.up, next.node = c, path[i-1].Node
		}
		c = next
	}
	return c
}

// sum is what a sum is made from, and where somebody asks for sums notes it.
func (a *Provenance) sum(c *calling, r LineageRef, depth int) Sources {
	if r.Index >= len(c.f.Sums) {
		return FromElsewhere
	}
	s := c.f.Sums[r.Index]
	if met := a.met; met != nil && met.wantsSums {
		active := a.active
		a.met, a.active = nil, map[activeRef]bool{}
		if a.eval(c, s.Base, depth).Has(FromStored) {
			met.sums = append(met.sums, s)
		}
		a.met, a.active = met, active
	}
	return a.eval(c, s.All, depth)
}

// targetsIn are the functions that a call runs in a function that was entered by a
// known call: a function that is handed in is the one that this call hands in.
func (a *Provenance) targetsIn(c *calling, n *Node) []string {
	if n.Dynamic == nil || n.Static != "" {
		return a.targets(c.f, n)
	}
	v, at := n.Dynamic, c
	for range 2 * funcDepth {
		if v, _ = v.content(funcDepth); v == nil || at == nil {
			break
		}
		switch v.Kind {
		case ValueFunc, ValueClosure:
			return []string{v.Name}
		case ValueParam, ValueFree:
			v, at = at.given(v)
			continue
		}
		break
	}
	return a.targets(c.f, n)
}

// given is what a parameter or captured variable was given, nil if that is not known.
func (c *calling) given(v *Value) (*Value, *calling) {
	if v.Kind == ValueParam {
		if c.up == nil || c.node == nil || v.Index >= len(c.node.Args) || c.node.Entry != nil {
			return nil, nil
		}
		return c.node.Args[v.Index], c.up
	}
	up := c.up
	for up != nil && up.f.Symbol != c.f.Parent {
		up = up.up
	}
	if up == nil {
		return nil, nil
	}
	for _, n := range up.f.Nodes {
		if n == nil {
			continue
		}
		for _, x := range append(slices.Clone(n.Args), n.Dynamic) {
			if x != nil && x.Kind == ValueClosure && x.Name == c.f.Symbol && v.Index < len(x.Of) {
				return x.Of[v.Index], up
			}
		}
	}
	return nil, nil
}
