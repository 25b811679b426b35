package effect

import "github.com/deliverylint/deliverylint/internal/catalog"

// adopt gives the calls through an interface of the module that only a client has the
// methods of the client's meaning, where that is to receive, to settle or to verify.
func (p *Program) adopt() {
	for _, s := range p.Order {
		f := p.Funcs[s]
		for _, n := range f.Nodes {
			if n == nil || n.Iface == "" || n.Entry != nil || n.Kind > NodeDefer {
				continue
			}
			t := p.Resolve(n)
			if t.Entry == nil || len(t.Symbols) > 0 {
				continue
			}
			switch t.Entry.Kind {
			case catalog.Receive, catalog.Ack, catalog.Nack, catalog.Requeue, catalog.Verify:
				n.Entry = t.Entry
				n.Effects = []Effect{*n.As(t.Entry, f)}
			}
		}
	}
}
