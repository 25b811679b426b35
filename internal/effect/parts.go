package effect

import (
	"slices"
	"strings"
)

// Read is what a value was read from: a table and the field of its row, "" where
// that is not known.
type Read struct{ Table, Field string }

// Part is one field of what a write is given.
type Part struct {
	Name string
	// From is what is stored in the field on the way; what the rest of the struct is
	// made from is no part of it.
	From   Sources
	Consts []string
	// Func is the function that assigns it and At the assignment, nil if not known.
	Func *Func
	At   *Assign
	// Fresh are the functions in which it is made anew.
	Fresh []string
}

func (x *Part) assignment() Assignment {
	return Assignment{Name: x.Name, From: x.From, Consts: x.Consts, Func: x.Func, At: x.At, Fresh: x.Fresh}
}

// maxParts bounds the fields of a struct that are told apart.
const maxParts = 80

// PartsAt are the fields that are assigned one by one in a value at the last of the
// calls of a path, and what the struct is made from otherwise.
func (a *Provenance) PartsAt(path []Call, o *Lineage) ([]Part, Sources) {
	p := &parting{a: a, seen: map[activeRef]bool{}}
	p.visit(chain(path), o, "", 0)
	return p.parts, p.whole
}

// ConstsAt are the constants that a value may be.
func (a *Provenance) ConstsAt(path []Call, o *Lineage) []string {
	return a.constsOf(chain(path), o)
}

func (a *Provenance) constsOf(c *calling, o *Lineage) []string {
	a.steps = 0
	var out []string
	a.consts = &out
	a.eval(c, o, 0)
	a.consts = nil
	slices.Sort(out)
	return slices.Compact(out)
}

// ReadsAt are what a value was read from.
func (a *Provenance) ReadsAt(path []Call, o *Lineage) []Read {
	a.steps = 0
	var out []Read
	a.reads = &out
	a.eval(chain(path), o, 0)
	a.reads = nil
	return out
}

func (a *Provenance) noteRead(c *calling, r LineageRef) {
	if a.reads == nil || r.Index >= len(c.f.Nodes) || c.f.Nodes[r.Index] == nil {
		return
	}
	x := Read{Field: r.Field}
	for _, e := range c.f.Nodes[r.Index].Effects {
		if x.Table == "" {
			x.Table = e.Table
		}
	}
	if !slices.Contains(*a.reads, x) {
		*a.reads = append(*a.reads, x)
	}
}

// parting follows a struct to where its fields are assigned.
type parting struct {
	a     *Provenance
	parts []Part
	whole Sources
	seen  map[activeRef]bool
}

// visit looks for the fields of a struct, or for the one that is wanted.
func (p *parting) visit(c *calling, o *Lineage, want string, depth int) {
	if o == nil || c == nil || c.f == nil || depth > maxDepth {
		return
	}
	p.whole |= o.Bits
	for _, f := range o.Fields {
		if want == "" || f.Name == want || strings.HasPrefix(f.Name, want+".") {
			p.add(c, f)
		}
	}
	for _, r := range o.Refs {
		key := activeRef{c.f, c.node, r}
		if p.seen[key] {
			continue
		}
		p.seen[key] = true
		field := r.Field
		r.Field = ""
		next := p.a.leads(c, r)
		if field != "" && want != "" || len(next) == 0 {
			r.Field = field
			p.whole |= p.a.evalAlone(c, r)
			continue
		}
		for _, x := range next {
			p.visit(x.c, x.o, field+want, depth+1)
		}
	}
}

func (p *parting) add(c *calling, f FieldLineage) {
	part := Part{Name: f.Name, From: p.a.evalFresh(c, f.Of)}
	if f.At == 0 && part.From.Has(FromStored) {
		p.whole |= FromStored // it was read into field by field
		return
	}
	if part.From == FromConst {
		part.Consts = p.a.constsOf(c, f.Of)
	}
	if part.From.Has(FromFresh) {
		part.Fresh = p.a.freshIn(c, f.Of)
	}
	if f.At > 0 && f.At <= len(c.f.Assigns) {
		part.Func, part.At = c.f, &c.f.Assigns[f.At-1]
	}
	i := slices.IndexFunc(p.parts, func(x Part) bool { return x.Name == f.Name })
	if i < 0 {
		if len(p.parts) < maxParts {
			p.parts = append(p.parts, part)
		}
		return
	}
	old := &p.parts[i]
	old.From |= part.From
	old.Consts = append(old.Consts, part.Consts...)
	if old.At == nil || old.At.Made {
		old.Func, old.At = part.Func, part.At
	}
}

func (a *Provenance) evalFresh(c *calling, o *Lineage) Sources {
	a.steps = 0
	return a.eval(c, o, 0)
}

func (a *Provenance) evalAlone(c *calling, r LineageRef) Sources {
	return a.evalFresh(c, &Lineage{Refs: []LineageRef{r}})
}

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
		return a.leadsOut(c, r)
	case RefCall, RefChange:
		return a.leadsInto(c, r)
	case RefCapture:
		if r.Index < len(c.f.Bound) {
			if g := a.prog.Funcs[c.f.Bound[r.Index].Closure]; g != nil {
				return []located{{&calling{f: g, up: c, alone: c.alone}, selected(g.FreeOuts, r)}}
			}
		}
	}
	return nil
}

func (a *Provenance) leadsUp(c *calling, r LineageRef) []located {
	arg := LineageRef{Result: r.Index, Field: r.Field}
	if c.node != nil && c.up != nil && slices.Contains(a.targets(c.up.f, c.node), c.f.Symbol) {
		return []located{{c.up, selected(c.node.From, arg)}}
	}
	if c.alone || a.prog.delivered(c.f, r.Index) {
		return nil
	}
	var out []located
	for _, s := range a.callers(c.f) {
		out = append(out, located{&calling{f: s.f}, selected(s.n.From, arg)})
	}
	return out
}

func (a *Provenance) leadsOut(c *calling, r LineageRef) []located {
	up := c.up
	for up != nil && up.f.Symbol != c.f.Parent {
		up = up.up
	}
	if up == nil && !c.alone {
		up = &calling{f: a.prog.Funcs[c.f.Parent]}
	}
	if up == nil || up.f == nil {
		return nil
	}
	for _, b := range up.f.Bound {
		if b.Closure == c.f.Symbol && r.Index < len(b.From) {
			return []located{{up, selected(b.From, LineageRef{Result: r.Index, Field: r.Field})}}
		}
	}
	return nil
}

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
		if r.Kind == RefCall && len(o.constants()) > 1 && o.chooses() {
			for _, arg := range n.From {
				out = append(out, located{c, arg})
			}
		}
		out = append(out, located{&calling{f: g, node: n, up: c, alone: c.alone}, o})
	}
	return out
}

// ReadsOf are what a value was read from, over all callers.
func (a *Provenance) ReadsOf(f *Func, o *Lineage) []Read { return a.ReadsAt([]Call{{Func: f}}, o) }

// FreshAt are the symbols of the functions in which what a value is made from is made
// anew.
func (a *Provenance) FreshAt(path []Call, o *Lineage) []string {
	return a.freshIn(chain(path), o)
}

func (a *Provenance) freshIn(c *calling, o *Lineage) []string {
	a.steps = 0
	var out []string
	a.clocks = &out
	a.eval(c, o, 0)
	a.clocks = nil
	return out
}
