package flow

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// node runs one node on a state.
func (w *Walker) node(fr *frame, s *State, n *effect.Node) []*State {
	switch n.Kind {
	case effect.NodeCall:
		return w.call(fr, s, n)
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

// goCall walks a goroutine from here; what it does is no part of the path that
// goes on, since nobody waits for it.
func (w *Walker) goCall(fr *frame, s *State, n *effect.Node) {
	was := fr.async
	fr.async = true
	s = s.clone()
	if w.serves(n, 2) {
		s.forget()
	}
	w.call(fr, s, n)
	fr.async = was
}

// serves reports whether a goroutine waits for work in a loop: what was done
// before it was started is no part of what it does.
func (w *Walker) serves(n *effect.Node, depth int) bool {
	for _, c := range w.prog.Resolve(n).Symbols {
		for _, m := range w.prog.Funcs[c].Nodes {
			if m == nil {
				continue
			}
			if m.InLoop && (m.Kind == effect.NodeReceive || len(m.Received) > 0) {
				return true
			}
			if depth > 0 && (m.Kind == effect.NodeCall || m.Kind == effect.NodeGo) && w.serves(m, depth-1) {
				return true
			}
		}
	}
	return false
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
		states = unique(next)
	}
	return states
}

// send: a channel whose readers publish makes a send a publish.
func (w *Walker) send(fr *frame, s *State, n *effect.Node) []*State {
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
	if len(n.Effects) > 0 {
		states := []*State{s}
		for i := range n.Effects {
			var next []*State
			for _, s := range states {
				next = append(next, w.effect(fr, s, n, &n.Effects[i])...)
			}
			states = next
		}
		return states
	}
	if n.Entry != nil {
		return []*State{s}
	}
	targets := w.targets(fr, s, n)
	if len(targets) == 0 {
		return w.unknownCall(fr, s, n)
	}
	var out []*State
	for _, t := range targets {
		out = append(out, w.enter(fr, s, n, t)...)
	}
	return unique(out)
}

// target is one callee with the values it captured.
type target struct {
	f    *effect.Func
	free []av
	// cells pairs captured variables with variables of the caller, where the
	// closure is called by the function that made it.
	cells []*effect.Value
	// effect stands for a library method behind an interface of the module.
	effect *effect.Effect
}

func (w *Walker) targets(fr *frame, s *State, n *effect.Node) []target {
	if n.Dynamic != nil {
		if n.Dynamic.Kind == effect.ValueClosure {
			a := w.eval(fr, s, n.Dynamic, evalDepth)
			if f := w.prog.Funcs[a.name]; f != nil {
				return []target{{f: f, free: a.of, cells: n.Dynamic.Of}}
			}
		}
		if t := w.funcTargets(w.eval(fr, s, n.Dynamic, evalDepth)); len(t) > 0 {
			return t
		}
		return inTree(w.symbolTargets(w.prog.FuncsFrom(n.Dynamic, fr.f.Symbol)), fr.tree)
	}
	r := w.prog.Resolve(n)
	out := w.symbolTargets(r.Symbols)
	if r.Entry != nil && n.Iface != "" {
		if e := n.As(r.Entry); e != nil {
			out = append(out, target{effect: e})
		}
	}
	if n.Iface != "" {
		out = w.safest(inTree(out, fr.tree))
	}
	return out
}

// internalTree is the part of an import path before its last internal folder:
// only packages below it can name what is inside.
func internalTree(pkg string) string {
	if i := strings.LastIndex(pkg, "/internal/"); i >= 0 {
		return pkg[:i]
	}
	return ""
}

// narrow is the internal tree of a path that enters a package: once it is in a
// service of the repository it stays there, through shared packages too.
func narrow(tree, pkg string) string {
	if t := internalTree(pkg); strings.HasPrefix(t+"/", tree+"/") || tree == "" {
		return t
	}
	return tree
}

// inTree leaves out implementations from another internal tree than the one the
// path starts in, where there are others: one service of a repository is not
// given another's types.
func inTree(ts []target, tree string) []target {
	if tree == "" {
		return ts
	}
	var kept []target
	for _, t := range ts {
		if t.f != nil {
			other := internalTree(t.f.Package)
			if other != "" && !strings.HasPrefix(tree+"/", other+"/") && !strings.HasPrefix(other+"/", tree+"/") {
				continue
			}
		}
		kept = append(kept, t)
	}
	return kept
}

func (w *Walker) symbolTargets(symbols []string) []target {
	var out []target
	for _, s := range symbols {
		if f := w.prog.Funcs[s]; f != nil {
			out = append(out, target{f: f})
		}
	}
	return out
}

// safest: where one implementation of an interface stores an outbox row, those
// that publish are what its relay uses; the set is read as the outbox.
func (w *Walker) safest(ts []target) []target {
	outbox := false
	for _, t := range ts {
		if t.f != nil && w.prog.Reach[t.f.Symbol].Has(effect.Outboxes) {
			outbox = true
		}
	}
	if !outbox {
		return w.sinks(ts)
	}
	var kept []target
	for _, t := range ts {
		if t.f != nil && (w.prog.Reach[t.f.Symbol].Has(effect.Outboxes) || !w.prog.Reach[t.f.Symbol].Has(effect.Publishes)) {
			kept = append(kept, t)
		}
	}
	return kept
}

// sinks: where some implementations of a method only publish and others only
// write, they are places that messages go to; none of the writes is the state
// that the messages tell of.
func (w *Walker) sinks(ts []target) []target {
	publishes := func(t target) bool { return w.reaches(t, effect.Publishes) && !w.reaches(t, effect.Writes) }
	writes := func(t target) bool { return w.reaches(t, effect.Writes) && !w.reaches(t, effect.Publishes) }
	if !slices.ContainsFunc(ts, publishes) || !slices.ContainsFunc(ts, writes) {
		return ts
	}
	return slices.DeleteFunc(slices.Clone(ts), writes)
}

func (w *Walker) reaches(t target, k effect.Kinds) bool {
	if t.f != nil {
		return w.prog.Reach[t.f.Symbol].Has(k)
	}
	return effect.KindOf(t.effect).Has(k)
}

func (w *Walker) funcTargets(a av) []target {
	switch a.kind {
	case closure:
		if f := w.prog.Funcs[a.name]; f != nil {
			return []target{{f: f, free: a.of}}
		}
	case oneOf:
		var out []target
		for _, x := range a.of {
			out = append(out, w.funcTargets(x)...)
		}
		return out
	}
	return nil
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
	if !w.prog.Relevant[t.f.Symbol] {
		return w.valuesOnly(fr, s, n, t, args)
	}
	ids := map[int]int{}
	entry := &State{Inherited: (s.Local | s.Inherited) & w.passes, witness: map[scoped]Witness{}}
	for i, tx := range s.Txs {
		ids[tx.id] = i
		entry.Txs = append(entry.Txs, Tx{id: i, Outer: tx.Outer, Inherited: tx.Local | tx.Inherited})
	}
	for i, c := range t.cells {
		bindCell(s, entry, c, i)
	}
	r := w.walk(t.f, entry, w.params(t.f, args, ids), renameAll(t.free, ids), fr.depth+1, false, fr.async, narrow(fr.tree, t.f.Package))
	w.takePendings(fr, s, n, t, r)
	w.trace.lift(fr, s, n, r)
	var out []*State
	for i := range r.exits {
		out = append(out, w.leave(fr, s, n, t, &r.exits[i]))
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
		if !out[i].known() && f.Params[i].Class == catalog.Pool {
			out[i] = av{kind: pool}
		}
	}
	return out
}

// takePendings completes the stories of which the callee has the second half.
func (w *Walker) takePendings(fr *frame, s *State, n *effect.Node, t target, r *result) {
	if s.astray() {
		return
	}
	for _, p := range r.pendings {
		if n.Kind == effect.NodeGo && p.atFirst {
			continue // what a goroutine does later is no failure of this path
		}
		tx := p.tx
		local, inherited := s.Local, s.Inherited
		if tx >= 0 {
			if tx >= len(s.Txs) {
				continue
			}
			local, inherited = s.Txs[tx].Local, s.Txs[tx].Inherited
		}
		second := through(fr, n, p.second)
		switch {
		case local&p.bit != 0:
			first, _ := s.find(tx, p.bit)
			w.report(fr, p.category, first, second, p.atFirst, p.bits|s.Local)
		case inherited&p.bit != 0 && !w.explained(p.category, s.Local):
			fr.pend(pending{category: p.category, tx: tx, bit: p.bit, atFirst: p.atFirst, second: second, bits: p.bits | s.Local})
		}
	}
}

// Explainer is a rule that lets a frame answer for its second half: what the
// frame itself did explains it, and no caller's first half is told with it.
type Explainer interface {
	Explained(category string, local Bits) bool
}

func (w *Walker) explained(category string, local Bits) bool {
	r, ok := w.base.(Explainer)
	return ok && r.Explained(category, local)
}

// through is a witness of the callee as the caller sees it.
func through(fr *frame, n *effect.Node, inner Witness) Witness {
	return inner.below(Level{fr.f, n})
}

// leave is the caller's state after one exit of the callee.
func (w *Walker) leave(fr *frame, s *State, n *effect.Node, t target, e *exit) *State {
	out := s.clone()
	out.Local = s.Local&(e.state.Inherited|^w.passes) | e.state.Local
	out.Inherited = s.Inherited & (e.state.Inherited | ^w.passes)
	if e.state.Local&w.durable != 0 {
		out.failed = false
	}
	takeWitnesses(out, fr, n, -1, -1, e.state)
	back := map[int]int{}
	for i, tx := range s.Txs {
		j := e.state.txIndex(i)
		k := out.txIndex(tx.id)
		if j < 0 {
			out.close(k)
			continue
		}
		in := e.state.Txs[j]
		out.Txs[k].Local = tx.Local&in.Inherited | in.Local
		out.Txs[k].Inherited = tx.Inherited & in.Inherited
		back[i] = tx.id
		takeWitnesses(out, fr, n, tx.id, i, e.state)
	}
	for _, in := range e.state.Txs {
		if in.id < len(s.Txs) {
			continue
		}
		k := out.open(in.Outer)
		out.Txs[k].Local = in.Local
		back[in.id] = out.Txs[k].id
		takeWitnesses(out, fr, n, out.Txs[k].id, in.id, e.state)
	}
	vals := make([]av, len(e.vals))
	for i, a := range e.vals {
		vals[i] = a.rename(back)
	}
	out.setVals(n.ID, vals)
	out.setOutcome(effect.Key{Kind: 'c', A: n.ID}, e.err)
	out.setOutcome(effect.Key{Kind: 'c', A: n.ID, Bool: true}, e.bool)
	returnCells(out, t.cells, e.state)
	return out
}

func takeWitnesses(out *State, fr *frame, n *effect.Node, id, innerID int, in *State) {
	for k, inner := range in.witness {
		if k.tx != innerID {
			continue
		}
		k.tx = id
		if _, ok := out.witness[k]; !ok {
			out.witness[k] = through(fr, n, inner)
		}
	}
}

// returnCells carries what a closure assigned to captured variables back.
func returnCells(out *State, cells []*effect.Value, in *State) {
	for i, c := range cells {
		kind := byte('m')
		if c.Kind == effect.ValueFree {
			kind = 'f'
		} else if c.Kind != effect.ValueCell {
			continue
		}
		for _, isBool := range []bool{false, true} {
			o := in.outcomeOf(effect.Key{Kind: 'f', A: i, Bool: isBool})
			out.setOutcome(effect.Key{Kind: kind, A: c.Index, Bool: isBool}, o)
		}
	}
}

// valuesOnly: a callee without effects may still return a handle.
func (w *Walker) valuesOnly(fr *frame, s *State, n *effect.Node, t target, args []av) []*State {
	inner := &frame{f: t.f, params: args, free: t.free}
	empty := &State{Txs: s.Txs, witness: map[scoped]Witness{}}
	vals := make([]av, len(t.f.Returns))
	for i, v := range t.f.Returns {
		vals[i] = w.eval(inner, empty, v, evalDepth)
	}
	s.setVals(n.ID, vals)
	return []*State{s}
}

// unknownCall: a function that nobody has read may call the functions it is
// given (retry.Do, errgroup's Go, sync.Once); their error is taken for its own.
// One that registers them (a router's Post) calls them at another time, which
// their own walk covers.
func (w *Walker) unknownCall(fr *frame, s *State, n *effect.Node) []*State {
	if !callsNow(n) {
		return []*State{s}
	}
	for _, a := range n.Args {
		ts := w.funcTargets(w.eval(fr, s, a, evalDepth))
		if len(ts) == 0 {
			continue
		}
		out := []*State{}
		for _, t := range ts {
			if !w.prog.Relevant[t.f.Symbol] {
				continue
			}
			if a.Kind == effect.ValueClosure {
				t.cells = a.Of
			}
			out = append(out, w.invoke(fr, s, n, t, make([]av, len(t.f.Params)))...)
		}
		if len(out) > 0 {
			return unique(out)
		}
	}
	return []*State{s}
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
