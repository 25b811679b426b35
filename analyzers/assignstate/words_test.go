package assignstate

import (
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// TestMessages looks at every sentence that the rule can say.
func TestMessages(t *testing.T) {
	for _, s := range stories() {
		check(t, &s, message(&s))
		for _, step := range steps(&s) {
			check(t, &s, step.Message)
		}
	}
}

func check(t *testing.T, s *story, text string) {
	t.Helper()
	if err := finding.Check(text); err != nil {
		t.Errorf("%s of %q from %s: %v", s.category(), s.set.Name, s.set.From, err)
	}
	if strings.Contains(text, "%!") {
		t.Errorf("%s: %q", s.category(), text)
	}
}

// stories are all combinations of what a message depends on.
func stories() []story {
	var out []story
	for _, table := range []string{"", "orders"} {
		for _, set := range assignments() {
			for depth := 1; depth <= 3; depth++ {
				for _, arrival := range []bool{false, true} {
					for clock := -1; clock < depth; clock++ {
						out = append(out, story{
							way: way(depth), set: set, table: table, level: depth - 1,
							field: set.At != nil && !set.At.Made, arrival: arrival, clock: clock,
						})
					}
				}
			}
		}
	}
	return out
}

func assignments() []effect.Assignment {
	var out []effect.Assignment
	f := &effect.Func{Symbol: "f", Name: "(*Order).Apply"}
	for _, name := range []string{"", "status"} {
		out = append(out,
			effect.Assignment{Name: name, From: effect.FromMessage},
			effect.Assignment{Name: name, From: effect.FromFresh},
			effect.Assignment{Name: name, From: effect.FromConst, Consts: []string{"paid"}},
			effect.Assignment{Name: name, From: effect.FromConst, Consts: []string{"7"}},
			effect.Assignment{Name: name, From: effect.FromConst, Consts: []string{"paid", "open"}},
		)
		for _, value := range []string{"", "evt.Status"} {
			for _, made := range []bool{false, true} {
				at := &effect.Assign{Owner: "Order", Field: "Status", Value: value, Made: made}
				out = append(out,
					effect.Assignment{Name: name, From: effect.FromMessage, Func: f, At: at},
					effect.Assignment{Name: name, From: effect.FromConst, Consts: []string{"paid"}, Func: f, At: at},
				)
			}
		}
	}
	return out
}

// way leads through types of different names.
func way(depth int) flow.Way {
	var w flow.Way
	for i := range depth {
		f := &effect.Func{Symbol: string(rune('a' + i)), Name: "(*T" + string(rune('a'+i)) + ").Do"}
		w.Path = append(w.Path, flow.Level{Func: f, Node: &effect.Node{Text: "t.Do", Pos: effect.Position{Line: 10 + i}}})
	}
	return w
}

// TestSaid holds some sentences to the word.
func TestSaid(t *testing.T) {
	told := effect.Assignment{Name: "Status", From: effect.FromMessage, At: &effect.Assign{Owner: "Order", Field: "Status", Value: "evt.Status"}}
	made := effect.Assignment{Name: "status", From: effect.FromConst, Consts: []string{"paid"}}
	now := effect.Assignment{Name: "paid_at", From: effect.FromFresh}
	for _, c := range []struct {
		s    story
		want string
	}{
		{story{way: way(1), set: told, field: true}, "Order.Status is set from evt.Status with no version or transition guard: a late message overwrites a newer state"},
		{story{way: way(1), set: made, table: "orders"}, "t.Do sets orders.status to paid with no version or transition guard: a late message overwrites a newer state"},
		{story{way: way(1), set: now, table: "orders", arrival: true, clock: -1}, "t.Do stores the time of arrival in orders.paid_at, which is ordered by: a late message counts as the newest"},
	} {
		if got := message(&c.s); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
