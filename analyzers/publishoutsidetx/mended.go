package publishoutsidetx

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// Apart is what drivers that go package by package can't see of the rule's judgement.
type Apart struct {
	// Mended are the functions of which it says nothing only because a poller in another
	// package, or a sweeper, makes up for a lost publish, with the tables that it reads;
	// none where it finds them by what it does with a row.
	Mended map[string][]string
	// Told are the places of both halves of what it tells.
	Told map[effect.Position]bool
}

// Judged finds it in a whole program.
func Judged(p *effect.Program) Apart {
	w := flow.NewWalker(p, rule{})
	out, told, places := map[string][]string{}, map[string]bool{}, map[effect.Position]bool{}
	for _, s := range w.Stories() {
		owner := s.Func
		for p.Funcs[owner.Parent] != nil {
			owner = p.Funcs[owner.Parent]
		}
		switch {
		case harmless(p, w, &s) != "":
		case polled(p, &s):
			out[owner.Symbol] = append(out[owner.Symbol], pollers(p, &s, owner.Package)...)
		case swept(p, &s):
			if out[owner.Symbol] == nil {
				out[owner.Symbol] = []string{}
			}
		case !repaired(p, w, &s):
			told[owner.Symbol] = true
			places[s.First.Place().Node.Pos], places[s.Second.Place().Node.Pos] = true, true
		}
	}
	for symbol, tables := range out {
		slices.Sort(tables)
		if out[symbol] = slices.Compact(tables); len(tables) == 0 && told[symbol] {
			delete(out, symbol) // a comment for all of it would hide what is told
		}
	}
	return Apart{out, places}
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
