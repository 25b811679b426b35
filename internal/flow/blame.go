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

// Failing is a rule that names the bits which hold only where the call that set
// them returns an error.
type Failing interface{ OnError() Bits }

// Kinds is a rule to which an error that is told from others by its text or code
// is as well known as a sentinel.
type Kinds interface{ KnowsKinds() }

// Appended: this round of the innermost loop has added something to a list.
func (p *Path) Appended() bool { return p.appends }

// Own sets a bit with the witnesses of another that count, and makes this function
// the owner of it: what is told of it is told here.
func (p *Path) Own(from, to Bits, counts func(Witness) bool) {
	var owned witnesses
	for _, x := range p.witness {
		if x.scoped == (scoped{-1, from}) && counts(x.Witness) {
			x.bit = to
			if x.owner == 0 {
				x.owner = len(x.Path) - x.made()
			}
			owned = append(owned, x)
		}
	}
	if len(owned) > 0 {
		p.Local |= to
		p.witness.merge(owned, to)
	}
}

// made counts the levels at the top of a path that no source has: the wrapper of a
// method's value.
func (w Witness) made() int {
	n := slices.IndexFunc(w.Path, func(l Level) bool { return l.Node.Pos.Line > 0 })
	return max(n, 0)
}

// Blame tells a story of each of this function's or its callees' failures that what
// happens now settles: unlike others it is told on the branch of a failed call,
// and with onBranch only there. It is not told of the call now itself, which is the
// same effect in another round of a loop.
func (p *Path) Blame(category string, bit Bits, onBranch bool) {
	p.blame(pending{category: category, bit: bit, onBranch: onBranch})
}

// BlameWell does so but on the branch of a failed call.
func (p *Path) BlameWell(category string, bit Bits) {
	p.blame(pending{category: category, bit: bit, offBranch: true})
}

func (p *Path) blame(x pending) {
	x.second, x.bits = p.now, p.Local
	switch {
	case p.Local&x.bit != 0:
		p.w.blame(p.fr, p.State, x)
		p.traced(x.category, -1, x.bit, true)
	case p.Inherited&x.bit != 0:
		x.tx, x.atFirst, x.answer = -1, true, true
		p.fr.pend(x)
	}
}

func (w *Walker) blame(fr *frame, s *State, p pending) {
	if p.onBranch && !s.astray() || p.offBranch && s.astray() {
		return
	}
	for _, x := range s.witness {
		if x.scoped == (scoped{-1, p.bit}) && x.deep() != p.second.deep() {
			w.report(fr, p.category, x.Witness, p.second, true, p.bits)
		}
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
	if !ok || !slices.Contains(fr.f.Blocks[from].Loops, to) || fr.f.EndsLoop(to, from) {
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
			if (n.Kind == effect.NodeReceive || n.Delivery) && node == nil {
				node = n
			}
		}
	}
	h := w.prog.Handlers[f.Symbol]
	if node == nil && h.Loop != nil && slices.ContainsFunc(f.Blocks, func(b effect.Block) bool {
		return slices.Contains(b.Loops, head) && slices.Contains(b.Nodes, h.Loop.ID)
	}) {
		node = h.Loop // a wrapper of the library's call
	}
	if node == nil && w.prog.Batch(f, head) {
		node = h.Receive
	}
	if node != nil {
		broker = h.Broker
	}
	return node, broker
}
