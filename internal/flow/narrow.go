package flow

import "github.com/deliverylint/deliverylint/internal/effect"

// takes reports whether a function that a call gives values of known types comes to a node
// of its own: it may not where the node stands in the case of another type.
func takes(call *effect.Node, callee Level) bool {
	if len(call.Types) == 0 {
		return true
	}
	g := newReaching(callee.Func)
	at := g.blockOf(callee.Node)
	for i := range callee.Func.Blocks {
		b := &callee.Func.Blocks[i]
		t := b.Type
		if t == nil || len(b.Succs) != 2 || t.Param >= len(call.Types) || call.Types[t.Param] == "" {
			continue
		}
		side := 1
		if call.Types[t.Param] == t.Type {
			side = 0
		}
		if g.leadsTo(i, 1-side, at) && !g.leadsTo(i, side, at) {
			return false
		}
	}
	return true
}
