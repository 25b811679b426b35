package checkthenact_test

import (
	"sync"
	"testing"

	"github.com/deliverylint/deliverylint/analysistest"
	"github.com/deliverylint/deliverylint/analyzers/checkthenact"
)

var cases = sync.OnceValues(func() (*analysistest.Cases, error) {
	return analysistest.Load(checkthenact.Name)
})

func load(t *testing.T) *analysistest.Cases {
	t.Helper()
	c, err := cases()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCheckThenAct(t *testing.T) { load(t).Run(t) }

// TestWording: every message is one sentence in the words of the design.
func TestWording(t *testing.T) { load(t).Wording(t) }

// TestSameBytes: the order of maps and goroutines doesn't show.
func TestSameBytes(t *testing.T) { load(t).SameBytes(t, 10) }
