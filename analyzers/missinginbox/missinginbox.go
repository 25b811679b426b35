package missinginbox

import (
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// Name is the rule's name.
const Name = "missinginbox"

// The stories.
const (
	noDedupe    = "no-dedupe"
	unstableKey = "unstable-key"
)

// story is a write that a second delivery does once more.
type story struct {
	way    flow.Way
	repeat effect.Repeat
	// level is that of the function that makes the statement.
	level int
	// tried: it is the code itself that does it a second time, in a loop.
	tried bool
}

// category is the story's.
func (s *story) category() string {
	if s.repeat.Kind == effect.RepeatKey {
		return unstableKey
	}
	return noDedupe
}

// site is the call that the finding points at.
func (s *story) site() flow.Level {
	if s.tried {
		return s.effect()
	}
	return s.way.Site(s.level)
}

func (s *story) effect() flow.Level { return s.way.Path[len(s.way.Path)-1] }

// judged is what the rule makes of the ways to a write that share a site.
type judged struct {
	ways  []flow.Way
	story *story
	why   string
	// guarded: of one way.
	guarded bool
}

// judge asks of a write whether a way to it is guarded, and what a second delivery
// would do: for each place that it would be told of at.
func judge(p *effect.Program, w *flow.Ways, f *effect.Func, n *effect.Node, e *effect.Effect) []*judged {
	var out []*judged
	bySite := map[*effect.Node]*judged{}
	for _, way := range w.To(f, n) {
		es, level := way.Effects(e)
		s := &story{way: way, level: level}
		at := s.site().Node
		j := bySite[at]
		if j == nil {
			j = &judged{why: "a second delivery changes nothing more, or that is not known"}
			bySite[at] = j
			out = append(out, j)
		}
		j.ways = append(j.ways, way)
		j.add(p, w, s, es)
	}
	return out
}

// add judges one more way. Where one is guarded, it may be the only one that is ever
// taken, unless each call of the other runs one function for sure.
func (j *judged) add(p *effect.Program, w *flow.Ways, s *story, es []effect.Effect) {
	if !flow.Redelivered(&s.way.Handler) || j.story != nil && j.guarded {
		return
	}
	r := repeats(p, es, &s.way)
	if r == nil {
		return
	}
	if why := w.Guarded(&s.way); why != "" {
		j.guarded = true
		if j.story == nil || !w.Sure(&j.story.way) {
			j.why, j.story = why, nil
		}
		return
	}
	if j.story == nil && (!j.guarded || w.Sure(&s.way)) {
		s.repeat = *r
		j.story, j.why = s, ""
	}
}

// repeats is the first that a second delivery does once more.
func repeats(p *effect.Program, es []effect.Effect, way *flow.Way) *effect.Repeat {
	for i := range es {
		if es[i].Kind == catalog.OutboxWrite && way.Handler.Way != effect.ByWebhook {
			continue // an event more, of a change that was not made twice
		}
		if r := p.Repeats(&es[i], way); r != nil {
			return r
		}
	}
	return nil
}
