package baseline

import (
	"reflect"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/finding"
)

const two = `version: 1
findings:
# a comment
- rule: r/a
  package: p
  function: (*T).M
  fingerprint: aa
  state: accepted
  reason: "it: is so"
- {rule: r/b, package: p, fingerprint: bb, state: todo}
`

func mustRead(t *testing.T, text string) *File {
	t.Helper()
	f, err := Read("b.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRead(t *testing.T) {
	want := &File{"b.yml", []Entry{
		{"r/a", "p", "(*T).M", "aa", Accepted, "it: is so", 4},
		{"r/b", "p", "", "bb", Todo, "", 10},
	}}
	if got := mustRead(t, two); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestReadRejects(t *testing.T) {
	const entry = "version: 1\nfindings:\n- rule: r/a\n  package: p\n  fingerprint: aa\n"
	for text, want := range map[string]string{
		"":                                "b.yml:1: version: 1 is missing",
		"findings: []\n":                  "b.yml:1: version: 1 is missing",
		"version: 2\n":                    "b.yml:1: version 2 is not known, only 1 is",
		"version: 1\nrules: []\n":         "b.yml:2: unknown key rules (known: version, findings)",
		"version: 1\nfindings: x\n":       "b.yml:2: findings: a list is wanted",
		"- x\n":                           "b.yml:1: version and findings are wanted",
		"version: 1\nversion: 1\n":        "b.yml:2: mapping key \"version\" already defined",
		"version: [\n":                    "b.yml:1: ",
		"version: 1\nfindings:\n- x\n":    "b.yml:3: ",
		entry:                             "b.yml:3: state \"\" is neither todo nor accepted",
		entry + "  state: done\n":         "b.yml:3: state \"done\" is neither todo nor accepted",
		entry + "  state: accepted\n":     "b.yml:3: accepted without a reason: add reason, or make the state todo",
		entry + "  state: todo\n  l: 1\n": "b.yml:7: unknown field \"l\" (known: rule, package, function, fingerprint, state, reason)",
		entry + "  state: todo\n" + "- {rule: r/b, package: p, fingerprint: aa, state: todo}\n": "b.yml:7: aa stands twice, first in line 3",
		"version: 1\nfindings:\n- {package: p, fingerprint: aa, state: todo}\n":                 "b.yml:3: rule is missing",
		"version: 1\nfindings:\n- {rule: r/a, fingerprint: aa, state: todo}\n":                  "b.yml:3: package is missing",
		"version: 1\nfindings:\n- {rule: r/a, package: p, state: todo}\n":                       "b.yml:3: fingerprint is missing",
		entry + "  state: accepted\n  reason: \" \"\n":                                          "b.yml:3: accepted without a reason",
	} {
		_, err := Read("b.yml", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestWrite: what is written is read again, and the order of the entries doesn't
// matter.
func TestWrite(t *testing.T) {
	f := &File{"b.yml", []Entry{
		{"r/b", "q", "", "03", Todo, "", 0},
		{"r/b", "p", "(*T[K, V]).M$1", "02", Accepted, "because: \"x\"\nand # y", 0},
		{"r/a", "p", "- odd: [name", "01", Todo, "", 0},
	}}
	text, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	got := mustRead(t, string(text))
	for i, fingerprint := range []string{"02", "01", "03"} {
		e := got.Entries[i]
		e.Line = 0
		j := map[string]int{"03": 0, "02": 1, "01": 2}[fingerprint]
		if e != f.Entries[j] {
			t.Errorf("entry %d is %+v, want %+v", i, e, f.Entries[j])
		}
	}
	again, err := got.Bytes()
	if err != nil || string(again) != string(text) {
		t.Errorf("writing it again gives\n%s\nand not\n%s", again, text)
	}
	empty, err := (&File{}).Bytes()
	if err != nil || len(mustRead(t, string(empty)).Entries) != 0 {
		t.Errorf("an empty file: %s, %v", empty, err)
	}
}

func TestUpdate(t *testing.T) {
	f := mustRead(t, two)
	list := []finding.Finding{
		{Rule: "r", Category: "a", Package: "p", Fingerprint: "aa"},
		{Rule: "r", Category: "c", Package: "p", Function: "F", Fingerprint: "cc"},
	}
	left, met := f.Split(list)
	if len(left) != 1 || left[0].Fingerprint != "cc" || !reflect.DeepEqual(met, map[string]bool{"aa": true}) {
		t.Errorf("left %+v, met %v", left, met)
	}
	stale := f.Stale(met, func(e Entry) bool { return true })
	if len(stale) != 1 || stale[0].Fingerprint != "bb" {
		t.Errorf("stale: %+v", stale)
	}
	if got := f.Stale(met, func(e Entry) bool { return e.Rule != "r/b" }); got != nil {
		t.Errorf("stale though the run wasn't sure: %+v", got)
	}
	next := f.Without(stale).With(list)
	if len(next.Entries) != 2 || next.Entries[0].Reason != "it: is so" || next.Entries[1] != (Entry{"r/c", "p", "F", "cc", Todo, "", 0}) {
		t.Errorf("updated: %+v", next.Entries)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(two)
	f.Add("version: 1\nfindings: &x [*x]\n? {b}\n: c\n--- !t\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Read("b.yml", []byte(text))
		if err != nil {
			return
		}
		again, err := file.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read("b.yml", again); err != nil {
			t.Errorf("%q was written as\n%s%v", text, again, err)
		}
	})
}
