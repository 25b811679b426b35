package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// delegate: a function that sends another one on a channel and waits for an answer
// has it run: a writer that does all writes in one goroutine. What takes it from
// the channel is walked as if it were called here; nil where nothing is.
func (w *Walker) delegate(fr *frame, s *State, n *effect.Node) []*State {
	if fr.depth == 0 || !waits(fr.f, n) {
		return nil
	}
	for i, v := range n.Sent {
		key := effect.ChannelKey(n.Args[i])
		takers := w.prog.Takers[key]
		if key == "" || len(takers) == 0 {
			continue
		}
		sent := w.eval(fr, s, v, evalDepth)
		if !sent.runs() {
			continue
		}
		var out []*State
		for _, t := range w.symbolTargets(takers) {
			if w.prog.Relevant[t.f.Symbol] && t.f != fr.f {
				t.free = append(make([]av, len(t.f.Free)), made(record, key, nil, []av{sent}))
				out = append(out, w.invoke(fr, s, n, t, make([]av, len(t.f.Params)))...)
			}
		}
		if out = worked(s, out); len(out) > 0 {
			return w.unique(out)
		}
	}
	return nil
}

// waits reports whether a function receives something after a send.
func waits(f *effect.Func, n *effect.Node) bool {
	return slices.ContainsFunc(f.Nodes, func(m *effect.Node) bool {
		return m != nil && m.ID > n.ID && (m.Kind == effect.NodeReceive || len(m.Received) > 0)
	})
}

// worked leaves out the paths on which the loop of what takes from the channel ran
// no round.
func worked(before *State, after []*State) []*State {
	return slices.DeleteFunc(after, func(s *State) bool {
		same := s.Local == before.Local && len(s.Txs) == len(before.Txs)
		for i := range s.Txs {
			same = same && s.Txs[i].Local == before.Txs[i].Local
		}
		return same
	})
}

// runs reports whether a value is a function, or holds one.
func (a av) runs() bool {
	return a.kind == closure || a.kind == oneOf || a.kind == record && slices.ContainsFunc(a.of, av.runs)
}

// received is what is known to come out of a channel: it stands behind the
// captured variables.
func (fr *frame) received(channel *effect.Value) av {
	if len(fr.free) <= len(fr.f.Free) {
		return av{}
	}
	if got := fr.free[len(fr.f.Free)]; got.name == effect.ChannelKey(channel) {
		return got.of[0]
	}
	return av{}
}
