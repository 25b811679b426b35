package effect

import "slices"

// Provenance answers what a value may be made from, across functions. It
// remembers its answers and belongs to one rule.
type Provenance struct {
	prog *Program
	// sites are the calls of each function.
	sites map[string][]site
	memo  map[paramField]Sources
	asked map[paramField]bool
	// active are the references that are being answered.
	active map[activeRef]bool
	steps  int
	// cuts counts the references that were met again while being answered.
	cuts int
	// met is what is noted on the way to an answer, nil where a question doesn't want to
	// know.
	met *met
}

// met is what a question came by.
type met struct {
	// wantsSums: to find these what they are made from is asked too.
	wantsSums bool

	sums   []Sum
	consts []string
	reads  []Read
	// clocks are the functions in which something is made anew.
	clocks []string
	// wantsParams: parameters of the outermost function are kept apart, in params.
	wantsParams bool
	params      []LineageRef
}

// site is a call of a function.
type site struct {
	f *Func
	n *Node
}

type activeRef struct {
	f    *Func
	node *Node
	ref  LineageRef
}

type paramField struct {
	symbol string
	index  int
	field  string
}

// The caps of one question.
const (
	maxAsked = 5000
	maxDepth = 24
)

// NewProvenance returns what answers for a program.
func NewProvenance(p *Program) *Provenance {
	return &Provenance{prog: p, memo: map[paramField]Sources{}, asked: map[paramField]bool{}, active: map[activeRef]bool{}}
}

// Of is what an origin in f comes down to, over all callers: those that a handler
// reaches where there are such.
func (a *Provenance) Of(f *Func, o *Lineage) Sources {
	a.steps = 0
	return a.eval(&calling{f: f}, o, 0)
}

// Given is what a node is given may be made from: its arguments, and what the
// function literals among them capture.
func (a *Provenance) Given(f *Func, n *Node) Sources {
	out := Sources(0)
	for _, o := range n.From {
		out |= a.Of(f, o)
	}
	for _, v := range append([]*Value{n.Dynamic}, n.Args...) {
		if v == nil || v.Kind != ValueClosure {
			continue
		}
		for _, b := range f.Bound {
			if b.Closure != v.Name {
				continue
			}
			for _, o := range b.From {
				out |= a.Of(f, o)
			}
		}
	}
	return out
}

// calling is a function and the call that it was entered by, if that is known.
type calling struct {
	f    *Func
	node *Node
	up   *calling
	// alone: nobody asks who calls the outermost.
	alone bool
}

func (a *Provenance) eval(c *calling, o *Lineage, depth int) Sources {
	if o == nil || c.f == nil {
		return 0
	}
	out := o.Bits
	if a.met != nil {
		a.met.consts = append(a.met.consts, o.Consts...)
		if o.Bits.Has(FromFresh) {
			a.met.clocks = append(a.met.clocks, c.f.Symbol)
		}
	}
	for _, r := range o.Refs {
		if a.steps++; a.steps > maxAsked || depth > maxDepth {
			return out | FromElsewhere
		}
		key := activeRef{c.f, c.node, r}
		if a.active[key] {
			a.cuts++
			continue
		}
		a.active[key] = true
		out |= a.ref(c, r, depth+1)
		delete(a.active, key)
	}
	for _, f := range o.Fields {
		out |= a.eval(c, f.Of, depth)
	}
	return out
}

func (a *Provenance) ref(c *calling, r LineageRef, depth int) Sources {
	switch r.Kind {
	case RefSum:
		return a.sum(c, r, depth)
	case RefRead:
		a.noteRead(c, r)
		return FromStored
	case RefParam:
		return a.param(c, r, depth)
	case RefFree:
		return a.free(c, r, depth)
	case RefCall, RefChange:
		return a.result(c, r, depth)
	case RefCapture:
		if x, ok := a.stored(c, r); ok {
			return a.eval(x.c, x.o, depth)
		}
	}
	return FromElsewhere
}

// selected is the origin that a reference picks from a list.
func selected(list []*Lineage, r LineageRef) *Lineage {
	if r.Result >= len(list) {
		return nil
	}
	o := list[r.Result]
	if r.Field != "" {
		return o.Field(r.Field)
	}
	return o
}

// param asks the call that the function was entered by, or all of its callers.
func (a *Provenance) param(c *calling, r LineageRef, depth int) Sources {
	if x, ok := a.argument(c, r); ok {
		return a.eval(x.c, x.o, depth)
	}
	if c.alone {
		if a.met == nil || !a.met.wantsParams {
			return FromElsewhere
		}
		if !slices.Contains(a.met.params, r) {
			a.met.params = append(a.met.params, r)
		}
		return 0
	}
	return a.anyParam(c.f, r, depth)
}

// anyParam is what a parameter may be whoever calls.
func (a *Provenance) anyParam(f *Func, r LineageRef, depth int) Sources {
	if a.prog.delivered(f, r.Index) {
		return FromMessage
	}
	if h, ok := a.prog.Entered[f.Symbol]; ok && slices.Contains(h.Stored, r.Index) {
		return FromStored
	}
	key := paramField{f.Symbol, r.Index, r.Field}
	if got, ok := a.memo[key]; ok && a.met == nil {
		return got
	}
	if a.asked[key] {
		a.cuts++
		return 0
	}
	a.asked[key] = true
	cuts, out := a.cuts, Sources(0)
	callers := a.callers(f)
	for _, s := range callers {
		out |= a.eval(&calling{f: s.f}, selected(s.n.From, LineageRef{Result: r.Index, Field: r.Field}), depth)
	}
	if len(callers) == 0 {
		out = FromElsewhere
	}
	delete(a.asked, key)
	if a.cuts == cuts && a.steps <= maxAsked {
		a.memo[key] = out
	}
	return out
}

// callers are the calls of a function: those that handlers reach, if any does.
func (a *Provenance) callers(f *Func) []site {
	if a.sites == nil {
		a.index()
	}
	var handled, other []site
	for _, s := range a.sites[f.Symbol] {
		switch {
		case s.f.Test:
		case a.prog.Handling[s.f.Symbol]:
			handled = append(handled, s)
		default:
			other = append(other, s)
		}
	}
	if len(handled) > 0 {
		return handled
	}
	return other
}

// Callers are the calls of a function: those that handlers reach, if any does.
func (a *Provenance) Callers(f *Func) []Call {
	var out []Call
	for _, s := range a.callers(f) {
		out = append(out, Call{s.f, s.n})
	}
	return out
}

// Others are the calls of a function by code that no handler reaches.
func (a *Provenance) Others(f *Func) []Call {
	if a.sites == nil {
		a.index()
	}
	var out []Call
	for _, s := range a.sites[f.Symbol] {
		if !s.f.Test && !a.prog.Handling[s.f.Symbol] {
			out = append(out, Call{s.f, s.n})
		}
	}
	return out
}

// Runs are the functions that a call may run.
func (a *Provenance) Runs(f *Func, n *Node) []string { return a.targets(f, n) }

func (a *Provenance) index() {
	a.sites = map[string][]site{}
	for _, s := range a.prog.Order {
		f := a.prog.Funcs[s]
		for _, n := range f.Nodes {
			if n == nil || n.Kind > NodeDefer {
				continue
			}
			for _, t := range a.targets(f, n) {
				a.sites[t] = append(a.sites[t], site{f, n})
			}
		}
	}
}

func (a *Provenance) targets(f *Func, n *Node) []string { return a.prog.runsAny(f, n) }

// runsAny are the functions that a call may run, found on any way.
func (p *Program) runsAny(f *Func, n *Node) []string {
	if n.Mediated != "" {
		return p.Mediated[n.Mediated]
	}
	if n.Dynamic != nil && n.Static == "" {
		return p.Wide(n.Dynamic, f.Symbol)
	}
	return p.Resolve(n).Symbols
}

// free asks the function that a literal stands in.
func (a *Provenance) free(c *calling, r LineageRef, depth int) Sources {
	if x, ok := a.captured(c, r); ok {
		return a.eval(x.c, x.o, depth)
	}
	return FromElsewhere
}

// result asks what a call may run for its result, or for what it stores through
// an argument. One that nobody has read may pass on any other argument.
func (a *Provenance) result(c *calling, r LineageRef, depth int) Sources {
	if r.Index >= len(c.f.Nodes) || c.f.Nodes[r.Index] == nil {
		return FromElsewhere
	}
	out := Sources(0)
	into := a.leadsInto(c, r)
	for _, x := range into {
		out |= a.eval(x.c, x.o, depth)
	}
	if len(into) > 0 {
		return out
	}
	n := c.f.Nodes[r.Index]
	if t := a.prog.Resolve(n); t.Entry != nil {
		if bits := filledBy(t.Entry); bits != 0 {
			return bits
		}
	}
	for i, o := range n.From {
		if r.Kind != RefChange || i != r.Result {
			out |= a.eval(c, o, depth)
		}
	}
	if out&^FromConst != 0 {
		return out &^ FromConst
	}
	if r.Kind == RefCall && out == 0 {
		return FromElsewhere
	}
	return out
}
