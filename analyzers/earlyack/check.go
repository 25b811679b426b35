package earlyack

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// Check walks a whole program and returns what it finds in the target packages.
// Unless it is nil, capped is called with the functions that were given up on.
func Check(p *effect.Program, capped func(symbol string)) []finding.Finding {
	var out []finding.Finding
	r := newRule(p)
	w := flow.NewWalker(p, r)
	all := w.Stories()
	excused := excuses(all)
	var stories []flow.Story
	for _, s := range all {
		if right(r, &s, excused) == "" && p.Own[s.Place().Func.Package] {
			stories = append(stories, s)
		}
	}
	if capped != nil {
		for _, symbol := range w.Capped() {
			capped(symbol)
		}
	}
	told := map[token.Position]bool{}
	for _, s := range flow.Once(stories, stories) {
		f := tell(&s)
		if p.Unwanted(s.Place().Func) == "" && !told[f.Pos] {
			told[f.Pos] = true
			out = append(out, f)
		}
	}
	return out
}

// others are what stories tell of others.
type others struct {
	// excused are the places whose failure the code makes up for: on some path another
	// effect of the same delivery comes about after it. What failed is then a step
	// that the rest does not depend on, or the answer to the failure is stored.
	excused map[*effect.Node]bool
	// worked are the acks before which there is an effect on some path.
	worked map[*effect.Node]bool
}

func excuses(stories []flow.Story) others {
	out := others{map[*effect.Node]bool{}, map[*effect.Node]bool{}}
	for i := range stories {
		s := &stories[i]
		switch {
		case s.Category == madeUp:
			out.excused[s.Place().Node] = true
		case isWorked(s):
			out.worked[last(s.Second)] = true
		}
	}
	return out
}

func isWorked(s *flow.Story) bool { return strings.HasPrefix(s.Category, worked) }

func newRule(p *effect.Program) rule {
	early := map[*effect.Node]bool{}
	for _, h := range p.Handlers {
		if h.Early && h.Ack == effect.AckAuto && h.Receive != nil {
			early[h.Receive] = true
		}
	}
	return rule{p, effect.NewProvenance(p), effect.NewDedupe(p), early}
}

// Trace walks a program as Check does and records what it meets in what handlers
// reach.
func Trace(p *effect.Program, t *flow.Trace) {
	r := newRule(p)
	w := flow.NewWalker(p, r)
	w.Record(t)
	excused := excuses(w.Stories())
	t.Steps = slices.DeleteFunc(t.Steps, func(s flow.Step) bool { return !p.Handling[s.Path[0].Func.Symbol] })
	t.Judge(func(s *flow.Story) string {
		if why := p.Unwanted(s.Place().Func); why != "" {
			return why
		}
		return right(r, s, excused)
	})
}

func tell(s *flow.Story) finding.Finding {
	f := s.Place().Finding(Name, s.Category)
	f.Message, f.Flow = message(s), steps(s)
	if s.Category == onFailure { // some failures are meant to be passed over
		f.Tier = finding.Warning
	}
	if e := s.First.Effect; e != nil && e.ByName {
		f.Tier, f.Evidence = finding.Warning, finding.ByName
	}
	return f
}

// message tells the story in one sentence.
func message(s *flow.Story) string {
	name := s.Place().Node.Text
	then := s.Second
	switch s.Category {
	case beforeEffect:
		if s.AtFirst {
			switch kept := s.Place().Node.Kind == effect.NodeKeep; {
			case kept && then.Node().Kind == effect.NodeReturn:
				return fmt.Sprintf("%s holds the message in memory when the handler returns, which acks it: a crash loses it", name)
			case kept:
				return fmt.Sprintf("%s holds the message in memory when %s acks it: a crash loses it", name, at(s, then))
			case then.Node().Kind == effect.NodeReturn:
				return fmt.Sprintf("%s may still handle the message when the handler returns, which acks it: a crash loses it", name)
			}
			return fmt.Sprintf("%s runs before %s: a crash in between loses the message", name, at(s, then))
		}
		return fmt.Sprintf("%s runs while %s may still handle the message: a crash loses it", name, at(s, s.First))
	case autoAck:
		if !s.AtFirst {
			return fmt.Sprintf("%s leaves the message to others, and %s has acked it by itself: a crash loses it", name, at(s, s.First))
		}
		return fmt.Sprintf("%s takes messages that are acked by themselves, before %s: a crash or a failure loses them", name, at(s, then))
	case outOfOrder:
		return fmt.Sprintf("%s runs in a goroutine of its own for each message: it commits earlier ones too that are not done", name)
	}
	switch {
	case then.Effect != nil && then.Effect.Kind == catalog.Ack:
		return fmt.Sprintf("%s may fail, and %s acks all the same: the message is lost", name, at(s, then))
	case then.Node().Kind == effect.NodeReturn:
		return fmt.Sprintf("%s may fail, and the handler returns no error: the message is acked and lost", name)
	}
	return fmt.Sprintf("%s may fail, and the next message is read: a later commit passes this one, and it is lost", name)
}

// at names a call and, in the same file, its line.
func at(s *flow.Story, w flow.Witness) string {
	n := w.Node()
	if n.Pos.File != s.Place().Node.Pos.File {
		return n.Text
	}
	return fmt.Sprintf("%s (line %d)", n.Text, n.Pos.Line)
}

// steps are the two places in execution order.
func steps(s *flow.Story) []finding.Step {
	first := finding.Step{Pos: s.Place().Node.Pos.Start(), Message: s.Place().Node.Text + " fails"}
	last := finding.Step{Pos: s.Second.Node().Pos.Start(), Message: "the message is acked and lost", Crash: true}
	switch s.Category {
	case beforeEffect, autoAck:
		first.Message, last.Message = early(s)
		if !s.AtFirst {
			first.Pos, last.Pos = s.First.Node().Pos.Start(), s.Place().Node.Pos.Start()
		}
	case outOfOrder:
		first = finding.Step{Pos: s.First.Node().Pos.Start(), Message: "a goroutine handles each message"}
		last = finding.Step{Pos: s.Place().Node.Pos.Start(), Message: "a crash loses earlier messages that are not done", Crash: true}
	}
	return []finding.Step{first, last}
}

// early are the two halves of an ack that came too early, in execution order.
func early(s *flow.Story) (first, last string) {
	name, kind := s.Place().Node.Text, s.Place().Node.Kind
	switch {
	case s.Category == autoAck && !s.AtFirst:
		return s.First.Node().Text + " acks", "a crash loses what waits here"
	case !s.AtFirst:
		return s.First.Node().Text + " hands the message on", name + " acks: a crash loses the message"
	case kind == effect.NodeKeep || kind == effect.NodeGo:
		return name + " has the message", "the message is acked: a crash loses it"
	}
	return name + " acks", "a crash before " + s.Second.Node().Text + " loses the message"
}

// right says what makes the code of a story right, "" for nothing.
func right(r rule, s *flow.Story, o others) string {
	switch {
	case s.Category == madeUp:
		return "it says that a failure is made up for"
	case isWorked(s):
		return "it says that the work was done before the ack"
	case s.Category == onFailure && o.excused[s.Place().Node]:
		return "another effect of the delivery comes about after the failure"
	case o.worked[last(s.First)] && r.keepsBooks(s):
		return "what follows the ack notes that the work is done"
	}
	return r.silence(s)
}

// Rank: what nobody would be told of comes last, and an ack is plainer than a message that
// the next one passes.
func (r rule) Rank(s *flow.Story) int {
	switch {
	case r.keepsBooks(s) || r.silence(s) != "":
		return 0
	case s.Category == onFailure && (s.Second.Effect == nil || s.Second.Effect.Kind != catalog.Ack) && s.Second.Node().Kind != effect.NodeReturn:
		return 1
	}
	return 2
}

func (r rule) silence(s *flow.Story) string {
	if s.Category == beforeEffect && s.Second.Node() == s.First.Node() {
		return "the two belong to different deliveries"
	}
	switch failed := s.First; {
	case (s.Category == beforeEffect || s.Category == autoAck) && (s.Second.Journal() || s.Second.Telemetry()):
		return "what follows the ack is a log or telemetry"
	case s.Category != onFailure:
	case failed.Dropped && !failed.DeadLetter():
		return "nobody looks at its error"
	case !counts(failed):
		return "what fails is a log or telemetry"
	case r.notes(failed):
		return "what fails is the record that the message was handled"
	case !owes(r.p, failed):
		return "it is a step of which the handler is not told whether it failed"
	case decides(r.p, s):
		return "the code decides by the kind of the error whether to ack"
	}
	return ""
}
