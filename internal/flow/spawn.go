package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// goCall walks a goroutine from here; what it does is no part of the path that
// goes on, since nobody waits for it.
func (w *Walker) goCall(fr *frame, s *State, n *effect.Node) {
	serves := w.serves(n, 2)
	if !serves {
		w.spawned(fr, s, n)
	}
	was := fr.async
	fr.async = true
	s = s.clone()
	if serves {
		s.begin()
	}
	w.call(fr, s, n)
	fr.async = was
}

// spawn walks a function that waits for work and is given to one that runs it in
// a goroutine (sync.WaitGroup's Go), or till the end of the program.
func (w *Walker) spawn(fr *frame, s *State, n *effect.Node, t target) {
	was := fr.async
	fr.async = true
	s = s.clone()
	s.begin()
	w.invoke(fr, s, n, t, make([]av, len(t.f.Params)))
	fr.async = was
}

// begin forgets all that was done: it is no part of what comes.
func (s *State) begin() {
	s.forget()
	for i := range s.Txs {
		s.Txs[i].Local, s.Txs[i].Inherited = 0, 0
	}
	s.witness.drop(func(scoped) bool { return true })
	for i := range s.loops {
		for k := range s.loops[i].txs {
			s.loops[i].txs[k].before, s.loops[i].txs[k].aged = 0, 0
		}
	}
}

// serves reports whether a goroutine waits for work in a loop: what was done
// before it was started is no part of what it does.
func (w *Walker) serves(n *effect.Node, depth int) bool {
	return slices.ContainsFunc(w.prog.Resolve(n).Symbols, func(c string) bool { return w.waits(w.prog.Funcs[c], depth) })
}

// givesWaiting reports whether a function that waits for work is among the arguments.
func (w *Walker) givesWaiting(fr *frame, s *State, n *effect.Node) bool {
	return slices.ContainsFunc(n.Args, func(a *effect.Value) bool {
		return slices.ContainsFunc(w.funcTargets(w.eval(fr, s, a, evalDepth)), func(t target) bool { return w.waits(t.f, 2) })
	})
}

// waits reports whether a function waits in a loop for work to come, or from time
// to time looks for some and never stops.
func (w *Walker) waits(f *effect.Func, depth int) bool {
	for b := range f.Blocks {
		for _, id := range f.Blocks[b].Nodes {
			m := f.Nodes[id]
			switch {
			case m == nil:
			case m.InLoop && (m.Kind == effect.NodeReceive || len(m.Received) > 0):
				return true
			case m.Static == "time.Sleep" && endless(f, b):
				return true
			case depth > 0 && (m.Kind == effect.NodeCall || m.Kind == effect.NodeGo) && w.serves(m, depth-1):
				return true
			}
		}
	}
	return false
}

// endless reports whether a block is in a loop that nothing leaves.
func endless(f *effect.Func, block int) bool {
	return slices.ContainsFunc(f.Blocks[block].Loops, func(head int) bool {
		return !slices.ContainsFunc(f.Blocks, func(b effect.Block) bool {
			return slices.Contains(b.Loops, head) &&
				slices.ContainsFunc(b.Succs, func(s int) bool { return !slices.Contains(f.Blocks[s].Loops, head) })
		})
	})
}
