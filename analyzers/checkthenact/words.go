package checkthenact

import (
	"fmt"
	"path"
	"strconv"
	"time"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
)

func stored(e *effect.Effect) bool {
	return e.Kind == catalog.Write || e.Kind == catalog.OutboxWrite || e.Kind == catalog.Commit || e.Kind == catalog.RunInTx
}

// shortLease is how long a claim may hold to be a lock on work that is under way.
const shortLease = 15 * time.Minute

// lease: the claim ends by itself soon.
func lease(g *effect.Gate, s *flow.Story) bool {
	deep := s.First.Path[len(s.First.Path)-1].Node
	if deep.Keyed == nil || deep.Keyed.Op != effect.Claims || len(deep.Args) == 0 {
		return false
	}
	last := deep.Args[len(deep.Args)-1]
	if last == nil || last.Kind != effect.ValueConst {
		return last != nil && len(deep.Args) > 4 // what it is, only the configuration tells
	}
	ttl, err := strconv.ParseInt(last.Name, 10, 64)
	return err == nil && ttl > 0 && time.Duration(ttl) <= shortLease
}

// tell is the finding of a story, nil where nobody wants to hear of the place.
func tell(p *effect.Program, g *effect.Gate, s *flow.Story, category string) *finding.Finding {
	at := site(p, g, s, category)
	if at.Node == nil || p.Unwanted(at.Func) != "" {
		return nil
	}
	f := at.Finding(Name, category)
	f.Message, f.Flow = message(g, s, category, at), steps(g, s, category)
	return &f
}

// site is where a finding points: the check or the mark, and for a record that comes
// too late the record. Where a caller gives the effect as a function, its call.
func site(p *effect.Program, g *effect.Gate, s *flow.Story, category string) flow.Level {
	at := flow.Level{Func: g.Func, Node: g.Node}
	switch category {
	case recordOutside:
		at = s.Second.Place()
	case markBefore:
		at = s.First.Place()
	}
	act := acts(s)
	if len(act.Path) < 2 || !act.Path[0].Node.CallsGiven() {
		return at
	}
	owner := p.Funcs[act.Path[1].Func.Parent]
	if owner == nil {
		return at
	}
	for _, n := range owner.Nodes {
		if n == nil || n.Kind > effect.NodeDefer {
			continue
		}
		for _, a := range n.Args {
			if a != nil && a.Kind == effect.ValueClosure && a.Name == act.Path[1].Func.Symbol {
				return flow.Level{Func: owner, Node: n}
			}
		}
	}
	return at
}

// acts is the effect of a story.
func acts(s *flow.Story) flow.Witness {
	if s.Category == recordOutside {
		return s.First
	}
	return s.Second
}

func message(g *effect.Gate, s *flow.Story, category string, at flow.Level) string {
	name := at.Node.Text
	act := called(acts(s).Place(), at)
	switch category {
	case checkOutside:
		return fmt.Sprintf("%s is not in the transaction of %s: two deliveries both pass and are applied twice", name, act)
	case recordOutside:
		return fmt.Sprintf("%s records the message after %s: a crash in between applies it twice", name, act)
	case markBefore:
		return fmt.Sprintf("%s marks the message before %s: a crash or failure in between loses it, since the redelivery is skipped", name, act)
	}
	if g.Lookups != nil && g.Lookups[0].Memory || g.Claims != nil && g.Claims[0].Memory {
		return fmt.Sprintf("%s asks the memory of the process before %s: after a restart, or in a second replica, the message is applied twice", name, act)
	}
	return fmt.Sprintf("%s asks a cache beside the database of %s: a crash before the cache is set applies the message twice", name, act)
}

// called names a call and its line.
func called(l, from flow.Level) string {
	if l.Node.Pos.File != from.Node.Pos.File {
		return fmt.Sprintf("%s (%s:%d)", l.Node.Text, path.Base(l.Node.Pos.File), l.Node.Pos.Line)
	}
	return fmt.Sprintf("%s (line %d)", l.Node.Text, l.Node.Pos.Line)
}

func steps(g *effect.Gate, s *flow.Story, category string) []finding.Step {
	gate := finding.Step{Pos: g.Node.Pos.Start(), Message: g.Node.Text + " asks whether the message is new"}
	act := acts(s).Place().Node
	step := finding.Step{Pos: act.Pos.Start(), Message: act.Text + " applies it"}
	switch {
	case category == checkOutside:
		step.Crash, step.Message = true, act.Text+" applies it, as another delivery may have"
		return []finding.Step{gate, step}
	case s.Category == recordOutside:
		rec := s.Second.Place().Node
		last := finding.Step{Pos: rec.Pos.Start(), Message: rec.Text + " records it: a crash before it applies the message twice", Crash: true}
		return []finding.Step{gate, step, last}
	}
	mark := s.First.Place().Node
	first := finding.Step{Pos: mark.Pos.Start(), Message: mark.Text + " marks it"}
	step.Crash, step.Message = true, "a crash before "+act.Text+" loses it: the redelivery is skipped"
	if mark == g.Node {
		return []finding.Step{first, step}
	}
	return []finding.Step{gate, first, step}
}

// tellClaim is the finding of a claim whose answer is lost.
func tellClaim(p *effect.Program, s *flow.Story) *finding.Finding {
	at, then := s.First.Place(), s.Second.Place()
	n := at.Node
	if p.Unwanted(at.Func) != "" {
		return nil
	}
	text := fmt.Sprintf("%s succeeds for a duplicate too, and nobody reads its row count before %s: the message is applied twice", n.Text, called(then, at))
	last := then.Node.Text + " applies it for a duplicate too"
	if s.Category != claimIgnored {
		text = fmt.Sprintf("%s meets a duplicate and %s goes on in its transaction: Postgres has aborted that, and nothing is stored", n.Text, called(then, at))
		last = then.Node.Text + " fails: the transaction is aborted"
	}
	f := at.Finding(Name, claimIgnored)
	f.Tier, f.Message = finding.Warning, text
	f.Flow = []finding.Step{
		{Pos: n.Pos.Start(), Message: n.Text + " claims the message"},
		{Pos: then.Node.Pos.Start(), Message: last, Crash: true},
	}
	return &f
}
