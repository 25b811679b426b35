package flow

// Frugal is a rule that names the bits of a path on which what a callee does
// depends; the fewer, the fewer entries.
//
// Durable are the bits that say that something lasting was done.
type Frugal interface {
	Passes() Bits
	Durable() Bits
}

// masks are the bits that a rule wants to be treated in some way.
type masks struct {
	// passes are the bits of the path that callees are told of.
	passes, durable  Bits
	nearest, answers Bits
	// oneRound are the bits that the next round of a loop forgets for good.
	oneRound Bits
	// plural are the bits of which each witness counts.
	plural Bits
	// onError are the bits that a call which succeeds has not set.
	onError Bits
	// kinds: errors that are told by their text are known ones.
	kinds bool
}

func masksOf(r Rule) masks {
	m := masks{passes: ^Bits(0)}
	if x, ok := r.(Frugal); ok {
		m.passes, m.durable = x.Passes(), x.Durable()
	}
	if x, ok := r.(Keeper); ok {
		m.nearest, m.answers = x.Nearest(), x.Answers()
	}
	if x, ok := r.(Momentary); ok {
		m.oneRound = x.OneRound()
	}
	if x, ok := r.(Plural); ok {
		m.plural = x.Each()
	}
	if x, ok := r.(Failing); ok {
		m.onError = x.OnError()
	}
	_, m.kinds = r.(Kinds)
	return m
}
