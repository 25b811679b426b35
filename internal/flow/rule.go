// Package flow walks paths through effect graphs for a rule: which transactions
// are open, which branch of which call was taken, what a callee does under the
// handles it was given. A rule sees one effect after the other and remembers
// what it needs as bits.
//
// The walk is a may analysis: a story is told if some path has it. Callees are
// walked once for each state they are entered in; their exits are kept by the
// outcome they return.
package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// Where an effect happens.
const (
	// InPool: outside any transaction.
	InPool = -1
	// InParam: through a parameter of the root; only a caller can tell.
	InParam = -2
)

// Event is one effect on a path.
type Event struct {
	Effect *effect.Effect
	Node   *effect.Node
	Func   *effect.Func
	// Tx is the index of the transaction in State.Txs, InPool or InParam.
	Tx int
	// Async: in a goroutine that the path started.
	Async bool
	// Sure: InPool is known of the handle, and not only that no transaction is
	// open that it could belong to.
	Sure bool
}

// Rule is a state machine over effects.
type Rule interface {
	// Apply changes the state for an effect that succeeded.
	Apply(p *Path, ev Event)
	// Commit and Rollback end the transaction at index tx.
	Commit(p *Path, tx int)
	Rollback(p *Path, tx int)
}

// Path is a state with what a rule may do to it.
type Path struct {
	*State
	w   *Walker
	fr  *frame
	now Witness
}

// Set sets a bit of the path, witnessed by the current effect.
func (p *Path) Set(b Bits) {
	p.stale(^Bits(0))
	p.set(-1, b, p.now, p.w.nearestAt(p.fr.f, p.now.Node()))
}

// SetTx sets a bit of a transaction.
func (p *Path) SetTx(tx int, b Bits) { p.set(tx, b, p.now, p.w.nearestAt(p.fr.f, p.now.Node())) }

// Astray reports whether the path is on the branch of a call that failed.
func (p *Path) Astray() bool { return p.astray() }

// Expected: the path is on the branch of an error that the code knows.
func (p *Path) Expected() bool { return p.expected }

// Recovered says that the path has done something durable since a call failed.
func (p *Path) Recovered() { p.failed = false }

// Reset forgets the bits of the path: a new delivery begins.
func (p *Path) Reset() { p.forget() }

// Move sets a bit of the path with the witness of a transaction's bit.
func (p *Path) Move(tx int, from, to Bits) {
	t := &p.Txs[tx]
	w, ok := p.find(tx, from)
	if !ok {
		w = p.now
	}
	if t.Local&from != 0 {
		p.set(-1, to, w, p.w.nearest)
	} else if t.Inherited&from != 0 {
		p.set(-1, to, p.now, p.w.nearest)
	}
}

// Pair says that the effect now completes a story whose first half is a bit.
// The site is the effect now, or with atFirst the place that set the bit.
//
// Nothing is told of a path that is on the branch of a failed call: what it does
// there answers the failure.
func (p *Path) Pair(category string, tx int, bit Bits, atFirst bool) {
	if p.astray() {
		p.Silent("it is on the branch of a call that failed")
		return
	}
	p.pair(category, tx, bit, atFirst)
	p.traced(category, tx, bit, atFirst)
}

// Mark is a story for the rule alone, which says that a bit was set before.
func (p *Path) Mark(category string, bit Bits) {
	if !p.astray() {
		p.pair(category, -1, bit, true)
	}
}

func (p *Path) pair(category string, tx int, bit Bits, atFirst bool) {
	local, inherited := p.Local, p.Inherited
	if tx >= 0 {
		local, inherited = p.Txs[tx].Local, p.Txs[tx].Inherited
	}
	switch {
	case local&bit != 0:
		first, _ := p.find(tx, bit)
		p.w.report(p.fr, category, first, p.now, atFirst, p.Local)
	case inherited&bit != 0:
		p.fr.pend(pending{category: category, tx: tx, bit: bit, atFirst: atFirst, second: p.now, bits: p.Local})
	}
}

// pending is a story whose first half lies in a caller.
type pending struct {
	category string
	tx       int // index at entry, -1 for the path
	bit      Bits
	atFirst  bool
	second   Witness
	bits     Bits
	// answer: it is told of each place that set the bit, on the branch of a
	// failed call too.
	answer bool
	// onBranch: only on that branch; offBranch: never on it.
	onBranch, offBranch bool
}

// Story is a completed pair.
type Story struct {
	Func          *effect.Func
	Category      string
	First, Second Witness
	// AtFirst: the site is the first half.
	AtFirst bool
	// Bits are what the function and its callees had set when the story was
	// complete.
	Bits Bits
}

// Site is the half that the finding points at, Other the half it pairs with.
func (s *Story) Site() Witness {
	if s.AtFirst {
		return s.First
	}
	return s.Second
}

// Other is the half of the story that the finding does not point at.
func (s *Story) Other() Witness {
	if s.AtFirst {
		return s.Second
	}
	return s.First
}

// Depth is the level of the site's path that the finding points at.
func (s *Story) Depth() int { return s.Site().Depth() }

// Place is the call that the finding points at and the function it is in.
func (s *Story) Place() Level { return s.Site().Path[s.Depth()] }

// Keeper is a rule that knows that some of what a function does is its own
// matter.
type Keeper interface {
	// Keeps are the bits that stay within a function, of those of the path and
	// of a transaction that it has set: its callers don't learn of them. always
	// says that it sets one of the nearest whenever it succeeds.
	Keeps(f *effect.Func, local Bits, always bool) Bits
	// Answers are the bits that stay within a function that is called on the branch
	// of a call that failed: they answer the failure.
	Answers() Bits
	// Answered are set in their place, where a path has some bits.
	Answered(local Bits) Bits
	// Nearest are the bits of which the last place that sets one is remembered,
	// and not the first.
	Nearest() Bits
}

// keeps are the bits that stay within a function, of those that it has set on a
// path.
func (w *Walker) keeps(f *effect.Func, local Bits, r *result) Bits {
	if k, ok := w.base.(Keeper); ok {
		return k.Keeps(f, local, w.always(r))
	}
	return 0
}

// always: no successful exit is without a change.
func (w *Walker) always(r *result) bool {
	return !slices.ContainsFunc(r.exits, func(e exit) bool {
		bits := e.state.Local
		for _, t := range e.state.Txs {
			bits |= t.Local
		}
		return e.err != effect.Yes && !e.failed && bits&w.nearest == 0
	})
}
