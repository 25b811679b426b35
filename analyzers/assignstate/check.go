package assignstate

import (
	"go/token"
	"sync"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
)

func newRule(p *effect.Program) *rule {
	w := flow.NewWays(p)
	return &rule{p: p, w: w, values: sync.OnceValue(w.StoredValues), ordered: sync.OnceValue(w.OrderedBy)}
}

// Check finds the rule's stories in a linked program. It gives up on no function.
func Check(p *effect.Program, _ func(symbol string)) []finding.Finding {
	var out []finding.Finding
	r := newRule(p)
	told := map[token.Position]bool{}
	r.each(func(f *effect.Func, n *effect.Node, e *effect.Effect) {
		for _, j := range r.judge(f, n, e) {
			if j.story == nil || unwanted(p, j.story) != "" {
				continue
			}
			if x := tell(j.story); !told[x.Pos] {
				told[x.Pos] = true
				x.Overwrite = r.overwrite(j.story)
				out = append(out, x)
			}
		}
	})
	finding.Sort(out)
	return out
}

// Trace judges the same writes and records what it makes of them.
func Trace(p *effect.Program, t *flow.Trace) {
	r := newRule(p)
	r.each(func(f *effect.Func, n *effect.Node, e *effect.Effect) {
		all := r.judge(f, n, e)
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
}

// unwanted: nobody wants to hear of the place.
func unwanted(p *effect.Program, s *story) string {
	f := s.call().Func
	if s.atField() {
		f = s.set.Func
	}
	return p.Unwanted(f)
}

func tell(s *story) finding.Finding {
	f := s.call().Finding(Name, s.category())
	if s.atField() {
		f.Package, f.Function, f.Callee = s.set.Func.Package, s.set.Func.Name, s.set.At.Owner+"."+s.set.At.Field
		f.Pos, f.End = s.set.At.Pos.Start(), s.set.At.Pos.End()
	}
	f.Tier, f.Message, f.Flow = finding.Warning, message(s), steps(s)
	return f
}

// steps are the handler's call, the assignment or the site, and the library's call.
func steps(s *story) []finding.Step {
	var out []finding.Step
	add := func(pos token.Position, text string) {
		if len(out) == 0 || out[len(out)-1].Pos != pos {
			out = append(out, finding.Step{Pos: pos, Message: text})
			return
		}
		out[len(out)-1].Message = text
	}
	first, last := s.way.Path[0], s.way.Path[len(s.way.Path)-1]
	add(first.Node.Pos.Start(), first.Func.Name+" handles a delivery")
	if s.atField() {
		add(s.set.At.Pos.Start(), target(s)+" is set")
	} else {
		at := s.call()
		add(at.Node.Pos.Start(), at.Node.Text+" passes it on")
	}
	add(last.Node.Pos.Start(), last.Node.Text+" stores it, whatever the row holds by then")
	out[len(out)-1].Crash = true
	return out
}
