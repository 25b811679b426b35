package analysistest

import "testing"

// TestOnlyShown: handlers that change nothing are told from those that do.
func TestOnlyShown(t *testing.T) {
	dir, err := testdata()
	if err != nil {
		t.Fatal(err)
	}
	l, err := link(dir, "./screens/...")
	if err != nil {
		t.Fatal(err)
	}
	if !l.program.OnlyShown("nats") || l.program.OnlyShown("redis") {
		t.Error("what is taken from NATS is only shown, and nothing is taken from Redis")
	}
	if cases(t).program.OnlyShown("nats") {
		t.Error("other handlers store what comes from NATS")
	}
}
