package assignstate_test

import (
	"testing"

	"github.com/deliverylint/deliverylint/analysistest"
	"github.com/deliverylint/deliverylint/analyzers/assignstate"
)

var load = analysistest.Once(assignstate.Name)

func TestAssignState(t *testing.T) { load(t).Run(t) }

// TestWording: every message is one sentence in the words of the design.
func TestWording(t *testing.T) { load(t).Wording(t) }

// TestSameBytes: the order of maps and goroutines doesn't show.
func TestSameBytes(t *testing.T) { load(t).SameBytes(t, 10) }

// TestFixes: what is offered builds, and the finding is gone.
func TestFixes(t *testing.T) { load(t).Fixes(t) }
