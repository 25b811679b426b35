package flow

import (
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// frame is a function being walked.
type frame struct {
	f      *effect.Func
	params []av
	free   []av
	root   bool
	depth  int
	async  bool
	// entryTxs counts the transactions that were open at entry.
	entryTxs int
	// tree is the internal tree that the root of the path is in.
	tree string
	// live are the keys that the rest of the function may look at.
	live     map[effect.Key]bool
	pendings []pending
	done     map[*effect.Node]bool
	pendSeen map[pendKey]bool
}

type pendKey struct {
	category string
	tx       int
	bit      Bits
	node     *effect.Node
}

func (fr *frame) pend(p pending) {
	k := pendKey{p.category, p.tx, p.bit, p.second.Node()}
	if fr.pendSeen[k] {
		return
	}
	if fr.pendSeen == nil {
		fr.pendSeen = map[pendKey]bool{}
	}
	fr.pendSeen[k] = true
	fr.pendings = append(fr.pendings, p)
}

// told remembers that a story of this frame or one below has this effect as its
// site: it is told there, once, and not again in the callers.
func (fr *frame) told(site Witness) {
	if fr.done == nil {
		fr.done = map[*effect.Node]bool{}
	}
	fr.done[site.Path[len(site.Path)-1].Node] = true
}

// open are the stories that a caller may complete.
func (fr *frame) open() []pending {
	var out []pending
	for _, p := range fr.pendings {
		if path := p.second.Path; p.atFirst || len(path) == 0 || !fr.done[path[len(path)-1].Node] {
			out = append(out, p)
		}
	}
	return out
}

const evalDepth = 7

// eval is what is known of a value on a path.
func (w *Walker) eval(fr *frame, s *State, v *effect.Value, depth int) av {
	if v == nil || depth == 0 {
		return av{}
	}
	switch v.Kind {
	case effect.ValueParam:
		if v.Index >= 0 && v.Index < len(fr.params) {
			return orClass(fr.params[v.Index], v.Class, false)
		}
	case effect.ValueFree:
		if v.Index >= 0 && v.Index < len(fr.free) {
			return orClass(fr.free[v.Index], v.Class, true)
		}
	case effect.ValueCall:
		return orClass(s.val(v.Index, v.Result), v.Class, false)
	case effect.ValueField:
		return w.evalField(fr, s, v, depth-1)
	case effect.ValueGlobal:
		return orClass(av{}, v.Class, true)
	case effect.ValueNil:
		switch v.Class {
		case catalog.Tx, catalog.Either, catalog.Pool:
			return av{kind: none}
		}
	case effect.ValueText:
		return av{kind: sqlText, name: v.Name}
	case effect.ValueFunc:
		return made(closure, v.Name, nil, nil)
	case effect.ValueClosure:
		return w.evalClosure(fr, s, v, depth-1)
	case effect.ValueChoice:
		return w.evalChoice(fr, s, v, depth-1)
	case effect.ValueStruct:
		return w.evalStruct(fr, s, v, depth-1)
	case effect.ValueCell:
		return w.eval(fr, s, v.Of[0], depth-1)
	case effect.ValueCtxValue:
		if c := w.eval(fr, s, v.Of[0], depth-1); c.kind == ctxOf {
			return c.of[0]
		}
	case effect.ValueWithValue:
		x := w.eval(fr, s, v.Of[1], depth-1)
		if h := x.handle(); h.kind == txHandle || h.kind == outboxPub {
			return made(ctxOf, "", nil, []av{x})
		}
		return w.eval(fr, s, v.Of[0], depth-1)
	}
	return av{}
}

// guessed marks a pool that only the place it is kept in makes one.
const guessed = "?"

// orClass falls back on what the type of a value tells. A field or variable
// that may be either is taken for the pool: a handle that is a transaction is
// rarely kept where nobody can see it begin.
func orClass(a av, c catalog.Class, kept bool) av {
	if a.known() {
		return a
	}
	if c == catalog.Pool {
		return av{kind: pool}
	}
	if c == catalog.Either && kept {
		return av{kind: pool, name: guessed}
	}
	return av{}
}

func (w *Walker) evalField(fr *frame, s *State, v *effect.Value, depth int) av {
	if v.Name == "<-" {
		if got := fr.received(v.Of[0]); got.known() {
			return got
		}
	}
	base := w.eval(fr, s, v.Of[0], depth)
	switch base.kind {
	case record:
		if v.Name == "[]" { // a list is what its elements are
			return base
		}
		for i, n := range base.names {
			if n == v.Name {
				return base.of[i]
			}
		}
	case txHandle: // type Txn struct{ *sql.Tx }
		if v.Class == catalog.Tx || v.Class == catalog.Either || v.Name == "[]" {
			return base
		}
	case outboxPub:
		return base
	case oneOf, closure:
		if v.Name == "[]" {
			return base
		}
	case pool:
		if v.Class != catalog.Tx && v.Class != "" {
			return base
		}
	case ctxOf:
		if v.Class != "" || v.Name == "Context" {
			return base.of[0]
		}
	}
	return orClass(av{}, v.Class, true)
}

func (w *Walker) evalClosure(fr *frame, s *State, v *effect.Value, depth int) av {
	var of []av
	known := false
	for _, x := range v.Of {
		a := w.eval(fr, s, x, depth)
		if a.kind == pool {
			a = av{} // its type tells as much
		}
		known = known || a.known()
		of = append(of, a)
	}
	if !known {
		of = nil
	}
	return made(closure, v.Name, nil, of).trim(avDepth)
}

func (w *Walker) evalChoice(fr *frame, s *State, v *effect.Value, depth int) av {
	best := av{}
	var fns []av
	open := false
	for _, x := range v.Of {
		a := w.eval(fr, s, x, depth)
		open = open || !a.known() && (x.Kind == effect.ValueCtxValue || x.Kind == effect.ValueCall || x.Class == catalog.Tx)
		if a.kind == closure {
			fns = append(fns, a)
		}
		if better(a, best) {
			best = a
		}
	}
	if best.kind == pool && open {
		return av{} // the pool unless a transaction is at hand: the path tells
	}
	if best.kind == closure && len(fns) > 1 {
		return made(oneOf, "", nil, fns)
	}
	return best
}

func (w *Walker) evalStruct(fr *frame, s *State, v *effect.Value, depth int) av {
	var names []string
	var of []av
	for i, n := range v.Names {
		if a := w.eval(fr, s, v.Of[i], depth); a.known() && a.kind != pool {
			names = append(names, n)
			of = append(of, a)
		}
	}
	if len(of) == 0 {
		return orClass(av{}, v.Class, true)
	}
	if len(of) == 1 && of[0].kind == outboxPub {
		return of[0] // a decorator of a publisher is one
	}
	return made(record, v.Owner, names, of).trim(avDepth)
}

// where resolves the handle of an effect: the index of an open transaction,
// InPool or InParam. A handle of transaction type that nobody saw begin is one
// that a caller opened.
func (w *Walker) where(fr *frame, s *State, e *effect.Effect) int {
	if e.Autocommit {
		return InPool
	}
	a := w.eval(fr, s, e.Handle, evalDepth)
	if a.kind == none {
		return InPool
	}
	a = a.handle()
	switch a.kind {
	case txHandle:
		if i := s.txIndex(a.tx); i >= 0 {
			return i
		}
		return InParam // a closed transaction: the statement fails
	case pool:
		if e.Class != catalog.Tx {
			return InPool
		}
	case param:
		return InParam
	}
	if len(s.Txs) > 0 {
		return len(s.Txs) - 1
	}
	if e.Class == catalog.Tx {
		return s.open(true)
	}
	return InPool
}
