package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// Returning is a rule that wants to know how functions return: with no error
// (No), with one (Yes), or as the caller's path will tell.
type Returning interface {
	Returned(p *Path, f *effect.Func, err effect.Outcome)
}

// Rounded is a rule that wants to know when a loop over deliveries goes on to
// the next one; broker is where they come from, "" if that is not known.
type Rounded interface {
	NextRound(p *Path, f *effect.Func, broker string)
}

// Plural is a rule that names the bits of which each place is a story of its
// own: a loop over deliveries calls any of the handlers.
type Plural interface{ Each() Bits }

// Kinds is a rule to which an error that is told from others by its text or code
// is as well known as a sentinel.
type Kinds interface{ KnowsKinds() }

// Expected: the path is on the branch of an error that the code knows.
func (p *Path) Expected() bool { return p.expected }

// Own sets a bit with the witness of another, and makes this function the owner
// of it: what is told of it is told here.
func (p *Path) Own(from, to Bits) {
	var owned witnesses
	for _, x := range p.witness {
		if x.scoped == (scoped{-1, from}) {
			x.bit = to
			if x.owner == 0 {
				x.owner = len(x.Path)
			}
			owned = append(owned, x)
		}
	}
	if len(owned) > 0 {
		p.Local |= to
		p.witness.merge(owned, to)
	}
}

// Blame tells a story of this function's or a callee's failure that what happens
// now makes final. Unlike others it is told on the branch of a failed call.
func (p *Path) Blame(category string, bit Bits) {
	if p.Local&bit == 0 {
		if p.Inherited&bit != 0 {
			p.fr.pend(pending{category: category, tx: -1, bit: bit, atFirst: true, second: p.now, bits: p.Local, answer: true})
		}
		return
	}
	for _, x := range p.witness {
		if x.scoped == (scoped{-1, bit}) {
			p.w.report(p.fr, category, x.Witness, p.now, true, p.Local)
		}
	}
	p.traced(category, -1, bit, true)
}

// Excuse notes that what happens now makes up for a failure: a story of that
// category is told of each place that set the bit, but of the call now itself,
// which is the same effect in another round of a loop.
func (p *Path) Excuse(category string, bit Bits) {
	switch {
	case p.Local&bit != 0:
		for _, x := range p.witness {
			if x.scoped == (scoped{-1, bit}) && x.deep() != p.now.deep() {
				p.w.report(p.fr, category, x.Witness, p.now, true, p.Local)
			}
		}
	case p.Inherited&bit != 0:
		p.fr.pend(pending{category: category, tx: -1, bit: bit, atFirst: true, second: p.now, bits: p.Local, answer: true})
	}
}

func (w *Walker) returned(fr *frame, s *State, n *effect.Node, err effect.Outcome) {
	if r, ok := w.base.(Returning); ok {
		r.Returned(w.path(fr, s, n, nil), fr.f, err)
	}
}

// nextRound tells the rule of the way back to the head of a loop over deliveries.
func (w *Walker) nextRound(fr *frame, s *State, from, to int) {
	r, ok := w.base.(Rounded)
	if !ok || !slices.Contains(fr.f.Blocks[from].Loops, to) {
		return
	}
	if n, broker := w.receives(fr.f, to); n != nil {
		r.NextRound(w.path(fr, s, n, nil), fr.f, broker)
	}
}

// receives is the node at which a loop takes its next delivery.
func (w *Walker) receives(f *effect.Func, head int) (node *effect.Node, broker string) {
	for i := range f.Blocks {
		if !slices.Contains(f.Blocks[i].Loops, head) {
			continue
		}
		for _, id := range f.Blocks[i].Nodes {
			n := f.Nodes[id]
			for j := range n.Effects {
				if n.Effects[j].Kind == catalog.Receive {
					return n, n.Effects[j].Broker
				}
			}
			if n.Kind == effect.NodeReceive && node == nil {
				node = n
			}
		}
	}
	if node != nil {
		broker = w.prog.Handlers[f.Symbol].Broker
	}
	return node, broker
}
