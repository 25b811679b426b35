package effect

import (
	"go/types"
	"maps"
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/directive"
)

// Site is a method of an interface, a field of func type or a function that a comment
// can speak of.
type Site struct {
	// Key is unique: the import path, the type and the name, or a function's symbol; Name
	// is for people.
	Key, Name, Package string
	// Pos is where its name stands.
	Pos Position
	// Says is what comments say of it now, Wants what was found; Known is false where
	// nothing was found out, From are the functions that tell.
	Says, Wants []directive.Directive
	Known       bool
	From        []string
	// Delivered: it is called while a delivery is handled. Calls are the places of the
	// calls of a method.
	Delivered bool
	Calls     []Position
	// Through are the methods that are called on what a field of an interface type holds,
	// and that by their names publish.
	Through []string
}

// fillSites finds what linking knows of each site.
func (p *packageBuilder) fillSites() {
	targets, entries, nodes := p.siteTargets()
	calls, delivered := p.methodCalls()
	through := p.throughFields(calls)
	seen := p.closures()
	for i := range p.out.Sites {
		s := &p.out.Sites[i]
		s.From, s.Delivered, s.Calls = targets[s.Key], delivered[s.Key], calls[s.Key]
		if len(s.From) == 0 {
			s.From = p.out.FuncsIn[s.Key]
		}
		if s.Through = through[s.Key]; len(s.Through) > 0 {
			s.Known, s.Wants = true, []directive.Directive{{Verb: directive.Mixed, Handle: directive.Receiver}}
			continue
		}
		s.Known = len(s.From) > 0 || entries[s.Key] != nil
		if s.Known {
			s.Wants = p.out.wants(s.From, entries[s.Key], nodes[s.Key])
			if p.out.told(targets[s.Key], s.Wants, seen(s.Package)) {
				s.Wants = nil
			}
		}
	}
	p.handlerSites()
}

// told: what the comments would say is read in the packages that one with an interface
// imports, which every caller sees.
func (p *Program) told(from []string, wants []directive.Directive, below map[string]bool) bool {
	kinds := map[string]Kinds{directive.Write: Writes, directive.Publish: Publishes, directive.Outbox: Outboxes, directive.Tx: Transacts, directive.Read: Reads}
	want := Kinds(0)
	for _, d := range wants {
		want |= kinds[d.Verb]
	}
	return want != 0 && slices.ContainsFunc(from, func(s string) bool {
		f := p.Funcs[s]
		return f != nil && below[f.Package] && p.Reach[s].Has(want)
	})
}

// closures finds a package with all that it imports.
func (p *packageBuilder) closures() func(path string) map[string]bool {
	units, memo := map[string]*types.Package{}, map[string]map[string]bool{}
	for _, u := range p.units {
		units[u.Path] = u.Types
	}
	return func(path string) map[string]bool {
		if memo[path] != nil || units[path] == nil {
			return memo[path]
		}
		out := map[string]bool{}
		work := []*types.Package{units[path]}
		for len(work) > 0 {
			t := work[len(work)-1]
			work = work[:len(work)-1]
			if !out[t.Path()] {
				out[t.Path()] = true
				work = append(work, t.Imports()...)
			}
		}
		memo[path] = out
		return out
	}
}

// methodCalls are the places at which methods of interfaces are called, and those methods
// that are called while a delivery is handled.
func (p *packageBuilder) methodCalls() (calls map[string][]Position, delivered map[string]bool) {
	calls, delivered = map[string][]Position{}, map[string]bool{}
	for _, symbol := range p.out.Order {
		for _, n := range p.out.Funcs[symbol].Nodes {
			if n == nil || n.Iface == "" {
				continue
			}
			if m, ok := p.ifaces[n.Iface+"."+n.Method]; ok {
				key := funcKey(m.method)
				calls[key] = append(calls[key], n.Pos)
				delivered[key] = delivered[key] || p.out.Handling[symbol]
			}
		}
	}
	return calls, delivered
}

// throughFields are the methods that are called on what fields hold, whose names say that
// they publish, by field; their places are added to calls.
func (p *packageBuilder) throughFields(calls map[string][]Position) map[string][]string {
	out := map[string][]string{}
	for _, symbol := range p.out.Order {
		for _, n := range p.out.Funcs[symbol].Nodes {
			if n == nil || n.Iface == "" || n.Entry != nil {
				continue
			}
			m, ok := p.ifaces[n.Iface+"."+n.Method]
			field := n.Args[0].fieldKey()
			if e := guessed(n); !ok || field == "" || e == nil || KindOf(e) != Publishes {
				continue
			}
			calls[field] = append(calls[field], n.Pos)
			if key := funcKey(m.method); !slices.Contains(out[field], key) {
				out[field] = append(out[field], key)
			}
		}
	}
	return out
}

// siteTargets are what the methods of interfaces may be, and a call of each.
func (p *packageBuilder) siteTargets() (targets map[string][]string, entries map[string]*catalog.Entry, nodes map[string]*Node) {
	targets, entries, nodes = map[string][]string{}, map[string]*catalog.Entry{}, map[string]*Node{}
	for _, key := range slices.Sorted(maps.Keys(p.ifaces)) {
		site := funcKey(p.ifaces[key].method)
		targets[site] = append(targets[site], p.out.Impl[key]...)
		slices.Sort(targets[site])
		targets[site] = slices.Compact(targets[site])
		if e := p.out.ImplEntry[key]; e != nil {
			entries[site] = e
		}
	}
	for _, s := range p.out.Order {
		for _, n := range p.out.Funcs[s].Nodes {
			if n == nil || n.Iface == "" {
				continue
			}
			if m, ok := p.ifaces[n.Iface+"."+n.Method]; ok && nodes[funcKey(m.method)] == nil {
				nodes[funcKey(m.method)] = n
			}
		}
	}
	return targets, entries, nodes
}

// wants are the directives that say what functions do, as far as these can: nothing
// for one that both stores and publishes, whose order a caller would have to know.
func (p *Program) wants(from []string, entry *catalog.Entry, call *Node) []directive.Directive {
	const aside = Reads | Locks | Notifies | Outside | CallsParam | Remembering
	all := Kinds(0)
	for _, s := range from {
		all |= p.Reach[s]
	}
	if entry != nil {
		all |= KindOf(&Effect{Kind: entry.Kind})
	}
	say := func(verbs ...string) []directive.Directive {
		var out []directive.Directive
		for _, v := range verbs {
			d := directive.Directive{Verb: v, Handle: directive.Receiver}
			if v == directive.Write || v == directive.Outbox {
				d.Handle = p.handleOf(from)
			}
			out = append(out, d)
		}
		return out
	}
	switch does := all &^ aside; {
	case does == Publishes:
		return say(directive.Publish)
	case does == Writes:
		return say(directive.Write)
	case does == Outboxes:
		return say(directive.Outbox)
	case does == Writes|Outboxes:
		return say(directive.Write, directive.Outbox)
	case does == Writes|Transacts && !all.Has(CallsParam):
		out := say(directive.Write)
		out[0].Handle, out[0].Autocommit = directive.Receiver, true
		return out
	case does == Transacts && all.Has(CallsParam):
		return say(directive.Tx)
	case call == nil || entry != nil || guessed(call) == nil:
	case does == 0:
		return say(directive.Notify)
	default:
		return say(directive.Mixed)
	}
	switch {
	case all&^aside == 0 && all.Has(Reads) && len(from) > 0 && slices.ContainsFunc(from, p.handsOutRows):
		return say(directive.Read)
	}
	return nil
}

// handsOutRows: a function returns what it has read.
func (p *Program) handsOutRows(symbol string) bool {
	f := p.Funcs[symbol]
	a := NewProvenance(p)
	return f != nil && slices.ContainsFunc(f.ReturnFrom, func(o *Lineage) bool { return a.At([]Call{{Func: f}}, o).Has(FromStored) })
}

// handleOf is the argument that the writes of functions go through, if it is the same
// in all.
func (p *Program) handleOf(from []string) int {
	handle := directive.Receiver
	for i, s := range from {
		f := p.Funcs[p.unbound(s)[0]]
		at, _ := p.writeHandle(f, 5)
		if f.Method {
			at--
		}
		if i > 0 && at != handle {
			return directive.Receiver
		}
		handle = at
	}
	return max(handle, directive.Receiver)
}

// writeHandle is the parameter through which a function writes.
func (p *Program) writeHandle(f *Func, depth int) (param int, ok bool) {
	if f == nil || depth == 0 {
		return 0, false
	}
	for _, n := range f.Nodes {
		if n == nil || n.Kind > NodeDefer {
			continue
		}
		for i := range n.Effects {
			if e := &n.Effects[i]; KindOf(e)&(Writes|Outboxes) != 0 {
				at, ok := p.givenAs(f, e.Handle, depth)
				return at.param, ok
			}
		}
		for _, s := range p.Resolve(n).Symbols {
			if p.Reach[s]&(Writes|Outboxes) == 0 {
				continue
			}
			inner, ok := p.writeHandle(p.Funcs[s], depth-1)
			if !ok || inner >= len(n.Args) {
				return 0, false
			}
			at, ok := p.givenAs(f, n.Args[inner], depth)
			return at.param, ok
		}
	}
	return 0, false
}

// handlerSites are the functions that handle deliveries which code elsewhere takes.
func (p *packageBuilder) handlerSites() {
	from := NewProvenance(p.out)
	for _, symbol := range slices.Sorted(maps.Keys(p.out.Funcs)) {
		f := p.out.Funcs[symbol]
		if f.Parent != "" || f.Synthetic || f.Test || !p.out.Own[f.Package] || f.Pos.Line == 0 {
			continue
		}
		s := Site{Key: symbol, Name: f.Name, Package: f.Package, Pos: f.Pos, Says: f.Declared}
		if h, ok := p.out.takenElsewhere(f); ok {
			s.Wants = []directive.Directive{{Verb: directive.Handler, Handle: directive.Receiver, Broker: h.Broker, Ack: h.Ack, OnError: h.OnError}}
		} else if d, ok := p.out.enteredElsewhere(from, f); ok {
			s.Wants = []directive.Directive{d}
		}
		s.Known = len(s.Wants) > 0
		if s.Known || len(s.Says) > 0 {
			p.out.Sites = append(p.out.Sites, s)
		}
	}
}

// takenElsewhere: a function of the package handles a delivery that another one takes,
// as nobody sees who reads this package and those below it.
func (p *Program) takenElsewhere(f *Func) (Handler, bool) {
	h, ok := p.Dispatched[f.Symbol]
	if !ok {
		if h, ok = p.Handlers[f.Symbol]; !ok || h.Way != ByRegistration || h.From == f.Package {
			return Handler{}, false
		}
	}
	here := slices.ContainsFunc(p.Callers[f.Symbol], func(c string) bool {
		g := p.Funcs[c]
		return g.Package == f.Package && !g.Synthetic && p.Handling[c] && !p.lentOut(g)
	})
	return h, h.Ack != "" && !here
}

// lentOut: a literal runs while a delivery is handled only because code elsewhere is
// given it.
func (p *Program) lentOut(g *Func) bool {
	if h, ok := p.Handlers[g.Symbol]; ok && (h.Way != ByRegistration || h.From == g.Package) {
		return false
	}
	root := g
	for p.Funcs[root.Parent] != nil {
		root = p.Funcs[root.Parent]
	}
	return root != g && !p.Handling[root.Symbol]
}
