package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// WritesBeside reports whether a function below the place of a witness changes stored
// state too: what belongs together there is told there, and not of what its callers have
// done before. It is a may: the change may be on another path.
func (w *Walker) WritesBeside(s *Story) bool {
	x, from := s.Site(), s.Depth()+1
	if at := s.Place().Func; at.Parent != "" && !slices.ContainsFunc(s.Other().Path, func(l Level) bool { return l.Func == at }) {
		from-- // a literal that a transaction runs
	}
	return slices.ContainsFunc(x.Path[from:], func(l Level) bool {
		return slices.ContainsFunc(l.Func.Nodes, func(n *effect.Node) bool {
			return n != nil && n != l.Node && n.Kind <= effect.NodeDefer && reachesBy(w.prog, n, effect.Writes)
		})
	})
}

// OutboxesInLoop reports whether a function below the place of a witness stores outbox rows
// in a loop, one for each event that there is: where it stores none, there is none to publish.
func (w *Walker) OutboxesInLoop(x Witness) bool {
	return slices.ContainsFunc(x.Path[x.Depth()+1:], func(l Level) bool {
		return slices.ContainsFunc(l.Func.Nodes, func(n *effect.Node) bool {
			return n != nil && n.InLoop && slices.ContainsFunc(n.Effects, func(e effect.Effect) bool { return e.Kind == catalog.OutboxWrite })
		})
	})
}

// reachesBy reports whether a call does something of a kind, itself or below.
func reachesBy(p *effect.Program, n *effect.Node, k effect.Kinds) bool {
	for i := range n.Effects {
		if effect.KindOf(&n.Effects[i]).Has(k) {
			return true
		}
	}
	return slices.ContainsFunc(p.Resolve(n).Symbols, func(s string) bool { return p.Reach[s].Has(k) })
}

// StoresAnswer reports whether a caller of a function stores what it was answered.
func (w *Walker) StoresAnswer(f *effect.Func) bool {
	return slices.ContainsFunc(w.prog.Callers[f.Symbol], func(c string) bool {
		g := w.prog.Funcs[c]
		return slices.ContainsFunc(g.Nodes, func(n *effect.Node) bool {
			return n != nil && n.Kind == effect.NodeCall && slices.Contains(w.prog.Resolve(n).Symbols, f.Symbol) && w.storesFrom(g, n)
		})
	})
}

// storesFrom reports whether another call takes what a call has returned, and writes.
func (w *Walker) storesFrom(g *effect.Func, call *effect.Node) bool {
	from := effect.Origin{Kind: 'c', A: call.ID}
	return slices.ContainsFunc(g.Nodes, func(n *effect.Node) bool {
		return n != nil && n != call && n.Kind <= effect.NodeDefer && slices.Contains(n.Origins, from) && reachesBy(w.prog, n, effect.Writes)
	})
}
