package effect

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

func (b *builder) sendNode(i *ssa.Send) *Node {
	n := &Node{Pos: b.p.position(i.Pos()), Text: b.p.sent(i.Pos()), Origins: b.originsOf(i.X)}
	if !wakesUp(i.Chan) {
		n.Args = []*Value{b.value(i.Chan, valueDepth), b.value(i.X, valueDepth)}
		n.From = b.lineages([]ssa.Value{i.Chan, i.X})
		n.Sent = n.Args[1:]
	}
	return n
}

// selectNode is the sends of a select; which one is taken is not known.
func (b *builder) selectNode(i *ssa.Select) *Node {
	n := &Node{Pos: b.p.position(i.Pos()), Text: "select"}
	received := 0
	for _, s := range i.States {
		if s.Dir == types.SendOnly {
			n.Pos, n.Text = b.p.position(s.Pos), b.p.sent(s.Pos)
			if !wakesUp(s.Chan) {
				n.Args = append(n.Args, b.value(s.Chan, valueDepth))
				n.From = append(n.From, b.lineages([]ssa.Value{s.Send})...)
				n.Sent = append(n.Sent, b.value(s.Send, valueDepth))
			}
			continue
		}
		c := b.value(s.Chan, valueDepth)
		n.Received = append(n.Received, c)
		n.delivers(b, s.Chan.Type())
		if uses(i, received+2) { // after the index and ok
			n.Taken = append(n.Taken, c)
		}
		received++
	}
	return n
}

func (b *builder) receiveNode(i *ssa.UnOp) *Node {
	n := &Node{Pos: b.p.position(i.Pos()), Args: []*Value{b.value(i.X, valueDepth)}}
	n.delivers(b, i.X.Type())
	if uses(i, 0) {
		n.Taken = n.Args
	}
	return n
}

// wakesUp: what is sent on a channel of struct{} or bool says no more than that
// there is something to look for; the receiver finds it elsewhere.
func wakesUp(ch ssa.Value) bool {
	c, ok := ch.Type().Underlying().(*types.Chan)
	if !ok {
		return false
	}
	s, empty := c.Elem().Underlying().(*types.Struct)
	return empty && s.NumFields() == 0 || isBool(c.Elem())
}

// uses reports whether a received value is looked at, where it is one of several
// results the one at an index.
func uses(v ssa.Value, index int) bool {
	if v.Referrers() == nil {
		return false
	}
	_, tuple := v.Type().(*types.Tuple)
	for _, r := range *v.Referrers() {
		if e, ok := r.(*ssa.Extract); !tuple || ok && e.Index == index && e.Referrers() != nil && len(*e.Referrers()) > 0 {
			return true
		}
	}
	return false
}

// ChannelKey names the field or variable that a channel is kept in, "" where
// it is kept in neither.
func ChannelKey(v *Value) string {
	for v != nil {
		switch v.Kind {
		case ValueGlobal:
			return v.Name
		case ValueField:
			if v.Name == "[]" || v.Name == "<-" {
				v = v.Of[0]
				continue
			}
			return v.Owner + "." + v.Name
		}
		return ""
	}
	return ""
}

// Published reports whether what is sent on a channel reaches a broker: the
// channel is a client's, or a reader of the field it is kept in publishes.
func (p *Program) Published(f *Func, v *Value) bool {
	if v != nil && v.Kind == ValueCall && v.Index < len(f.Nodes) {
		if n := f.Nodes[v.Index]; n != nil {
			return p.returnsPublished(n, 4)
		}
	}
	return p.Channels[ChannelKey(v)]
}

// Shown reports whether all who are known to read a channel have no effect.
func (p *Program) Shown(v *Value) bool {
	takers := p.Takers[ChannelKey(v)]
	return len(takers) > 0 && !p.anyReaches(takers, Writes|Publishes|Outboxes|Transacts|Outside)
}

// Reads reports whether somebody is known to read what a node sends or keeps, and to
// have an effect.
func (p *Program) Reads(n *Node) bool {
	readers := p.Takers
	if n.Kind == NodeKeep {
		readers = p.Keepers
	}
	return slices.ContainsFunc(n.Args, func(v *Value) bool {
		return p.anyReaches(readers[ChannelKey(v)], Writes|Publishes|Outboxes|Transacts)
	})
}

func (p *Program) returnsPublished(n *Node, depth int) bool {
	if n.Entry != nil {
		return n.Entry.Kind == catalog.PublishChannel
	}
	if depth == 0 {
		return false
	}
	for _, s := range p.Resolve(n).Symbols {
		f := p.Funcs[s]
		for _, r := range f.Returns {
			if r.Kind == ValueCall && r.Index < len(f.Nodes) && p.returnsPublished(f.Nodes[r.Index], depth-1) {
				return true
			}
			if k := ChannelKey(r); k != "" && p.Channels[k] {
				return true
			}
		}
	}
	return false
}

// markChannels finds the channels whose readers publish. One that doesn't look at
// what it receives is only woken up by it. It also notes who takes from each.
func (p *Program) markChannels() {
	clear(p.Takers)
	for _, s := range p.Order {
		f := p.Funcs[s]
		if f.Test {
			continue
		}
		p.markTakers(f)
		if !p.Reach[s].Has(Publishes) {
			continue
		}
		for _, n := range f.Nodes {
			if n == nil {
				continue
			}
			for _, c := range n.Taken {
				if k := ChannelKey(c); k != "" {
					p.Channels[k] = true
				}
			}
		}
	}
	p.passAround()
}

// passAround forgets the channels that hold a state and no work: whoever puts a value in
// has taken it out before, but for what makes the channel.
func (p *Program) passAround() {
	takes, gives := map[string]map[string]bool{}, map[string]map[string]bool{}
	note := func(to map[string]map[string]bool, c *Value, f *Func) {
		if k := ChannelKey(c); k != "" && p.Channels[k] {
			if to[k] == nil {
				to[k] = map[string]bool{}
			}
			to[k][p.outermost(f).Symbol] = true
		}
	}
	for _, s := range p.Order {
		f := p.Funcs[s]
		for _, n := range f.Nodes {
			if n == nil || f.Test {
				continue
			}
			for _, c := range n.Taken {
				note(takes, c, f)
			}
			for i := range n.Sent {
				note(gives, n.Args[i], f)
			}
		}
	}
	for k := range p.Channels {
		back := 0
		for s := range gives[k] {
			if takes[k][s] {
				back++
			} else if !startsWith(p.Funcs[s].Name, "New", "new") {
				back = -len(gives[k])
			}
		}
		if back > 0 {
			delete(p.Channels, k)
		}
	}
}

// outermost is the declared function that a literal stands in.
func (p *Program) outermost(f *Func) *Func {
	for up := p.Funcs[f.Parent]; up != nil; up = p.Funcs[f.Parent] {
		f = up
	}
	return f
}

// markTakers notes the channels that a function takes values from, and the lists that
// it looks at.
func (p *Program) markTakers(f *Func) {
	for _, k := range f.Loads {
		p.Keepers[k] = append(p.Keepers[k], f.Symbol)
	}
	for _, n := range f.Nodes {
		if n == nil {
			continue
		}
		for _, c := range n.Taken {
			if k := ChannelKey(c); k != "" && !slices.Contains(p.Takers[k], f.Symbol) {
				p.Takers[k] = append(p.Takers[k], f.Symbol)
			}
		}
	}
}

// As is the effect of a call through an interface in a function if the callee is
// the library method of an entry; nil for one without meaning.
func (n *Node) As(e *catalog.Entry, f *Func) *Effect {
	out := &Effect{
		Kind: e.Kind, Op: e.Op, Autocommit: e.Autocommit, Broker: e.Broker, Confirm: e.Confirm, Transient: e.Transient,
		Handle: n.arg(e.Handle.Arg), Func: n.arg(e.Func), TxParam: e.TxParam, CtxParam: e.CtxParam, Result: e.Result,
	}
	if out.Handle != nil {
		out.Class = out.Handle.Class
	}
	switch e.Kind {
	case catalog.Ignore, catalog.Consumer, catalog.Recall, catalog.Remember, catalog.Forget, catalog.Script:
		return nil
	case catalog.SQL:
		if !out.byMethod(e.Symbol.Name, "") {
			return nil
		}
	case catalog.Publish:
		out.Kind = n.purpose(e, f)
	}
	return out
}
