package effect

import (
	"slices"
	"strings"
)

// Caches reports whether what a call runs brings a cache up to date: the first of its
// own calls is one of a cache. That may be lost.
func (p *Program) Caches(f *Func, n *Node) bool {
	return slices.ContainsFunc(p.runsAny(f, n), func(s string) bool {
		for _, m := range p.Funcs[s].Nodes {
			if m != nil && m.Kind == NodeCall && len(p.runsAny(p.Funcs[s], m)) > 0 {
				return slices.ContainsFunc(p.runsAny(p.Funcs[s], m), func(t string) bool {
					return strings.Contains(strings.ToLower(p.Funcs[t].Name), "cache")
				})
			}
		}
		return false
	})
}
