package assignstate

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// arrivals finds the times of arrival that the ways to a write store where an event's own
// time decides: another way to the same write gives a time of the message, or some code
// orders by the column.
func (r *rule) arrivals(seen []sighting) []*judged {
	var out []*judged
	told := map[*effect.Node]bool{}
	for _, x := range seen {
		name := flow.PlainName(x.set.Name)
		if !namesTime(name) || x.set.From&^effect.FromConst != effect.FromFresh {
			continue
		}
		if !r.ordered().Has(x.story.table, name) && !slices.ContainsFunc(seen, func(y sighting) bool {
			return y.set.Name == x.set.Name && y.set.From.Has(effect.FromMessage) && !y.set.From.Has(effect.FromFresh)
		}) {
			continue
		}
		s := *x.story
		s.set, s.arrival = x.set, true
		s.clock = clockLevel(&s)
		if n := s.site(); !told[n.(*effect.Node)] {
			told[n.(*effect.Node)] = true
			out = append(out, &judged{ways: []flow.Way{s.way}, story: &s})
		}
	}
	return out
}

// sighting is a column that a way sets.
type sighting struct {
	story *story
	set   effect.Assignment
}

// clockLevel is the level of a way whose function reads the clock, -1 for none.
func clockLevel(s *story) int {
	for i := len(s.way.Path) - 1; i >= 0; i-- {
		if slices.Contains(s.set.Fresh, s.way.Path[i].Func.Symbol) {
			return i
		}
	}
	return -1
}

// namesTime tells by its name a time of the domain's, and none that tells when the row was
// written or when something was last seen.
func namesTime(name string) bool {
	for _, word := range []string{"created", "updated", "modified", "seen", "checked", "synced", "received", "heartbeat", "ingested", "processed", "evaluat", "inserted", "indexed", "retr", "attempt", "lock", "lease", "expir", "sent", "published", "poll", "refresh", "active", "activity", "cleanup", "run", "scan", "reset", "report", "stored", "recorded", "logged", "import", "used", "login", "access"} {
		if strings.Contains(name, word) {
			return false
		}
	}
	return strings.HasSuffix(name, "at") && len(name) > 4 || strings.HasSuffix(name, "time") || strings.HasSuffix(name, "date") || strings.HasPrefix(name, "when") || strings.HasSuffix(name, "timestamp")
}
