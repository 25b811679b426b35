package effect

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Touch is one thing that a call does to a store, itself or through what it calls.
type Touch struct {
	Op KeyedOp
	// Names are what the store goes by: tables and entities, or the map, the cache.
	Names []string
	// Outside: the store is not the database. Memory: it is in the process.
	Outside, Memory bool
	// Func and Node are the library's call, Effect what it does to the database.
	Func   *Func
	Node   *Node
	Effect *Effect
}

// Same reports whether two touches are of the same store.
func (t *Touch) Same(o *Touch) bool {
	if t.Outside != o.Outside {
		return false
	}
	return slices.ContainsFunc(t.Names, func(n string) bool { return slices.Contains(o.Names, n) })
}

// maxTouches bounds what is kept of one function.
const maxTouches = 60

// Touches are what a call does to stores.
func (d *Dedupe) Touches(f *Func, n *Node) []Touch {
	if n == nil {
		return nil
	}
	if n.Keyed != nil {
		return []Touch{KeyedTouch(f, n)}
	}
	var out []Touch
	for i := range n.Effects {
		if t, ok := TouchOf(f, n, &n.Effects[i]); ok {
			out = append(out, t)
		}
	}
	for _, s := range d.prog.runsAny(f, n) {
		out = append(out, d.within(s)...)
	}
	if n.Entry != nil {
		for _, a := range n.Args { // functions that a library runs
			for _, s := range d.prog.FuncsFrom(a, f.Symbol) {
				out = append(out, d.within(s)...)
			}
		}
	}
	if len(n.Effects) == 0 && n.Iface != "" {
		if t := d.prog.Resolve(n); t.Entry != nil {
			out = append(out, d.behind(f, n, t.Entry)...)
		}
	}
	return once(out)
}

// once leaves out the touches of a call that is reached on several ways.
func once(ts []Touch) []Touch {
	var out []Touch
	seen := map[*Node]int{}
	for _, t := range ts {
		if i, ok := seen[t.Node]; ok && out[i].Effect == t.Effect || len(out) == maxTouches {
			continue
		}
		seen[t.Node] = len(out)
		out = append(out, t)
	}
	return out
}

// behind is what a library's method does that implements an interface of the
// module.
func (d *Dedupe) behind(f *Func, n *Node, e *catalog.Entry) []Touch {
	if op := keyedOp(e.Kind); op != 0 {
		return []Touch{{Op: op, Names: []string{e.Library}, Outside: true, Memory: e.Broker == "memory", Func: f, Node: n}}
	}
	if x := n.As(e, f); x != nil {
		if t, ok := TouchOf(f, n, x); ok {
			return []Touch{t}
		}
	}
	return nil
}

// within are the touches of a function. One that calls itself is taken as it is known
// so far.
func (d *Dedupe) within(symbol string) []Touch {
	if got, ok := d.touched[symbol]; ok {
		return got
	}
	f := d.prog.Funcs[symbol]
	if f == nil || f.Test || d.busy[symbol] {
		return nil
	}
	d.busy[symbol] = true
	var out []Touch
	for _, n := range f.Nodes {
		if n != nil && len(out) < maxTouches && (n.Kind <= NodeDefer || n.Kind == NodeMap) {
			out = append(out, d.Touches(f, n)...)
		}
	}
	delete(d.busy, symbol)
	out = once(out)
	d.touched[symbol] = out
	return out
}

// KeyedTouch is what a call does to a store that is not the database.
func KeyedTouch(f *Func, n *Node) Touch {
	k := n.Keyed
	return Touch{Op: k.Op, Names: []string{k.Store}, Outside: true, Memory: k.Memory, Func: f, Node: n}
}

// TouchOf is what an effect does to a table: a read looks a row up, an insert claims
// it. It is false for an effect that touches none.
func TouchOf(f *Func, n *Node, e *Effect) (Touch, bool) {
	t := Touch{Names: e.Names(), Func: f, Node: n, Effect: e}
	switch e.Kind {
	case catalog.Read:
		t.Op = Recalls
	case catalog.Write:
		switch e.Op {
		case catalog.Insert:
			t.Op = Claims
		case catalog.Upsert:
			t.Op = Remembers
			if e.Claims() {
				t.Op = Claims
			}
		case catalog.Delete:
			t.Op = Forgets
		default:
			t.Op = Remembers
		}
	default:
		return t, false
	}
	if len(t.Names) == 0 { // the type that hides it stands for the table
		t.Names = []string{f.owner()}
	}
	return t, true
}

// owner is the type whose method a function is, or its package.
func (f *Func) owner() string {
	if t := receiver(f.Symbol); t != "" {
		return t
	}
	return f.Package
}
