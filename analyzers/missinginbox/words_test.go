package missinginbox

import (
	"testing"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// TestMessages looks at every sentence that the rule can say.
func TestMessages(t *testing.T) {
	for _, kind := range []effect.RepeatKind{effect.RepeatAdd, effect.RepeatAppend, effect.RepeatInsert, effect.RepeatKey} {
		for _, table := range []string{"", "accounts"} {
			for _, column := range []string{"", "balance"} {
				for depth := 1; depth <= 3; depth++ {
					s := &story{way: way(depth), repeat: effect.Repeat{Kind: kind, Table: table, Column: column}, level: depth - 1}
					if err := finding.Check(message(s)); err != nil {
						t.Errorf("%s: %v", kind, err)
					}
					for _, step := range steps(s) {
						if err := finding.Check(step.Message); err != nil {
							t.Errorf("%s, a step: %v", kind, err)
						}
					}
				}
			}
		}
	}
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
