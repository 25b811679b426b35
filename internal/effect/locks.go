package effect

import (
	"go/types"
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Locks reports whether a read of a function, of its literals or of what they call locks
// its rows (FOR UPDATE). It is a may: which row is not looked at, nor on which path.
func (p *Program) Locks(fn *types.Func) bool {
	top := methodSymbol(fn)
	seen := map[string]bool{}
	for _, s := range p.Order {
		if f := p.Funcs[s]; f.Symbol == top || p.within(f, top) {
			if p.locks(f, 5, seen) {
				return true
			}
		}
	}
	return false
}

// within: a function is a literal of another.
func (p *Program) within(f *Func, top string) bool {
	for f != nil && f.Parent != "" {
		if f.Parent == top {
			return true
		}
		f = p.Funcs[f.Parent]
	}
	return false
}

func (p *Program) locks(f *Func, depth int, seen map[string]bool) bool {
	if f == nil || depth == 0 || seen[f.Symbol] {
		return false
	}
	seen[f.Symbol] = true
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool {
		if n == nil || n.Kind > NodeDefer {
			return false
		}
		return slices.ContainsFunc(n.Effects, func(e Effect) bool { return e.Kind == catalog.Read && e.locked() }) ||
			slices.ContainsFunc(p.runsAny(f, n), func(s string) bool { return p.locks(p.Funcs[s], depth-1, seen) })
	})
}

// locked: the read's statement or builder says so.
func (e *Effect) locked() bool {
	return e.Lock || slices.ContainsFunc(e.Data.Clauses, func(c Clause) bool { return c.Kind == "lock" })
}
