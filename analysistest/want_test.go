package analysistest

import (
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/finding"
)

func tiers() map[string]finding.Tier {
	return map[string]finding.Tier{"after-commit": finding.Error, "dual-write": finding.Error}
}

func TestParseWants(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"after-commit", []string{"after-commit"}},
		{`dual-write "follows"`, []string{`dual-write "follows"`}},
		{"dual-write `a \"b\"`  after-commit", []string{`dual-write "a \"b\""`, "after-commit"}},
		{`after-commit after-commit "x y"`, []string{"after-commit", `after-commit "x y"`}},
	}
	for _, test := range tests {
		got, err := parseWants(test.text, tiers())
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
		}
		var names []string
		for _, w := range got {
			names = append(names, w.String())
		}
		if !slices.Equal(names, test.want) {
			t.Errorf("%s: got %q", test.text, names)
		}
	}
	for _, bad := range []string{"", "nothing", `after-commit "(" `, `"follows"`, `after-commit "open`} {
		if got, err := parseWants(bad, tiers()); err == nil {
			t.Errorf("%q: got %v", bad, got)
		}
	}
}

func TestMatch(t *testing.T) {
	at := func(line int, category, message string) finding.Finding {
		return finding.Finding{Pos: token.Position{Filename: "a.go", Line: line}, Category: category, Message: message}
	}
	wanted := func(line int, text string) want {
		w, err := parseWants(text, tiers())
		if err != nil {
			t.Fatal(err)
		}
		w[0].file, w[0].line = "a.go", line
		return w[0]
	}
	wants := []want{
		wanted(1, "dual-write"), wanted(1, "dual-write"), // two of one kind need two
		wanted(2, `after-commit "lost"`), wanted(3, "after-commit"),
	}
	found := []finding.Finding{
		at(1, "dual-write", "a"), at(2, "after-commit", "kept"), at(3, "dual-write", "b"), at(4, "after-commit", "c"),
	}
	lost, more := match(wants, found)
	var got []string
	for _, w := range lost {
		got = append(got, "-"+w.String())
	}
	for _, f := range more {
		got = append(got, "+"+f.Message)
	}
	if s := strings.Join(got, " "); s != `-dual-write -after-commit "lost" -after-commit +kept +b +c` {
		t.Error(s)
	}
}
