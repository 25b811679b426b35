package flow

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// Bits are what a rule remembers of a path.
type Bits uint32

// Tx is a transaction that is open on a path. Local bits were set in this
// function or its callees, Inherited ones before it was entered.
type Tx struct {
	id int
	// Outer: begun by a caller that is not on the path.
	Outer            bool
	Local, Inherited Bits
	// nested is the id of the transaction that this one is a savepoint of, plus
	// one; 0 for none.
	nested int
	// bare: there is no handle of its own.
	bare bool
}

// Has reports whether any of the bits is set.
func (t *Tx) Has(b Bits) bool { return (t.Local|t.Inherited)&b != 0 }

type scoped struct {
	tx  int // id, -1 for the path itself
	bit Bits
}

type outcome struct {
	key effect.Key
	out effect.Outcome
}

// State is a path through a function.
type State struct {
	Local, Inherited Bits
	Txs              []Tx
	out              []outcome
	defers           uint64
	vals             []nodeVals
	loops            []loop
	// failed: the path is on the branch of a call that returned an error.
	failed bool
	// expected: of one that returned an error which the function knows.
	expected bool
	// appends: the round of the innermost loop has added something to a list.
	appends bool
	witness witnesses
}

// loop is a loop that the path is in: what was known before it and what its
// earlier rounds have added. What one round did and what another does tell no
// story together, since they handle different things.
type loop struct {
	head         int
	before, aged Bits
	txs          []txRound
}

// txRound is the same for a transaction that was open before the loop.
type txRound struct {
	id           int
	before, aged Bits
}

type nodeVals struct {
	node int
	of   []av
}

// Has reports whether any of the bits is set on the path.
func (s *State) Has(b Bits) bool { return (s.Local|s.Inherited)&b != 0 }

func (s *State) clone() *State {
	c := *s
	c.Txs = append([]Tx(nil), s.Txs...)
	c.out = append([]outcome(nil), s.out...)
	c.vals = append([]nodeVals(nil), s.vals...)
	c.loops = append([]loop(nil), s.loops...)
	for i := range c.loops {
		c.loops[i].txs = append([]txRound(nil), c.loops[i].txs...)
	}
	c.witness = slices.Clone(s.witness)
	return &c
}

// set sets a bit of the path (tx -1) or of the transaction at an index.
func (s *State) set(tx int, b Bits, w Witness, nearest Bits) {
	id, have := -1, &s.Local
	if tx >= 0 {
		id, have = s.Txs[tx].id, &s.Txs[tx].Local
	}
	for bit := Bits(1); bit != 0 && bit <= b; bit <<= 1 {
		if b&bit == 0 {
			continue
		}
		if *have&bit == 0 { // what an earlier round of a loop left is of that round
			s.witness.drop(func(k scoped) bool { return k == scoped{id, bit} })
		}
		s.witness.put(scoped{id, bit}, w, nearest)
	}
	*have |= b
}

// Clear forgets bits of the path.
func (s *State) Clear(b Bits) {
	s.Local &^= b
	s.Inherited &^= b
	s.witness.drop(func(k scoped) bool { return k.tx < 0 && k.bit&b != 0 })
}

// stale drops the witnesses of those bits that the path has no more.
func (s *State) stale(bits Bits) {
	if gone := bits &^ (s.Local | s.Inherited | s.Earlier()); gone != 0 {
		s.witness.drop(func(k scoped) bool { return k.tx < 0 && k.bit&gone != 0 })
	}
}

// absolve drops those bits where only the call of a node has set them: it has
// turned out to have succeeded.
func (s *State) absolve(node int, bits Bits) {
	for bit := Bits(1); bit != 0 && bit <= bits; bit <<= 1 {
		if s.Local&bits&bit == 0 {
			continue
		}
		s.witness = slices.DeleteFunc(s.witness, func(x witnessed) bool {
			return x.scoped == scoped{-1, bit} && x.Node() != nil && x.Node().ID == node
		})
		if _, ok := s.witness.get(scoped{-1, bit}); !ok {
			s.Local &^= bit
		}
	}
}

// astray: a call has failed, with an error that is no expected one, and nothing
// durable was done since.
func (s *State) astray() bool { return s.failed && !s.expected }

// forget drops the bits of the path.
func (s *State) forget() {
	s.Local, s.Inherited = 0, 0
	s.witness.drop(func(k scoped) bool { return k.tx < 0 })
	for i := range s.loops {
		s.loops[i].before, s.loops[i].aged = 0, 0
	}
}

func (s *State) find(tx int, b Bits) (Witness, bool) {
	id := -1
	if tx >= 0 {
		id = s.Txs[tx].id
	}
	return s.witness.get(scoped{id, b})
}

func (s *State) txIndex(id int) int {
	for i := range s.Txs {
		if s.Txs[i].id == id {
			return i
		}
	}
	return -1
}

// open adds a transaction and returns its index. The oldest is forgotten when
// too many are open, which happens only on paths that leak them.
func (s *State) open(outer bool) int {
	if len(s.Txs) >= 4 {
		s.close(0)
	}
	id := 0
	for s.txIndex(id) >= 0 {
		id++
	}
	s.dropVals(id)
	s.Txs = append(s.Txs, Tx{id: id, Outer: outer})
	return len(s.Txs) - 1
}

// dropVals forgets values that name an old transaction of the same id.
func (s *State) dropVals(id int) {
	for i, v := range s.vals {
		of := make([]av, len(v.of))
		ids := map[int]int{}
		for _, t := range s.Txs {
			ids[t.id] = t.id
		}
		delete(ids, id)
		for j, a := range v.of {
			of[j] = a.rename(ids)
		}
		s.vals[i].of = of
	}
}

func (s *State) close(tx int) {
	id := s.Txs[tx].id
	s.Txs = append(append([]Tx(nil), s.Txs[:tx]...), s.Txs[tx+1:]...)
	s.witness.drop(func(k scoped) bool { return k.tx == id })
}

func (s *State) outcomeOf(k effect.Key) effect.Outcome {
	for _, o := range s.out {
		if o.key == k {
			return o.out
		}
	}
	return effect.Unknown
}

func (s *State) setOutcome(k effect.Key, o effect.Outcome) {
	if k.Kind == 0 {
		return
	}
	for i := range s.out {
		if s.out[i].key == k {
			if o == effect.Unknown {
				s.out = append(s.out[:i:i], s.out[i+1:]...)
			} else {
				s.out[i].out = o
			}
			return
		}
	}
	if o == effect.Unknown {
		return
	}
	s.out = append(s.out, outcome{k, o})
	sort.Slice(s.out, func(i, j int) bool { return lessKey(s.out[i].key, s.out[j].key) })
}

func lessKey(a, b effect.Key) bool {
	if a.Kind != b.Kind {
		return a.Kind < b.Kind
	}
	if a.A != b.A {
		return a.A < b.A
	}
	return !a.Bool && b.Bool
}

// keep drops the outcomes that nothing ahead looks at.
func (s *State) keep(live map[effect.Key]bool) {
	out := s.out[:0:0]
	for _, o := range s.out {
		if live[o.key] {
			out = append(out, o)
		}
	}
	s.out = out
}

func (s *State) val(node, result int) av {
	for _, v := range s.vals {
		if v.node == node && result < len(v.of) {
			return v.of[result]
		}
	}
	return av{}
}

func (s *State) setVals(node int, of []av) {
	any := false
	for _, a := range of {
		any = any || a.known()
	}
	for i, v := range s.vals {
		if v.node == node {
			s.vals = append(s.vals[:i:i], s.vals[i+1:]...)
			break
		}
	}
	if !any {
		return
	}
	s.vals = append(s.vals, nodeVals{node, of})
	sort.Slice(s.vals, func(i, j int) bool { return s.vals[i].node < s.vals[j].node })
}

// key is the canonical form of the state; witnesses are no part of it.
func (s *State) key() string {
	var b strings.Builder
	s.writeBits(&b)
	b.WriteString(strconv.FormatUint(s.defers, 36))
	if s.failed {
		b.WriteByte('f')
	}
	if s.expected {
		b.WriteByte('e')
	}
	if s.appends {
		b.WriteByte('a')
	}
	for _, l := range s.loops {
		for _, t := range l.txs {
			b.WriteByte('x')
			b.WriteString(strconv.Itoa(t.id))
			b.WriteByte(':')
			b.WriteString(strconv.FormatUint(uint64(t.before), 36))
			b.WriteByte(':')
			b.WriteString(strconv.FormatUint(uint64(t.aged), 36))
		}
		b.WriteByte('l')
		b.WriteString(strconv.Itoa(l.head))
		b.WriteByte(':')
		b.WriteString(strconv.FormatUint(uint64(l.before), 36))
		b.WriteByte(':')
		b.WriteString(strconv.FormatUint(uint64(l.aged), 36))
	}
	for _, o := range s.out {
		b.WriteByte(o.key.Kind)
		b.WriteString(strconv.Itoa(o.key.A))
		if o.key.Bool {
			b.WriteByte('b')
		}
		b.WriteByte('=')
		b.WriteByte('0' + byte(o.out))
	}
	for _, v := range s.vals {
		b.WriteByte('v')
		b.WriteString(strconv.Itoa(v.node))
		for _, a := range v.of {
			a.write(&b)
		}
	}
	return b.String()
}

func (s *State) writeBits(b *strings.Builder) {
	b.WriteString(strconv.FormatUint(uint64(s.Local), 36))
	b.WriteByte('/')
	b.WriteString(strconv.FormatUint(uint64(s.Inherited), 36))
	for _, t := range s.Txs {
		b.WriteByte('t')
		b.WriteString(strconv.Itoa(t.id))
		if t.Outer {
			b.WriteByte('o')
		}
		if t.bare {
			b.WriteByte('b')
		}
		if t.nested > 0 {
			b.WriteByte('n')
			b.WriteString(strconv.Itoa(t.nested))
		}
		b.WriteString(strconv.FormatUint(uint64(t.Local), 36))
		b.WriteByte('/')
		b.WriteString(strconv.FormatUint(uint64(t.Inherited), 36))
	}
	b.WriteByte(';')
}
