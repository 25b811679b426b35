package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
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
		if len(b.Succs) != 2 || len(b.Asks) == 0 {
			continue
		}
		onTrue, onFalse := d.leaves(f, i, 0), d.leaves(f, i, 1)
		if onTrue == onFalse {
			continue
		}
		acts := d.acts(f, i, 1) || d.acts(f, i, 0)
		for _, a := range b.Asks {
			if !acts && (a.Form != AsksKind || !d.goesOn(f, a.Node)) {
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
	for _, t := range d.Touches(f, g.Node) {
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
	g.Keyed = d.keyed(f, g.Node)
	return g, true
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
		return onYes
	case AsksThere:
		return !onYes
	case AsksTruth:
		return !onYes || g.Node.Keyed == nil || g.Node.Keyed.Memory
	}
	return false
}

// keyed: the call is given something that comes from the message or, where no
// handler calls the function, from its parameters.
func (d *Dedupe) keyed(f *Func, n *Node) bool {
	if n.Keyed != nil && n.Keyed.Key != nil {
		return d.ofMessage(f, n.Keyed.Key)
	}
	for i, o := range n.From {
		if !(n.Recv && i == 0) && o != nil && d.ofMessage(f, o) {
			return true
		}
	}
	return len(n.Effects) > 0 && slices.ContainsFunc(n.Effects[0].Data.Clauses, func(c Clause) bool {
		return slices.ContainsFunc(c.Params, func(o *Lineage) bool { return d.ofMessage(f, o) })
	})
}

func (d *Dedupe) ofMessage(f *Func, o *Lineage) bool {
	if o == nil {
		return false
	}
	if d.prog.Handling[f.Symbol] {
		return d.prov.Of(f, o).Has(FromMessage)
	}
	return slices.ContainsFunc(o.Refs, func(r LineageRef) bool { return r.Kind == RefParam || r.Kind == RefFree })
}

// maxLeaving bounds the blocks of a branch that leaves.
const maxLeaving = 24

// leaves reports whether a branch goes, without an effect, to the function's end or
// to the next round of the loop that it is in, and doesn't only fail.
func (d *Dedupe) leaves(f *Func, from, succ int) bool {
	ended, blocks := false, 0
	known := f.knownAt(from, succ)
	acted := d.ahead(f, from, succ, func(b *Block) bool {
		if b == nil { // the next round
			ended = true
			return true
		}
		for _, id := range b.Nodes {
			n := f.Nodes[id]
			if n.Kind == NodeReturn {
				ended = ended || n.Err.Const != Yes && (n.Err.Key.Kind == 0 || known[n.Err.Key] != Yes)
			} else if !d.harmless(f, n) {
				return false
			}
		}
		blocks++
		return blocks <= maxLeaving
	})
	return ended && !acted
}

// knownAt is what is known of outcomes on a branch: what the conditions above it tell
// that are its only way.
func (f *Func) knownAt(from, succ int) map[Key]Outcome {
	known := map[Key]Outcome{}
	for at, i := from, succ; ; {
		b := &f.Blocks[at]
		if c := b.Cond; c != nil && c.Key.Kind != 0 && len(b.Succs) == 2 {
			if o := [2]Outcome{c.OnTrue, c.OnFalse}[i]; o != Unknown && known[c.Key] == Unknown {
				known[c.Key] = o
			}
		}
		if len(b.Preds) != 1 || b.Preds[0] == at || len(f.Blocks[b.Preds[0]].Succs) != 2 && len(f.Blocks[b.Preds[0]].Succs) != 1 {
			return known
		}
		i = slices.Index(f.Blocks[b.Preds[0]].Succs, at)
		at = b.Preds[0]
	}
}

// acts reports whether a branch can come to an effect.
func (d *Dedupe) acts(f *Func, from, succ int) bool {
	return d.ahead(f, from, succ, func(b *Block) bool {
		return b == nil || !slices.ContainsFunc(b.Nodes, func(id int) bool { return !d.harmless(f, f.Nodes[id]) })
	})
}

// goesOn reports whether a function can come to an effect after a call has
// succeeded.
func (d *Dedupe) goesOn(f *Func, node int) bool {
	for i := range f.Blocks {
		c := f.Blocks[i].Cond
		if c == nil || c.Key.Kind != 'c' || c.Key.A != node || len(f.Blocks[i].Succs) != 2 {
			continue
		}
		if c.OnTrue == No && d.acts(f, i, 0) || c.OnFalse == No && d.acts(f, i, 1) {
			return true
		}
	}
	return false
}

// ahead goes through the blocks of a branch, nil for the next round of the loop
// that it is in, until a block is refused, and reports whether one was.
func (d *Dedupe) ahead(f *Func, from, succ int, accept func(b *Block) bool) bool {
	work, seen := []int{f.Blocks[from].Succs[succ]}, map[int]bool{}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		next := slices.Contains(f.Blocks[from].Loops, at)
		if seen[at] {
			continue
		}
		seen[at] = true
		b := &f.Blocks[at]
		if next {
			b = nil
		}
		if !accept(b) {
			return true
		}
		if !next {
			work = append(work, f.Blocks[at].Succs...)
		}
	}
	return false
}

// harmless: the call changes nothing that lasts; it may settle the delivery, answer
// the request, read, log.
func (d *Dedupe) harmless(f *Func, n *Node) bool {
	if n.Kind > NodeDefer || n.Keyed != nil {
		return n.Kind != NodeSend
	}
	for i := range n.Effects {
		switch n.Effects[i].Kind {
		case catalog.Write:
			if !n.Effects[i].Cache {
				return false
			}
		case catalog.Publish, catalog.OutboxWrite, catalog.SideEffect, catalog.Begin, catalog.RunInTx:
			return false
		}
	}
	for _, s := range d.prog.runsAny(f, n) {
		if d.prog.Reach[s]&(Writes|Publishes|Outboxes|Outside) != 0 {
			return false
		}
	}
	if n.calls() && n.ErrResult {
		return false // what the caller wants to have done
	}
	return len(n.Effects) > 0 || n.Entry != nil || n.Static != "" || n.Iface == "" || !effectful(n.Method)
}

// calls reports whether a node calls a function that it was given, or finds in a
// field.
func (n *Node) calls() bool {
	v, _ := n.Dynamic.content(funcDepth)
	return n.Static == "" && v != nil && (v.Kind == ValueParam || v.Kind == ValueFree || v.Kind == ValueField)
}

// effectful: by its name, a method that nobody has read changes something.
func effectful(name string) bool {
	return slices.ContainsFunc([]string{"Save", "Create", "Insert", "Update", "Delete", "Publish", "Send", "Process", "Handle", "Execute"}, func(p string) bool {
		return strings.HasPrefix(name, p)
	})
}
