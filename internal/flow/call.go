package flow

import (
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// node runs one node on a state.
func (w *Walker) node(fr *frame, s *State, n *effect.Node) []*State {
	switch n.Kind {
	case effect.NodeCall:
		w.before(fr, s, n)
		return w.after(fr, w.call(fr, s, n), n)
	case effect.NodeMap:
		w.before(fr, s, n)
		return w.after(fr, w.keyed(fr, s, n), n)
	case effect.NodeGo:
		w.goCall(fr, s, n)
	case effect.NodeDefer:
		if i := deferIndex(fr.f, n); i < 64 {
			s.defers |= 1 << i
		}
	case effect.NodeRunDefers:
		return w.runDefers(fr, s)
	case effect.NodeStore:
		s.setOutcome(n.Key, s.source(n.Err))
	case effect.NodeKeep:
		w.sent(fr, s, n)
	case effect.NodeReceive:
		w.waited(fr, s, n)
	case effect.NodeSend:
		return w.send(fr, s, n)
	}
	return []*State{s}
}

func deferIndex(f *effect.Func, n *effect.Node) int {
	i := 0
	for _, m := range f.Nodes[:n.ID] {
		if m != nil && m.Kind == effect.NodeDefer {
			i++
		}
	}
	return i
}

// runDefers runs the deferred calls that the path has met, last first.
func (w *Walker) runDefers(fr *frame, s *State) []*State {
	states := []*State{s}
	for id := len(fr.f.Nodes) - 1; id >= 0; id-- {
		n := fr.f.Nodes[id]
		if n == nil || n.Kind != effect.NodeDefer {
			continue
		}
		i := deferIndex(fr.f, n)
		if i >= 64 {
			continue
		}
		var next []*State
		for _, s := range states {
			if s.defers&(1<<i) == 0 {
				next = append(next, s)
				continue
			}
			s.defers &^= 1 << i
			next = append(next, w.call(fr, s, n)...)
		}
		states = w.unique(next)
	}
	return states
}

// send: a channel whose readers publish makes a send a publish, unless what is
// sent is code that they run.
func (w *Walker) send(fr *frame, s *State, n *effect.Node) []*State {
	w.sent(fr, s, n)
	if done := w.delegate(fr, s, n); done != nil {
		return done
	}
	for _, c := range n.Args {
		if !w.prog.Published(fr.f, c) {
			continue
		}
		e := &effect.Effect{Kind: catalog.Publish, Confirm: "none"}
		w.apply(fr, s, n, e, InPool, true)
		break
	}
	return []*State{s}
}

// call runs a call: what the catalog says of it, else what its callees do.
func (w *Walker) call(fr *frame, s *State, n *effect.Node) []*State {
	switch {
	case n.Keyed != nil && w.stores != nil:
		return w.keyed(fr, s, n)
	case len(n.Effects) > 0:
		return w.effects(fr, s, n, n.Effects)
	case n.Entry != nil:
		return []*State{s}
	}
	targets := w.targets(fr, s, n)
	if len(targets) == 0 {
		w.handed(fr, s, n)
		return w.unknownCall(fr, s, n)
	}
	var out []*State
	for _, t := range targets {
		out = append(out, w.enter(fr, s, n, t)...)
	}
	return w.unique(out)
}

// enter walks a callee and brings its exits back to the caller.
func (w *Walker) enter(fr *frame, s *State, n *effect.Node, t target) []*State {
	if t.effect != nil {
		return w.effect(fr, s.clone(), n, t.effect)
	}
	args := make([]av, len(n.Args))
	for i, a := range n.Args {
		args[i] = w.eval(fr, s, a, evalDepth)
	}
	if n.Iface != "" && len(args) > 0 && args[0].kind != record && args[0].kind != outboxPub && args[0].kind != txHandle {
		args[0] = av{} // the receiver behind an interface is not known
	}
	return w.invoke(fr, s, n, t, args)
}

// invoke walks a callee with given arguments.
func (w *Walker) invoke(fr *frame, s *State, n *effect.Node, t target, args []av) []*State {
	if !w.relevant(t.f) {
		if w.picks(t.f) {
			return w.picked(fr, s, n, t, args)
		}
		return w.valuesOnly(fr, s, n, t, args)
	}
	ids := map[int]int{}
	entry := &State{Inherited: (s.Local | s.Inherited) & w.passes}
	for i, tx := range s.Txs {
		ids[tx.id] = i
		entry.Txs = append(entry.Txs, Tx{id: i, Outer: tx.Outer, bare: tx.bare, Inherited: tx.Local | tx.Inherited})
	}
	for i, c := range t.cells {
		bindCell(s, entry, c, i)
	}
	r := w.walk(t.f, entry, w.params(t.f, args, ids), renameAll(t.free, ids), fr.depth+1, false, fr.async, narrow(fr.tree, t.f.Package))
	w.takePendings(fr, s, n, t, r)
	w.trace.lift(fr, s, n, r)
	var out []*State
	for i := range r.exits {
		out = append(out, w.leave(fr, s, n, t, r, &r.exits[i]))
	}
	if len(out) == 0 { // the callee never returns, or a cap was met
		return nil
	}
	return out
}

func bindCell(s, entry *State, c *effect.Value, i int) {
	for _, isBool := range []bool{false, true} {
		k := effect.Key{Kind: 'm', A: c.Index, Bool: isBool}
		if c.Kind == effect.ValueFree {
			k.Kind = 'f'
		} else if c.Kind != effect.ValueCell {
			return
		}
		entry.setOutcome(effect.Key{Kind: 'f', A: i, Bool: isBool}, s.outcomeOf(k))
	}
}

func renameAll(in []av, ids map[int]int) []av {
	out := make([]av, len(in))
	for i, a := range in {
		out[i] = a.rename(ids)
	}
	return out
}

// params gives the callee's parameters the caller's values, in the callee's
// names. A parameter of a plain type carries nothing.
func (w *Walker) params(f *effect.Func, args []av, ids map[int]int) []av {
	out := make([]av, len(f.Params))
	for i := range out {
		if i < len(args) {
			out[i] = args[i].rename(ids)
		}
		if out[i].kind == sqlText && !w.prog.Texts[f.Symbol][i] {
			out[i] = av{}
		}
		if !out[i].known() && f.Params[i].Class == catalog.Pool {
			out[i] = av{kind: pool}
		}
	}
	return out
}

// unknownCall: a function that nobody has read may call the functions it is
// given (retry.Do, errgroup's Go, sync.Once); their error is taken for its own.
// One that registers them (a router's Post) calls them at another time, which
// their own walk covers.
func (w *Walker) unknownCall(fr *frame, s *State, n *effect.Node) []*State {
	if _, ok := w.base.(HandsOver); ok && !fr.async && n.Kind == effect.NodeCall && starts(n) && !w.givesWaiting(fr, s, n) {
		w.goCall(fr, s, n) // errgroup's Go
		return []*State{s}
	}
	if !callsNow(n) && !(fr.async && starts(n)) {
		return []*State{s}
	}
	for _, a := range n.Args {
		ts := w.funcTargets(w.eval(fr, s, a, evalDepth))
		if len(ts) == 0 {
			continue
		}
		out := []*State{}
		for _, t := range ts {
			if !w.relevant(t.f) {
				continue
			}
			if a.Kind == effect.ValueClosure {
				t.cells = a.Of
			}
			if w.waits(t.f, 2) {
				w.spawn(fr, s, n, t)
				continue
			}
			for _, x := range w.invoke(fr, s, n, t, make([]av, len(t.f.Params))) {
				// errgroup's Go: another call returns the error
				if n.ErrResult || t.f.ErrResult < 0 || x.outcomeOf(effect.Key{Kind: 'c', A: n.ID}) != effect.Yes {
					out = append(out, x)
				}
			}
		}
		if len(out) > 0 {
			return w.unique(out)
		}
	}
	return []*State{s}
}

// starts tells by its name whether a function runs what it is given in a goroutine.
func starts(n *effect.Node) bool {
	return strings.HasSuffix(n.Text, ".Go") || strings.HasSuffix(n.Text, ".TryGo") || n.Text == "time.AfterFunc"
}

// callsNow tells by its name and results whether a function runs the functions
// it is given before it returns, or at once in a goroutine.
func callsNow(n *effect.Node) bool {
	name := n.Text
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	for _, p := range []string{"Do", "Go", "Retry", "Run", "Submit", "Each", "ForEach", "Map", "Once", "Exec", "With", "Wrap", "In", "Try", "Execute", "Call", "Invoke", "Trace", "Measure", "Walk", "Range", "Poll", "Wait"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
