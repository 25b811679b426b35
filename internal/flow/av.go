package flow

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// kind is the kind of an abstract value.
type kind byte

const (
	unknown   kind = iota
	pool           // writes outside any transaction
	param          // a parameter of the root that may be either
	txHandle       // an open transaction
	closure        // a function with captured values
	record         // a struct with known fields
	ctxOf          // a context that carries a handle
	outboxPub      // a publisher that writes through a handle
	oneOf          // one of several functions
	sqlText        // a SQL text that a function is given
	none           // no handle: nil was given where one could be
)

// av is what is known of a value on a path: only handles, functions, what
// carries them and SQL texts; everything else is unknown.
type av struct {
	kind  kind
	tx    int
	name  string
	names []string
	of    []av
	// sum stands for name, names and of in keys: services that hold functions
	// that hold services are long to write out, and are written for each state.
	sum string
	// tied says that a transaction is named somewhere in it, depth how deep it is.
	tied  bool
	depth int
}

// made returns a value that has a name or holds others.
func made(k kind, name string, names []string, of []av) av {
	a := av{kind: k, name: name, names: names, of: of}
	h := fnv.New128a()
	var b strings.Builder
	b.WriteString(name)
	for i, x := range of {
		b.WriteByte('|')
		if i < len(names) {
			b.WriteString(names[i])
			b.WriteByte(':')
		}
		x.write(&b)
		a.tied = a.tied || x.tied || x.kind == txHandle
		a.depth = max(a.depth, x.depth+1)
	}
	h.Write([]byte(b.String()))
	a.sum = string(h.Sum(nil))
	return a
}

func (a av) known() bool { return a.kind != unknown }

// write appends the canonical form of a, by which memo keys compare.
func (a av) write(b *strings.Builder) {
	b.WriteByte('0' + byte(a.kind))
	switch a.kind {
	case txHandle:
		b.WriteString(strconv.Itoa(a.tx))
	case pool, sqlText:
		b.WriteString(a.name)
	default:
		b.WriteString(a.sum)
	}
}

// rename maps transaction ids; one without a mapping becomes unknown.
func (a av) rename(ids map[int]int) av {
	if a.kind == txHandle {
		id, ok := ids[a.tx]
		if !ok {
			return av{}
		}
		a.tx = id
		return a
	}
	if !a.tied {
		return a
	}
	of := make([]av, len(a.of))
	for i, x := range a.of {
		of[i] = x.rename(ids)
	}
	return made(a.kind, a.name, a.names, of)
}

// handle is the handle that a value is or holds.
func (a av) handle() av {
	switch a.kind {
	case txHandle, pool, param:
		return a
	case record, ctxOf, outboxPub, oneOf:
		best := av{}
		for _, x := range a.of {
			if h := x.handle(); better(h, best) {
				best = h
			}
		}
		return best
	}
	return av{}
}

// better prefers the more telling value: a transaction over a pool.
func better(a, b av) bool { return rank(a) > rank(b) }

func rank(a av) int {
	switch a.kind {
	case txHandle:
		return 6
	case outboxPub:
		return 5
	case ctxOf, record:
		return 4
	case closure, oneOf:
		return 3
	case pool:
		return 2
	case param:
		return 1
	}
	return 0
}

// txs marks the transactions that a value names.
func (a av) txs(out map[int]bool) {
	if a.kind == txHandle {
		out[a.tx] = true
	}
	if !a.tied {
		return
	}
	for _, x := range a.of {
		x.txs(out)
	}
}

// outbox is the publisher in a value, through decorators, that writes to an
// outbox; ok is false if there is none.
func (a av) outbox() (av, bool) {
	switch a.kind {
	case outboxPub:
		return a, true
	case record:
		for _, x := range a.of {
			if o, ok := x.outbox(); ok {
				return o, true
			}
		}
	}
	return av{}, false
}

// avDepth bounds what is kept of values within values: services that hold
// functions that hold services.
const avDepth = 3

// trim forgets what lies deeper than depth.
func (a av) trim(depth int) av {
	if a.depth <= depth {
		return a
	}
	if depth == 0 {
		switch a.kind {
		case closure:
			return made(closure, a.name, nil, nil)
		case ctxOf, outboxPub:
			return a
		}
		return av{}
	}
	of := make([]av, len(a.of))
	for i, x := range a.of {
		of[i] = x.trim(depth - 1)
	}
	return made(a.kind, a.name, a.names, of)
}
