package effect

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Dedupe answers by what a function tells a delivery that it has handled from a
// new one. What counts is what the code does: it asks a store, and leaves without
// an effect on one of the answers.
type Dedupe struct {
	prog    *Program
	prov    *Provenance
	touched map[string][]Touch
	busy    map[string]bool
	gates   map[string][]Gate
}

// NewDedupe returns what answers for a program.
func NewDedupe(p *Program) *Dedupe {
	return &Dedupe{prog: p, prov: NewProvenance(p), touched: map[string][]Touch{}, busy: map[string]bool{}, gates: map[string][]Gate{}}
}

// Gate is a call whose outcome decides whether a function goes on: on one branch
// it leaves with success and has done nothing.
type Gate struct {
	Func *Func
	Node *Node
	Form Form
	// Block decides, and its successor with index Skip leaves.
	Block, Skip int
	// Lookups and Claims are what the call asks and what it claims.
	Lookups, Claims []Touch
	// Keyed: the call is given something that the message tells.
	Keyed bool
}

// Claims reports whether a statement tells the first of several that insert the
// same row.
func (e *Effect) Claims() bool {
	s := e.Statement
	return s != nil && s.Verb == sqltext.VerbInsert && (s.Conflict == sqltext.ConflictNothing || len(s.ConflictCompared) > 0)
}

// Guarded reports whether a function, or one that it calls, asks a store about the
// message and leaves on one of the answers.
func (d *Dedupe) Guarded(symbol string) bool {
	return d.guarded(symbol, map[string]bool{})
}

func (d *Dedupe) guarded(symbol string, seen map[string]bool) bool {
	f := d.prog.Funcs[symbol]
	if f == nil || seen[symbol] {
		return false
	}
	seen[symbol] = true
	if slices.ContainsFunc(d.Gates(f), func(g Gate) bool { return g.Keyed }) {
		return true
	}
	for _, n := range f.Nodes {
		if n == nil || n.Kind > NodeDefer {
			continue
		}
		for _, s := range d.calls(f, n) {
			if d.guarded(s, seen) {
				return true
			}
		}
	}
	return false
}

// calls are the functions that a node runs, those that it hands on included.
func (d *Dedupe) calls(f *Func, n *Node) []string {
	out := d.prog.runsAny(f, n)
	for _, a := range n.Args {
		out = append(out, d.prog.FuncsFrom(a, f.Symbol)...)
	}
	return out
}

// Gates are the calls of a function that decide whether it goes on, in the order of
// the blocks.
func (d *Dedupe) Gates(f *Func) []Gate {
	if got, ok := d.gates[f.Symbol]; ok {
		return got
	}
	var out []Gate
	for i := range f.Blocks {
		b := &f.Blocks[i]
		if len(b.Succs) != 2 || len(b.Asks) == 0 || slices.Contains(b.Loops, i) {
			continue // the head of a loop asks for the next round
		}
		only := [2]way{d.leaves(f, i, 0), d.leaves(f, i, 1)}
		for _, a := range b.Asks {
			if f.Nodes[a.Node] == nil { // facts keep no calls of other packages that do nothing
				continue
			}
			onTrue, ok := d.skips(f, a, only)
			if !ok {
				continue
			}
			if g, ok := d.gate(f, i, a, onTrue); ok {
				out = append(out, g)
			}
		}
	}
	d.gates[f.Symbol] = out
	return out
}

// gate is what a branch that leaves asks.
func (d *Dedupe) gate(f *Func, block int, a Ask, onTrue bool) (Gate, bool) {
	g := Gate{Func: f, Node: f.Nodes[a.Node], Form: a.Form, Block: block, Skip: 1}
	if onTrue {
		g.Skip = 0
	}
	writes := false
	for _, t := range whatLasts(g.Node, d.Touches(f, g.Node)) {
		switch t.Op {
		case Recalls:
			g.Lookups = append(g.Lookups, t)
		case Claims, Scripts:
			g.Claims = append(g.Claims, t)
		case Forgets:
			writes = writes || !t.Outside // a cache drops what has expired
		default:
			writes = true
		}
	}
	skipsOnYes := a.Yes == onTrue
	switch {
	case len(g.Claims) > 0 && claimed(&g, skipsOnYes):
	case len(g.Claims) == 0 && !writes && len(g.Lookups) > 0 && found(&g, skipsOnYes):
	default:
		return g, false
	}
	g.Keyed = d.KeyedBy(f, g.Node)
	return g, true
}

// whatLasts leaves out what is in memory where a call through an interface may as well be to a
// store that lasts: that is what runs, and memory stands in for it.
func whatLasts(n *Node, ts []Touch) []Touch {
	if n.Iface == "" || !slices.ContainsFunc(ts, func(t Touch) bool { return !t.Memory }) {
		return ts
	}
	return slices.DeleteFunc(slices.Clone(ts), func(t Touch) bool { return t.Memory })
}

// found: the branch that leaves is the one on which something was found.
func found(g *Gate, onYes bool) bool {
	switch g.Form {
	case AsksError, AsksThere, AsksTruth:
		return onYes
	case AsksState:
		return true
	}
	return false
}

// claimed: the branch that leaves is the one on which somebody else was first. What
// a truth means, only the call itself knows.
func claimed(g *Gate, onYes bool) bool {
	switch g.Form {
	case AsksKind:
		return onYes || g.Claims[0].Op == Scripts
	case AsksThere:
		return !onYes
	case AsksTruth:
		return !onYes || g.Node.Keyed == nil || g.Node.Keyed.Memory
	}
	return false
}

// KeyedBy: the call is given something that comes from the message or, where no
// handler calls the function, from its parameters.
func (d *Dedupe) KeyedBy(f *Func, n *Node) bool {
	if n.Keyed != nil && n.Keyed.Key != nil {
		return d.Keyed(f, n.Keyed.Key)
	}
	for i, o := range n.From {
		if !(n.Recv && i == 0) && o != nil && d.Keyed(f, o) {
			return true
		}
	}
	return len(n.Effects) > 0 && slices.ContainsFunc(n.Effects[0].Data.Clauses, func(c Clause) bool {
		return slices.ContainsFunc(c.Params, func(o *Lineage) bool { return d.Keyed(f, o) })
	})
}

// Keyed reports whether a value comes from the message or, where no handler calls
// the function, from its parameters.
func (d *Dedupe) Keyed(f *Func, o *Lineage) bool {
	if o == nil {
		return false
	}
	if d.prog.Handling[f.Symbol] {
		return d.prov.Of(f, o).Has(FromMessage)
	}
	return given(f, o, 4)
}

// given reports whether a value comes from what the function is given.
func given(f *Func, o *Lineage, depth int) bool {
	if o == nil || depth == 0 {
		return false
	}
	return slices.ContainsFunc(o.Refs, func(r LineageRef) bool {
		switch r.Kind {
		case RefParam, RefFree:
			return true
		case RefCall:
			return f.Nodes[r.Index] != nil && slices.ContainsFunc(f.Nodes[r.Index].From, func(x *Lineage) bool { return given(f, x, depth-1) })
		}
		return false
	})
}
