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
		if unwanted(p, &s) == "" {
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
	at := s.Place()
	n := at.Node
	tier, evidence := finding.Error, finding.Proven
	if s.Category == beforeWrite {
		tier = finding.Warning // that the message tells of that write is a guess
	}
	if byName(s) {
		tier, evidence = finding.Warning, finding.ByName
	}
	return finding.Finding{
		Rule: Name, Category: s.Category, Tier: tier, Evidence: evidence,
		Pos:     token.Position{Filename: n.Pos.File, Line: n.Pos.Line, Column: n.Pos.Col},
		End:     token.Position{Filename: n.Pos.File, Line: n.Pos.EndLine, Column: n.Pos.EndCol},
		Package: at.Func.Package, Function: at.Func.Name, Callee: n.Text,
		Message: message(s), Flow: steps(s),
	}
}

// steps are the calls of both halves, in execution order, down to the library.
func steps(s *flow.Story) []finding.Step {
	var out []finding.Step
	for i, w := range []flow.Witness{s.First, s.Second} {
		out = append(out, finding.Step{Pos: position(w.Place().Node.Pos), Message: describe(s, w, w.Depth(), i == 0)})
	}
	last := len(out) - 1
	out[last].Crash = true
	return out
}

func position(p effect.Position) token.Position {
	return token.Position{Filename: p.File, Line: p.Line, Column: p.Col}
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
