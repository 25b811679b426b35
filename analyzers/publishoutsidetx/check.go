package publishoutsidetx

import (
	"go/token"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// Check walks a whole program and returns what it finds in the target packages.
func Check(p *effect.Program) []finding.Finding {
	var out []finding.Finding
	for _, s := range flow.NewWalker(p, rule{}).Stories() {
		f := s.Func
		if !p.Targets[f.Package] || f.Test || p.Generated[f.Pos.File] {
			continue
		}
		out = append(out, tell(&s))
	}
	return out
}

func tell(s *flow.Story) finding.Finding {
	w := s.Site()
	n := w.Node
	return finding.Finding{
		Rule: Name, Category: s.Category, Tier: finding.Error, Evidence: finding.Proven,
		Pos:     token.Position{Filename: n.Pos.File, Line: n.Pos.Line, Column: n.Pos.Col},
		End:     token.Position{Filename: n.Pos.File, Line: n.Pos.EndLine, Column: n.Pos.EndCol},
		Package: s.Func.Package, Function: s.Func.Name, Callee: n.Text,
		Message: message(s), Flow: steps(s),
	}
}

func steps(s *flow.Story) []finding.Step {
	a, b := s.First, s.Second
	return []finding.Step{
		{Pos: position(a.Node.Pos), Message: describe(s, a, true)},
		{Pos: position(b.Node.Pos), Message: describe(s, b, false), Crash: true},
	}
}

func position(p effect.Position) token.Position {
	return token.Position{Filename: p.File, Line: p.Line, Column: p.Col}
}

func describe(s *flow.Story, w flow.Witness, first bool) string {
	text := w.Node.Text + via(w)
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
