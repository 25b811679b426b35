package publishoutsidetx

import (
	"fmt"
	"testing"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// TestMessages looks at every sentence that the rule can say.
func TestMessages(t *testing.T) {
	for _, category := range []string{afterCommit, dualWrite, insideTx, beforeWrite, outsideTx} {
		for depth := 1; depth <= 6; depth++ {
			for _, byName := range []bool{false, true} {
				for _, file := range []string{"a.go", "b.go"} {
					e := &effect.Effect{ByName: byName}
					s := &flow.Story{
						Category: category, AtFirst: category == beforeWrite,
						First: witness(e, depth, "a.go"), Second: witness(e, depth, file),
					}
					if err := finding.Check(message(s)); err != nil {
						t.Errorf("%s, %d deep: %v", category, depth, err)
					}
					for _, step := range steps(s) {
						if err := finding.Check(step.Message); err != nil {
							t.Errorf("%s, %d deep, a step: %v", category, depth, err)
						}
					}
				}
			}
		}
	}
}

// witness is a call through helpers of different names.
func witness(e *effect.Effect, depth int, file string) flow.Witness {
	w := flow.Witness{Effect: e}
	for i := range depth {
		f := &effect.Func{Symbol: fmt.Sprintf("p.(*T).Helper%d", i), Name: fmt.Sprintf("(*T).Helper%d", i)}
		n := &effect.Node{Text: fmt.Sprintf("t.Helper%d", i+1), Pos: effect.Position{File: file, Line: 100 + i}}
		w.Path = append(w.Path, flow.Level{Func: f, Node: n})
	}
	return w
}
