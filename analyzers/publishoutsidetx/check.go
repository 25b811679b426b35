package publishoutsidetx

import (
	"go/token"
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// Check walks a whole program and returns what it finds in the target packages.
// Unless it is nil, capped is called with the functions that were given up on.
func Check(p *effect.Program, capped func(symbol string)) []finding.Finding {
	var out []finding.Finding
	w := flow.NewWalker(p, rule{})
	all := w.Stories()
	stories := slices.DeleteFunc(slices.Clone(all), func(s flow.Story) bool {
		return right(p, w, &s) != "" || !p.Own[s.Place().Func.Package]
	})
	if capped != nil {
		for _, symbol := range w.Capped() {
			capped(symbol)
		}
	}
	for _, s := range flow.Once(stories, all) {
		if p.Unwanted(s.Place().Func) == "" {
			out = append(out, tell(&s))
		}
	}
	return single(out)
}

// single keeps one finding a call: the first of its stories in this order.
func single(fs []finding.Finding) []finding.Finding {
	rank := map[string]int{insideTx: 1, outsideTx: 2, afterCommit: 3, beforeWrite: 4, dualWrite: 5}
	best := map[token.Position]string{}
	for _, f := range fs {
		if c, ok := best[f.Pos]; !ok || rank[f.Category] < rank[c] {
			best[f.Pos] = f.Category
		}
	}
	return slices.DeleteFunc(fs, func(f finding.Finding) bool { return best[f.Pos] != f.Category })
}

func tell(s *flow.Story) finding.Finding {
	f := s.Place().Finding(Name, s.Category)
	f.Message, f.Flow = message(s), steps(s)
	if s.Category == beforeWrite {
		f.Tier = finding.Warning // that the message tells of that write is a guess
	}
	if byName(s) {
		f.Tier, f.Evidence = finding.Warning, finding.ByName
	}
	return f
}

// steps are the calls of both halves, in execution order, down to the library.
func steps(s *flow.Story) []finding.Step {
	var out []finding.Step
	for i, w := range []flow.Witness{s.First, s.Second} {
		out = append(out, finding.Step{Pos: w.Place().Node.Pos.Start(), Message: describe(s, w, w.Depth(), i == 0)})
	}
	last := len(out) - 1
	out[last].Crash = true
	return out
}

func describe(s *flow.Story, w flow.Witness, depth int, first bool) string {
	text := w.Path[depth].Node.Text + via(w, depth)
	switch {
	case first && s.Category == afterCommit:
		return text + " commits"
	case first && s.Category == dualWrite:
		return text + " writes"
	case s.Category == afterCommit || s.Category == dualWrite:
		return text + " publishes: a crash before it loses the event"
	case first && s.AtFirst:
		return text + " publishes"
	case s.Category == beforeWrite:
		return text + " writes: if it fails, the event is out"
	}
	return text
}

func byName(s *flow.Story) bool {
	for _, w := range []flow.Witness{s.First, s.Second} {
		if w.Effect != nil && w.Effect.ByName {
			return true
		}
	}
	return false
}
