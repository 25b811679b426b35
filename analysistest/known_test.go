package analysistest

import (
	"strings"
	"testing"
)

func TestKnown(t *testing.T) {
	text := header + `rule/a/a.go:7 dual-write missing  the engine can't see it
rule/a/a.go:9 dual-write extra  ?
rule/b/b.go:1 after-commit extra  to be looked at
ruled/b/b.go:1 after-commit extra  another rule's
`
	list, err := parseKnown("known.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	if got := list.String(); got != text {
		t.Errorf("written again:\n%s", got)
	}
	renewed := list.renew("rule", []difference{
		{"rule/b/b.go", 2, "after-commit", extra},
		{"rule/a/a.go", 7, "dual-write", missing},
	})
	want := header + `rule/a/a.go:7 dual-write missing  the engine can't see it
rule/b/b.go:2 after-commit extra  ?
ruled/b/b.go:1 after-commit extra  another rule's
`
	if got := renewed.String(); got != want {
		t.Errorf("renewed:\n%s", got)
	}
}

func TestKnownIsStrict(t *testing.T) {
	for _, bad := range []string{
		"a.go:1 dual-write extra",        // no reason
		"a.go:1 dual-write wrong reason", // no kind
		"a.go dual-write extra reason",
		"a.go:x dual-write extra reason",
		"a.go:1 dual-write extra one\na.go:1 dual-write extra two",
	} {
		if list, err := parseKnown("known.txt", bad); err == nil || !strings.Contains(err.Error(), "known.txt:") {
			t.Errorf("%q: got %v, %v", bad, list, err)
		}
	}
}
