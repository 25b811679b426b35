package effect

import (
	"slices"
	"sort"
	"strconv"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

func paramKey(symbol string, i int) string { return symbol + "#" + strconv.Itoa(i) }

func freeKey(symbol string, i int) string { return symbol + "@" + strconv.Itoa(i) }

// Kinds is a set of what a function can do, itself or through its callees.
type Kinds uint16

// The members of Kinds.
const (
	Writes Kinds = 1 << iota
	Publishes
	Outboxes
	Transacts
	Reads
	CallsParam
	Receives
	Locks
	Notifies
	Outside
	// Remembering: it reaches a store that is not the database. It makes a function no relevant
	// one: only rules that ask for it walk there.
	Remembering
)

// Has reports whether all of want are in k.
func (k Kinds) Has(want Kinds) bool { return k&want == want }

// anyReaches reports whether one of the functions can do one of some kinds.
func (p *Program) anyReaches(symbols []string, kinds Kinds) bool {
	return slices.ContainsFunc(symbols, func(s string) bool { return p.Reach[s]&kinds != 0 })
}

// KindOf is the set that one effect belongs to.
func KindOf(e *Effect) Kinds {
	switch e.Kind {
	case catalog.Write:
		return Writes
	case catalog.Publish, catalog.PublishChannel:
		return Publishes
	case catalog.OutboxWrite:
		return Outboxes
	case catalog.OutboxPublisher:
		return Outboxes | Transacts
	case catalog.Begin, catalog.Commit, catalog.Rollback, catalog.RunInTx, catalog.Bind, catalog.AfterCommit:
		return Transacts
	case catalog.Read:
		if e.Lock {
			return Reads | Locks
		}
		return Reads
	case catalog.Receive, catalog.Ack, catalog.Nack, catalog.Requeue:
		return Receives
	case catalog.Notify:
		return Notifies
	case catalog.SideEffect:
		return Outside
	}
	return 0
}

// mark computes Reach, Relevant and Callers by a fixpoint over the call graph.
func (p *Program) mark() {
	callees := map[string][]string{}
	for _, s := range p.Order {
		f := p.Funcs[s]
		k := Kinds(0)
		for _, n := range f.Nodes {
			k |= p.nodeKinds(f, n, callees)
		}
		p.Reach[s] = k
	}
	for s, cs := range callees {
		for _, c := range cs {
			p.Callers[c] = append(p.Callers[c], s)
		}
	}
	for c := range p.Callers {
		sort.Strings(p.Callers[c])
	}
	p.spread()
	p.markChannels()
	for _, s := range p.Order {
		f := p.Funcs[s]
		for _, n := range f.Nodes {
			if n == nil || n.Kind != NodeSend {
				continue
			}
			for _, c := range n.Args {
				if p.Published(f, c) {
					p.Reach[s] |= Publishes
				}
			}
		}
	}
	p.spread()
	for _, s := range p.Order {
		if p.Reach[s]&^Remembering != 0 {
			p.Relevant[s] = true
		}
	}
}

func (p *Program) nodeKinds(f *Func, n *Node, callees map[string][]string) Kinds {
	if n == nil {
		return 0
	}
	k := Kinds(0)
	for i := range n.Effects {
		k |= KindOf(&n.Effects[i])
	}
	for _, a := range n.Args { // closures handed to callees count as called
		callees[f.Symbol] = append(callees[f.Symbol], p.FuncsFrom(a, f.Symbol)...)
	}
	if n.Keyed != nil {
		k |= Remembering
	}
	if n.Kind > NodeDefer {
		return k
	}
	t := p.Resolve(n)
	if n.Dynamic != nil && n.Static == "" {
		t.Symbols = p.FuncsFrom(n.Dynamic, f.Symbol)
		if root := n.Dynamic; root.Kind == ValueParam || root.Kind == ValueFree {
			k |= CallsParam
		}
	}
	callees[f.Symbol] = append(callees[f.Symbol], t.Symbols...)
	for _, c := range t.Symbols {
		p.Calling[c] = append(p.Calling[c], f.Symbol)
	}
	if len(t.Symbols) > 0 {
		k |= n.textKinds()
	}
	if t.Entry != nil && n.Entry == nil {
		k |= KindOf(&Effect{Kind: t.Entry.Kind})
		if keyedOp(t.Entry.Kind) != 0 {
			k |= Remembering
		}
		if t.Entry.Kind == catalog.SQL {
			k |= Writes
		}
	}
	return k
}

// spread carries kinds from callees to callers until nothing changes.
func (p *Program) spread() {
	work := append([]string(nil), p.Order...)
	queued := map[string]bool{}
	for _, s := range work {
		queued[s] = true
	}
	for len(work) > 0 {
		s := work[0]
		work = work[1:]
		queued[s] = false
		k := p.Reach[s] &^ CallsParam
		for _, c := range p.Callers[s] {
			if p.Reach[c]|k != p.Reach[c] {
				p.Reach[c] |= k
				if !queued[c] {
					queued[c] = true
					work = append(work, c)
				}
			}
		}
	}
}
