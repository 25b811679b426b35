package missinginbox_test

import (
	"sync"
	"testing"

	"github.com/deliverylint/deliverylint/analysistest"
	"github.com/deliverylint/deliverylint/analyzers/missinginbox"
)

var cases = sync.OnceValues(func() (*analysistest.Cases, error) {
	return analysistest.Load(missinginbox.Name)
})

func load(t *testing.T) *analysistest.Cases {
	t.Helper()
	c, err := cases()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMissingInbox(t *testing.T) { load(t).Run(t) }

// TestWording: every message is one sentence in the words of the design.
func TestWording(t *testing.T) { load(t).Wording(t) }

// TestSameBytes: the order of maps and goroutines doesn't show.
func TestSameBytes(t *testing.T) { load(t).SameBytes(t, 10) }
