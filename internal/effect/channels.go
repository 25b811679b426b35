package effect

import "github.com/deliverylint/deliverylint/internal/catalog"

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

// markChannels finds the channels whose readers publish.
func (p *Program) markChannels() {
	for _, s := range p.Order {
		f := p.Funcs[s]
		if !p.Reach[s].Has(Publishes) || f.Test {
			continue
		}
		for _, n := range f.Nodes {
			if n == nil || n.Kind != NodeReceive && len(n.Received) == 0 {
				continue
			}
			from := n.Received
			if n.Kind == NodeReceive {
				from = n.Args[:1]
			}
			for _, c := range from {
				if k := ChannelKey(c); k != "" {
					p.Channels[k] = true
				}
			}
		}
	}
}

// As is the effect of a call through an interface if the callee is the library
// method of an entry; nil for one without meaning.
func (n *Node) As(e *catalog.Entry) *Effect {
	out := &Effect{
		Kind: e.Kind, Op: e.Op, Autocommit: e.Autocommit, Broker: e.Broker, Confirm: e.Confirm,
		Handle: n.arg(e.Handle.Arg), Func: n.arg(e.Func), TxParam: e.TxParam, CtxParam: e.CtxParam, Result: e.Result,
	}
	if out.Handle != nil {
		out.Class = out.Handle.Class
	}
	switch e.Kind {
	case catalog.Ignore:
		return nil
	case catalog.SQL:
		if !out.byMethod(e.Symbol.Name, "") {
			return nil
		}
	}
	return out
}
