package missinginbox

import (
	"go/token"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// Check finds the rule's stories in a linked program. It gives up on no function.
func Check(p *effect.Program, _ func(symbol string)) []finding.Finding {
	var out []finding.Finding
	w := flow.NewWays(p)
	told := map[token.Position]bool{}
	report := func(s *story) {
		if s == nil || unwanted(p, s) != "" {
			return
		}
		if x := tell(s); !told[x.Pos] {
			told[x.Pos] = true
			out = append(out, x)
		}
	}
	w.EachWrite(func(f *effect.Func, n *effect.Node, e *effect.Effect) {
		for _, j := range judge(p, w, f, n, e) {
			report(j.story)
		}
	})
	eachRetry(p, w, func(_ flow.Retry, s *story, _ string) { report(s) })
	finding.Sort(out)
	return out
}

// Trace judges the same writes and records what it makes of them.
func Trace(p *effect.Program, t *flow.Trace) {
	w := flow.NewWays(p)
	w.EachWrite(func(f *effect.Func, n *effect.Node, e *effect.Effect) {
		all := judge(p, w, f, n, e)
		for _, j := range all {
			if j.story != nil {
				j.why = unwanted(p, j.story)
			}
			t.NoteWays(e, j.ways, j.why)
		}
		if len(all) == 0 {
			t.Note(e, [][]flow.Level{{{Func: f, Node: n}}}, "no delivery comes here, as far as is known")
		}
	})
	eachRetry(p, w, func(r flow.Retry, s *story, why string) {
		if s != nil {
			why = unwanted(p, s)
		}
		t.Note(r.Effect, [][]flow.Level{r.Path}, why)
	})
}

// eachRetry judges the inserts in what the code tries again by itself.
func eachRetry(p *effect.Program, w *flow.Ways, do func(r flow.Retry, s *story, why string)) {
	for _, symbol := range p.Order {
		f := p.Funcs[symbol]
		if f.Test {
			continue
		}
		for _, r := range w.Retries(f) {
			column := r.Remade()
			if column == "" {
				do(r, nil, "a second try makes no other key, or that is not known")
				continue
			}
			if why := r.Guarded(); why != "" {
				do(r, nil, why)
				continue
			}
			repeat := effect.Repeat{Kind: effect.RepeatKey, Table: r.Effect.Table, Column: column}
			do(r, &story{way: flow.Way{Path: r.Path}, repeat: repeat, level: len(r.Path) - 1, tried: true}, "")
		}
	}
}

// unwanted: nobody wants to hear of the place.
func unwanted(p *effect.Program, s *story) string {
	if why := p.Unwanted(s.site().Func); why != "" {
		return why
	}
	if s.repeat.Kind != effect.RepeatKey && s.way.Journal() {
		return "by its name it keeps a log"
	}
	return ""
}

func tell(s *story) finding.Finding {
	f := s.site().Finding(Name, s.category())
	f.Message, f.Flow = message(s), steps(s)
	return f
}

// steps are the handler's call, the site and the library's call, in this order.
func steps(s *story) []finding.Step {
	var out []finding.Step
	add := func(n *effect.Node, text string) {
		pos := n.Pos.Start()
		if len(out) == 0 || out[len(out)-1].Pos != pos {
			out = append(out, finding.Step{Pos: pos, Message: text})
		}
	}
	first := s.way.Path[0]
	if s.tried {
		add(first.Node, first.Node.Text+" is tried again when it fails")
		add(s.effect().Node, s.effect().Node.Text+" "+does(&s.repeat)+", another one in each try")
		out[len(out)-1].Crash = true
		return out
	}
	add(first.Node, first.Func.Name+" handles a delivery")
	add(s.site().Node, s.site().Node.Text+" passes it on")
	add(s.effect().Node, s.effect().Node.Text+" "+does(&s.repeat)+": a redelivery does so again")
	out[len(out)-1].Message = s.effect().Node.Text + " " + does(&s.repeat) + ": a redelivery does so again"
	out[len(out)-1].Crash = true
	return out
}
