package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// effects runs one effect after the other.
func (w *Walker) effects(fr *frame, s *State, n *effect.Node, es []effect.Effect) []*State {
	states := []*State{s}
	for i := range es {
		var next []*State
		for _, s := range states {
			next = append(next, w.effect(fr, s, n, &es[i])...)
		}
		states = next
	}
	return states
}

// effect runs what the catalog says of a call: the path on which it succeeds
// and, where somebody looks at its outcome, the one on which it fails.
func (w *Walker) effect(fr *frame, s *State, n *effect.Node, e *effect.Effect) []*State {
	if e.Text != nil && e.Statement != nil && e.Statement.Verb == sqltext.VerbUnknown {
		return w.given(fr, s, n, e)
	}
	switch e.Kind {
	case catalog.Begin:
		return w.begin(fr, s, n, e)
	case catalog.Commit:
		return w.commit(fr, s, n, e)
	case catalog.Rollback:
		if i := w.ends(fr, s, e); i >= 0 {
			w.rule.Rollback(w.path(fr, s, n, e), i)
			s.close(i)
		}
		return []*State{s}
	case catalog.RunInTx:
		return w.runInTx(fr, s, n, e)
	case catalog.AfterCommit:
		w.afterCommit(fr, s, n, e)
		return []*State{s}
	case catalog.Bind, catalog.PublishChannel:
		w.bind(fr, s, n, e, func(h av) av { return h })
		if e.Func != nil {
			return w.bound(fr, s, n, e)
		}
		return []*State{s}
	case catalog.OutboxPublisher:
		w.bind(fr, s, n, e, func(h av) av { return made(outboxPub, "", nil, []av{h.handle()}) })
		return w.both(fr, s, n)
	}
	return w.plain(fr, s, n, e)
}

// given runs a statement whose text the caller gives. If the caller doesn't know it
// either, an Exec writes some table, and what a Query does is not known.
func (w *Walker) given(fr *frame, s *State, n *effect.Node, e *effect.Effect) []*State {
	text := w.eval(fr, s, e.Text, evalDepth)
	switch {
	case text.kind == sqlText:
		k := givenKey{e, text.name}
		es, ok := w.texts[k]
		if !ok {
			es = n.Given(e, text.name)
			w.texts[k] = es
		}
		if len(es) > 0 {
			return w.effects(fr, s, n, es)
		}
	case e.Kind != catalog.Read:
		return w.plain(fr, s, n, e)
	}
	return w.both(fr, s, n)
}

// givenKey is a statement with a text that was given to it.
type givenKey struct {
	e    *effect.Effect
	text string
}

// both splits a state by the outcome of a call, before the call's effect. The
// path on which it fails is left out where nobody looks at the outcome.
func (w *Walker) both(fr *frame, s *State, n *effect.Node) []*State {
	if !fr.live[effect.Key{Kind: 'c', A: n.ID}] {
		return []*State{s}
	}
	failed := s.clone()
	failed.setOutcome(effect.Key{Kind: 'c', A: n.ID}, effect.Yes)
	s.setOutcome(effect.Key{Kind: 'c', A: n.ID}, effect.No)
	return []*State{s, failed}
}

func (w *Walker) plain(fr *frame, s *State, n *effect.Node, e *effect.Effect) []*State {
	if e.Kind == catalog.Publish && len(n.Args) > 0 {
		if v, ok := w.eval(fr, s, n.Args[0], evalDepth).outbox(); ok {
			return w.applied(fr, s, n, outboxOf(e), w.locate(s, v.of[0]), v.of[0].kind == pool)
		}
	}
	tx, sure := InPool, e.Autocommit
	switch e.Kind {
	case catalog.Write, catalog.Read, catalog.OutboxWrite:
		tx = w.where(fr, s, e)
		h := w.eval(fr, s, e.Handle, evalDepth).handle()
		sure = sure || h.kind == pool && h.name != guessed
	case catalog.Ack: // a queue in the database may be told in a transaction
		if h := w.eval(fr, s, e.Handle, evalDepth).handle(); h.kind == txHandle || e.Class == catalog.Tx {
			tx = w.where(fr, s, e)
		}
	}
	return w.applied(fr, s, n, e, tx, sure)
}

func outboxOf(e *effect.Effect) *effect.Effect {
	c := *e
	c.Kind = catalog.OutboxWrite
	return &c
}

// locate is where a handle's effects happen.
func (w *Walker) locate(s *State, a av) int {
	if a.kind == txHandle {
		if i := s.txIndex(a.tx); i >= 0 {
			return i
		}
	}
	if a.kind == pool {
		return InPool
	}
	if len(s.Txs) > 0 {
		return len(s.Txs) - 1
	}
	return InParam
}

// Fallible is a rule that wants to know of effects that failed.
type Fallible interface{ Failed(p *Path, ev Event) }

func (w *Walker) applied(fr *frame, s *State, n *effect.Node, e *effect.Effect, tx int, sure bool) []*State {
	states := w.both(fr, s, n)
	if r, ok := w.base.(Fallible); ok && len(states) > 1 {
		r.Failed(w.path(fr, states[1], n, e), Event{Effect: e, Node: n, Func: fr.f, Tx: tx, Async: fr.async})
	}
	w.apply(fr, states[0], n, e, tx, sure)
	return states
}

func (w *Walker) apply(fr *frame, s *State, n *effect.Node, e *effect.Effect, tx int, sure bool) {
	p := w.path(fr, s, n, e)
	w.rule.Apply(p, Event{Effect: e, Node: n, Func: fr.f, Tx: tx, Async: fr.async, Sure: sure})
}

func (w *Walker) path(fr *frame, s *State, n *effect.Node, e *effect.Effect) *Path {
	return &Path{State: s, w: w, fr: fr, now: Witness{
		Path: []Level{{fr.f, n}}, Effect: e, Dropped: n.Dropped,
	}}
}

// begin opens a transaction; on a transaction it makes a savepoint, whose commit
// makes nothing durable.
func (w *Walker) begin(fr *frame, s *State, n *effect.Node, e *effect.Effect) []*State {
	states := w.both(fr, s, n)
	ok := states[0]
	parent := 0
	if h := w.eval(fr, s, e.Handle, evalDepth).handle(); h.kind == txHandle && ok.txIndex(h.tx) >= 0 {
		parent = h.tx + 1
	}
	i := ok.open(false)
	ok.Txs[i].nested, ok.Txs[i].bare = parent, e.Result < 0
	if e.Result >= 0 {
		vals := make([]av, e.Result+1)
		vals[e.Result] = av{kind: txHandle, tx: ok.Txs[i].id}
		ok.setVals(n.ID, vals)
	} else if h := e.Handle; h != nil && h.Class == catalog.Either && h.Kind == effect.ValueCall && h.Result == 0 {
		ok.setVals(h.Index, []av{{kind: txHandle, tx: ok.Txs[i].id}}) // the session is now the handle
	}
	return states
}

// ends is the transaction that a commit or rollback ends. Through the pool, it is
// the last that was begun without a handle of its own: by a session, or by BEGIN
// as a statement.
func (w *Walker) ends(fr *frame, s *State, e *effect.Effect) int {
	i := w.where(fr, s, e)
	if i == InPool && len(s.Txs) > 0 && s.Txs[len(s.Txs)-1].bare {
		return len(s.Txs) - 1
	}
	return i
}

func (w *Walker) commit(fr *frame, s *State, n *effect.Node, e *effect.Effect) []*State {
	i := w.ends(fr, s, e)
	if i < 0 {
		return w.both(fr, s, n)
	}
	states := w.both(fr, s, n)
	if r, ok := w.base.(Fallible); ok && len(states) > 1 {
		r.Failed(w.path(fr, states[1], n, e), Event{Effect: e, Node: n, Func: fr.f, Tx: i, Async: fr.async})
	}
	w.commitAt(fr, states[0], n, e, i)
	for _, s := range states {
		s.close(i)
	}
	return states
}

// commitAt makes a transaction durable, or hands what it did to the one that it
// is a savepoint of.
func (w *Walker) commitAt(fr *frame, s *State, n *effect.Node, e *effect.Effect, i int) {
	t := s.Txs[i]
	if j := s.txIndex(t.nested - 1); t.nested > 0 && j >= 0 {
		s.Txs[j].Local |= t.Local
		for _, x := range slices.Clone(s.witness) {
			k := x.scoped
			if k.tx == t.id {
				k.tx = s.Txs[j].id
				s.witness.put(k, x.Witness, 0)
			}
		}
		return
	}
	w.rule.Commit(w.path(fr, s, n, e), i)
}

// bound calls the function argument of a bind with the bound value.
func (w *Walker) bound(fr *frame, s *State, n *effect.Node, e *effect.Effect) []*State {
	ts := w.funcTargets(w.eval(fr, s, e.Func, evalDepth))
	if len(ts) == 0 {
		ts = w.symbolTargets(w.prog.FuncsFrom(e.Func, fr.f.Symbol))
	}
	h := w.eval(fr, s, e.Handle, evalDepth)
	var out []*State
	for _, t := range ts {
		if !w.relevant(t.f) {
			continue
		}
		if e.Func.Kind == effect.ValueClosure {
			t.cells = e.Func.Of
		}
		args := make([]av, len(t.f.Params))
		for _, i := range []int{e.TxParam, e.CtxParam} {
			if i >= 0 && i < len(args) {
				args[i] = h
			}
		}
		out = append(out, w.invoke(fr, s, n, t, args)...)
	}
	if len(out) == 0 {
		return []*State{s}
	}
	return w.unique(out)
}

func (w *Walker) bind(fr *frame, s *State, n *effect.Node, e *effect.Effect, wrap func(av) av) {
	h := w.eval(fr, s, e.Handle, evalDepth)
	if !h.known() && e.Kind == catalog.OutboxPublisher && e.Class == catalog.Tx {
		h = av{kind: txHandle, tx: s.Txs[w.where(fr, s, e)].id}
	}
	vals := make([]av, max(e.Result, 0)+1)
	if h.known() {
		vals[len(vals)-1] = wrap(h)
	}
	s.setVals(n.ID, vals)
}

// runInTx runs the function argument between a begin and a commit.
func (w *Walker) runInTx(fr *frame, s *State, n *effect.Node, e *effect.Effect) []*State {
	ts := w.funcTargets(w.eval(fr, s, e.Func, evalDepth))
	if len(ts) == 0 {
		ts = w.symbolTargets(w.prog.FuncsFrom(e.Func, fr.f.Symbol))
	}
	if len(ts) == 0 {
		return w.both(fr, s, n)
	}
	if h := w.eval(fr, s, e.Handle, evalDepth).handle(); h.kind == txHandle && s.txIndex(h.tx) >= 0 {
		return w.bound(fr, s, n, e) // joins the open transaction
	}
	failed := s.clone()
	failed.setOutcome(effect.Key{Kind: 'c', A: n.ID}, effect.Yes)
	out := []*State{failed}
	for _, t := range ts {
		if e.Func.Kind == effect.ValueClosure {
			t.cells = e.Func.Of
		}
		out = append(out, w.inTx(fr, s.clone(), n, e, t)...)
	}
	return w.unique(out)
}

func (w *Walker) inTx(fr *frame, s *State, n *effect.Node, e *effect.Effect, t target) []*State {
	i := s.open(false)
	id := s.Txs[i].id
	h := av{kind: txHandle, tx: id}
	args := make([]av, len(t.f.Params))
	if e.TxParam >= 0 && e.TxParam < len(args) {
		args[e.TxParam] = h
	}
	if e.CtxParam >= 0 && e.CtxParam < len(args) {
		args[e.CtxParam] = made(ctxOf, "", nil, []av{h})
	}
	var exits []*State
	if w.relevant(t.f) {
		exits = w.invoke(fr, s, n, t, args)
	} else {
		exits = []*State{s}
	}
	var out []*State
	for _, x := range exits {
		out = append(out, w.endTx(fr, x, n, e, id)...)
	}
	return out
}

// endTx commits where the function returned nil and rolls back where not.
func (w *Walker) endTx(fr *frame, s *State, n *effect.Node, e *effect.Effect, id int) []*State {
	key := effect.Key{Kind: 'c', A: n.ID}
	s.setVals(n.ID, nil)
	i := s.txIndex(id)
	if i < 0 { // the function ended it itself
		return []*State{s}
	}
	var out []*State
	if got := s.outcomeOf(key); got != effect.Yes {
		done := s.clone()
		w.rule.Commit(w.path(fr, done, n, e), i)
		done.close(i)
		done.setOutcome(key, effect.No)
		out = append(out, done)
	}
	failed := s.clone()
	w.rule.Rollback(w.path(fr, failed, n, e), i)
	failed.close(i)
	failed.setOutcome(key, effect.Yes)
	return append(out, failed)
}

// afterCommit walks a hook as if the transaction had just committed.
func (w *Walker) afterCommit(fr *frame, s *State, n *effect.Node, e *effect.Effect) {
	s = s.clone()
	i := w.where(fr, s, e)
	if i >= 0 {
		w.rule.Commit(w.path(fr, s, n, e), i)
		s.close(i)
	}
	for _, t := range w.funcTargets(w.eval(fr, s, e.Func, evalDepth)) {
		if w.relevant(t.f) {
			w.invoke(fr, s, n, t, make([]av, len(t.f.Params)))
		}
	}
}
