package flow

import (
	"fmt"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// Trace records what a walk meets at the places that At picks: each effect, what
// the path knew before it, and what the rule made of it.
type Trace struct {
	At    func(effect.Position) bool
	Steps []Step

	names map[Bits]string
	seen  map[string]bool
	now   *Step
	// open and done are the steps of the functions that are being walked and
	// of those that were, for their callers.
	open map[*frame][]Step
	done map[*result][]Step
}

// Named is a Rule that has words for what it remembers, such as "a write outside
// any transaction".
type Named interface {
	Names() map[Bits]string
}

// The caps of what is kept at one line and handed to callers.
const (
	maxTraced = 200
	maxLifted = 40
)

// Step is one effect at a place, or below the call at it.
type Step struct {
	// Witness has the place as its first level.
	Witness
	Kind catalog.Kind
	// Where is the transaction that the effect is in: its index among Open,
	// InPool or InParam.
	Where int
	// Open counts the transactions that were open.
	Open int
	// Before is what the path knew, After what the effect added.
	Before, After []Fact
	Pairs         []Pair
	// Why are the rule's words on why it says nothing.
	Why []string
}

// Fact is something that a rule remembers, of the path or of an open
// transaction.
type Fact struct {
	Name string
	// InTx: of a transaction that is open, not of the path.
	InTx bool
	// Where is the place; its path is empty if that lies in a caller.
	Where Witness

	tx  int // the id of the transaction, -1 for the path, gone for one that the caller doesn't have
	bit Bits
}

const gone = -2

// Pair is a story that the effect completes.
type Pair struct {
	Category string
	// Story is nil while the first half lies in a caller.
	Story *Story
	// Why says why the story is not reported, "" if it is.
	Why string

	tx      int
	bit     Bits
	atFirst bool
}

// Record makes the walker trace.
func (w *Walker) Record(t *Trace) {
	t.seen, t.open, t.done = map[string]bool{}, map[*frame][]Step{}, map[*result][]Step{}
	if n, ok := w.rule.(Named); ok {
		t.names = n.Names()
	}
	w.trace, w.rule = t, traced{w.rule, t}
}

// Silent says why the effect now makes no story; a trace keeps it.
func (p *Path) Silent(why string) {
	if t := p.w.trace; t != nil && t.now != nil {
		t.now.Why = append(t.now.Why, why)
	}
}

// Judge asks for each story whether the rule reports it.
func (t *Trace) Judge(why func(*Story) string) {
	for _, s := range t.Steps {
		for i := range s.Pairs {
			if story := s.Pairs[i].Story; story != nil {
				s.Pairs[i].Why = why(story)
			}
		}
	}
}

// traced is a rule whose steps are recorded.
type traced struct {
	Rule
	t *Trace
}

func (r traced) Apply(p *Path, ev Event) {
	r.t.step(p, ev.Effect.Kind, ev.Tx, func() { r.Rule.Apply(p, ev) })
}

func (r traced) Commit(p *Path, tx int) {
	r.t.step(p, catalog.Commit, tx, func() { r.Rule.Commit(p, tx) })
}

func (r traced) Rollback(p *Path, tx int) {
	r.t.step(p, catalog.Rollback, tx, func() { r.Rule.Rollback(p, tx) })
}

func (t *Trace) step(p *Path, kind catalog.Kind, tx int, run func()) {
	s := Step{Witness: p.now, Kind: kind, Where: tx, Open: len(p.Txs), Before: t.facts(p.State)}
	outer := t.now
	t.now = &s
	run()
	t.now = outer
	for _, f := range t.facts(p.State) {
		if !hasFact(s.Before, f) {
			s.After = append(s.After, f)
		}
	}
	t.keep(p.fr, s)
}

func hasFact(list []Fact, f Fact) bool {
	for _, have := range list {
		if have.tx == f.tx && have.bit == f.bit {
			return true
		}
	}
	return false
}

// facts are what a state remembers, in the order of the bits.
func (t *Trace) facts(s *State) []Fact {
	var out []Fact
	add := func(tx, id int, bits Bits) {
		for bit := Bits(1); bit != 0 && bit <= bits; bit <<= 1 {
			if bits&bit == 0 || t.names[bit] == "" {
				continue
			}
			w, _ := s.find(tx, bit)
			out = append(out, Fact{Name: t.names[bit], InTx: tx >= 0, Where: w, tx: id, bit: bit})
		}
	}
	add(-1, -1, s.Local|s.Inherited)
	for i := range s.Txs {
		add(i, s.Txs[i].id, s.Txs[i].Local|s.Txs[i].Inherited)
	}
	return out
}

// traced notes a story that the effect now completes, here or for a caller.
func (p *Path) traced(category string, tx int, bit Bits, atFirst bool) {
	t := p.w.trace
	if t == nil || t.now == nil {
		return
	}
	local, inherited := p.Local, p.Inherited
	if tx >= 0 {
		local, inherited = p.Txs[tx].Local, p.Txs[tx].Inherited
	}
	pair := Pair{Category: category, tx: tx, bit: bit, atFirst: atFirst}
	switch {
	case local&bit != 0:
		first, ok := p.find(tx, bit)
		if !ok {
			return
		}
		pair.Story = &Story{Func: p.fr.f, Category: category, First: first, Second: p.now, AtFirst: atFirst}
	case inherited&bit == 0:
		return
	}
	t.now.Pairs = append(t.now.Pairs, pair)
}

// keep records a step and hands it on to the function's callers.
func (t *Trace) keep(fr *frame, s Step) {
	if node := s.Node(); node != nil && t.At(node.Pos) && len(t.Steps) < maxTraced {
		if key := s.key(); !t.seen[key] {
			t.seen[key] = true
			t.Steps = append(t.Steps, s)
		}
	}
	switch s.Kind {
	case catalog.Publish, catalog.Write, catalog.OutboxWrite, catalog.Commit, catalog.Ack:
		if len(t.open[fr]) < maxLifted {
			t.open[fr] = append(t.open[fr], s)
		}
	}
}

func (s *Step) key() string {
	var b strings.Builder
	for _, l := range s.Path {
		fmt.Fprintf(&b, "%s#%d/", l.Func.Symbol, l.Node.ID)
	}
	fmt.Fprintf(&b, "%s %d %v", s.Kind, s.Where, s.Why)
	for _, f := range s.Before {
		fmt.Fprintf(&b, ";%d %s", f.tx, f.Name)
		if n := f.Where.Node(); n != nil {
			fmt.Fprintf(&b, "@%s:%d", n.Pos.File, n.Pos.Line)
		}
	}
	for _, p := range s.Pairs {
		fmt.Fprintf(&b, "!%s %v", p.Category, p.Story != nil)
	}
	return b.String()
}

// leave keeps the steps of a function that was walked, for its callers.
func (t *Trace) leave(fr *frame, r *result) {
	if t == nil {
		return
	}
	if steps := t.open[fr]; len(steps) > 0 {
		t.done[r] = steps
	}
	delete(t.open, fr)
}

// lift takes over the steps of a callee as the caller sees them: what the callee
// met at its entry is what the caller knew before the call.
func (t *Trace) lift(fr *frame, s *State, n *effect.Node, r *result) {
	if t == nil {
		return
	}
	for _, inner := range t.done[r] {
		out := inner
		out.Witness = inner.below(Level{fr.f, n})
		out.Before = nil
		for _, f := range inner.Before {
			out.Before = append(out.Before, f.lift(fr, s, n))
		}
		out.Pairs = nil
		for _, p := range inner.Pairs {
			if p.Story == nil && p.tx < len(s.Txs) {
				if first, ok := s.find(p.tx, p.bit); ok {
					p.Story = &Story{Func: fr.f, Category: p.Category, First: first, Second: out.Witness, AtFirst: p.atFirst}
				}
			}
			out.Pairs = append(out.Pairs, p)
		}
		t.keep(fr, out)
	}
}

// lift is a fact as the caller sees it. A callee's transactions that were open
// at its entry have the caller's indices as ids.
func (f Fact) lift(fr *frame, s *State, n *effect.Node) Fact {
	index := f.tx
	switch {
	case f.tx >= len(s.Txs):
		f.tx = gone
	case f.tx >= 0:
		f.tx = s.Txs[f.tx].id
	}
	if len(f.Where.Path) > 0 {
		f.Where = f.Where.below(Level{fr.f, n})
	} else if f.tx != gone {
		f.Where, _ = s.find(index, f.bit)
	}
	return f
}

// NoteWays is Note for the ways to an effect.
func (t *Trace) NoteWays(e *effect.Effect, ways []Way, why string) {
	var paths [][]Level
	for _, way := range ways {
		paths = append(paths, way.Path)
	}
	t.Note(e, paths, why)
}

// Note records what a rule that walks no paths makes of an effect, at the places
// that the calls on the ways to it stand at.
func (t *Trace) Note(e *effect.Effect, paths [][]Level, why string) {
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	for _, path := range paths {
		for i, l := range path {
			s := Step{Witness: Witness{Path: path[i:], Effect: e}, Kind: e.Kind, Where: InPool}
			if why != "" {
				s.Why = []string{why}
			}
			if key := s.key(); t.At(l.Node.Pos) && !t.seen[key] && len(t.Steps) < maxTraced {
				t.seen[key] = true
				t.Steps = append(t.Steps, s)
			}
		}
	}
}
