package earlyack

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// owes reports whether the place that hides a failure is one that answers for the
// delivery: what takes it, or what that calls. Further down
// a function that can't tell of a failure is made for steps that may fail. A dead
// letter is owed wherever it is put aside.
func owes(p *effect.Program, failed flow.Witness) bool {
	at := failed.Depth()
	if at == 0 || failed.DeadLetter() {
		return true
	}
	f, above := failed.Path[at].Func, failed.Path[at-1].Func
	_, passed := p.Passed[above.Symbol]
	return at == 1 || takes(p, f) || f.ErrResult >= 0 && (passed || takes(p, above))
}

// decides: after the failure the delivery may also be given back, in the function that
// has met it, or in the one that acks and is told of it.
func decides(p *effect.Program, s *flow.Story) bool {
	back := []catalog.Kind{catalog.Nack, catalog.Requeue}
	path := s.Second.Path
	if s.First.Place().Func == path[0].Func && s.First.Place().Ahead(p, back...) {
		return true
	}
	return slices.ContainsFunc(path, func(l flow.Level) bool { return l.Node.Dynamic != nil && mayRun(p, l, back) }) ||
		slices.ContainsFunc(path[1:], func(l flow.Level) bool { return has(l.Func, back) })
}

// mayRun reports whether the function value that is called may be one that has an effect of some kinds.
func mayRun(p *effect.Program, l flow.Level, kinds []catalog.Kind) bool {
	return slices.ContainsFunc(p.Callees(l.Func, l.Node), func(c effect.Callee) bool { return c.Func != nil && has(c.Func, kinds) })
}

func has(f *effect.Func, kinds []catalog.Kind) bool {
	return slices.ContainsFunc(f.Nodes, func(n *effect.Node) bool {
		return n != nil && slices.ContainsFunc(n.Effects, func(e effect.Effect) bool { return slices.Contains(kinds, e.Kind) })
	})
}

// takes: the function, or the one that a literal stands in, is given a delivery.
func takes(p *effect.Program, f *effect.Func) bool {
	for range 4 {
		if f == nil {
			return false
		}
		if _, ok := p.Takes(f.Symbol); ok || f.Message >= 0 {
			return true
		}
		f = p.Funcs[f.Parent]
	}
	return false
}
