package publishoutsidetx

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// Mended are the functions of which the rule says nothing only because a poller in
// another package, or a sweeper, makes up for a lost publish, with the tables that it
// reads; none where it finds them by what it does with a row. Drivers that go package
// by package don't see it.
func Mended(p *effect.Program) map[string][]string {
	w := flow.NewWalker(p, rule{})
	out, told := map[string][]string{}, map[string]bool{}
	for _, s := range w.Stories() {
		owner := s.Func
		for p.Funcs[owner.Parent] != nil {
			owner = p.Funcs[owner.Parent]
		}
		switch {
		case unannounced(w, &s) != "" || noEvent(&s) || shrugged(w, &s):
		case polled(p, &s):
			for _, t := range pollers(p, &s, owner.Package) {
				out[owner.Symbol] = append(out[owner.Symbol], t)
			}
		case swept(p, &s):
			if out[owner.Symbol] == nil {
				out[owner.Symbol] = []string{}
			}
		case !repaired(p, w, &s):
			told[owner.Symbol] = true
		}
	}
	for symbol, tables := range out {
		slices.Sort(tables)
		if out[symbol] = slices.Compact(tables); len(tables) == 0 && told[symbol] {
			delete(out, symbol) // a comment for all of it would hide what is told
		}
	}
	return out
}

// pollers are the tables that packages other than one poll.
func pollers(p *effect.Program, s *flow.Story, besides string) []string {
	var out []string
	for _, t := range s.Other().Effect.Names() {
		if in := p.Polled[t]; len(in) > 0 && !slices.Contains(in, besides) {
			out = append(out, t)
		}
	}
	return out
}
