package finding

import (
	"go/token"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

func at(line, column int) token.Position {
	return token.Position{Filename: "p.go", Line: line, Column: column}
}

func TestSortDoesNotDependOnOrder(t *testing.T) {
	list := []Finding{
		{Rule: "a", Category: "x", Pos: at(1, 1)},
		{Rule: "a", Category: "x", Pos: at(1, 1), Message: "m"},
		{Rule: "a", Category: "x", Pos: at(1, 1), Message: "m", Flow: []Step{{Message: "s"}}},
		{Rule: "a", Category: "y", Pos: at(1, 1), Evidence: ByName},
		{Rule: "b", Category: "x", Pos: at(1, 1)},
		{Rule: "a", Category: "x", Pos: at(1, 2)},
		{Rule: "a", Category: "x", Pos: at(2, 1), Evidence: Proven},
		{Rule: "a", Category: "x", Pos: at(2, 1), Evidence: Declared},
	}
	want := append([]Finding(nil), list...)
	Sort(want)
	for range 20 {
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		Sort(list)
		if !reflect.DeepEqual(list, want) {
			t.Fatalf("got %+v, want %+v", list, want)
		}
	}
	if want[len(want)-1].Evidence != Declared {
		t.Errorf("weaker evidence stands before stronger: %+v", want)
	}
}

func TestDedupKeepsTheBestStory(t *testing.T) {
	list := Dedup([]Finding{
		{Rule: "a", Category: "x", Pos: at(1, 1), Evidence: ByName},
		{Rule: "a", Category: "x", Pos: at(1, 1), Evidence: Proven, Flow: make([]Step, 3)},
		{Rule: "a", Category: "x", Pos: at(1, 1), Evidence: Proven, Flow: make([]Step, 2)},
		{Rule: "a", Category: "y", Pos: at(1, 1)},
	})
	if len(list) != 2 || list[0].Evidence != Proven || len(list[0].Flow) != 2 || list[1].Category != "y" {
		t.Errorf("got %+v", list)
	}
}

func TestFingerprints(t *testing.T) {
	one := Finding{Rule: "a", Category: "x", Package: "p", Function: "F", Callee: "q.Publish", Pos: at(3, 1)}
	two := one
	two.Pos, two.Message = at(9, 1), "other words"
	list := []Finding{two, one}
	Fingerprint(list)
	first, second := list[0].Fingerprint, list[1].Fingerprint
	if first == second || len(first) != 32 {
		t.Errorf("fingerprints %q and %q", first, second)
	}

	// Lines above the function, and other words, change nothing.
	one.Pos, two.Pos, one.Message = at(103, 5), at(109, 5), "new words"
	list = []Finding{one, two}
	Fingerprint(list)
	if list[0].Fingerprint != first || list[1].Fingerprint != second {
		t.Error("fingerprints depend on line numbers or words")
	}

	for _, change := range []func(*Finding){
		func(f *Finding) { f.Rule = "b" }, func(f *Finding) { f.Category = "y" }, func(f *Finding) { f.Package = "q" },
		func(f *Finding) { f.Function = "G" }, func(f *Finding) { f.Callee = "r.Publish" },
	} {
		other := []Finding{one}
		change(&other[0])
		Fingerprint(other)
		if other[0].Fingerprint == first {
			t.Errorf("same fingerprint for %+v", other[0])
		}
	}
}

func TestVia(t *testing.T) {
	for want, names := range map[string][]string{
		"":                                    nil,
		"via save":                            {"save"},
		"via save -> insertOrder":             {"save", "insertOrder"},
		"via save -> insertOrder -> ... -> q": {"save", "insertOrder", "exec", "run", "q"},
	} {
		if got := Via(names...); got != want {
			t.Errorf("Via(%q) = %q, want %q", names, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, good := range []string{
		"producer.Publish runs after tx.Commit (line 41): a crash in between loses the event",
		"Publish runs after Commit (line 41): a crash in between loses the event",
		"order.Status is set from evt.Status with no version or transition guard: a late message overwrites a newer state",
		"p.catalogue runs after tx.Commit",
	} {
		if err := Check(good); err != nil {
			t.Error(err)
		}
	}
	for bad, why := range map[string]string{
		"":                                "empty",
		"publish runs late.":              "period",
		"The publish runs late":           "capital",
		"you should move the publish":     "should",
		"Consider an outbox":              "Consider",
		"potential loss of an event":      "potential",
		"lost event detected":             "detected",
		"the SSA of f":                    "SSA",
		"a fact of f":                     "fact",
		"f is in the catalog":             "catalog",
		"two  spaces":                     "white space",
		strings.Repeat("word ", 25) + "w": "26 words",
	} {
		err := Check(bad)
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("Check(%q) = %v, want something about %q", bad, err, why)
		}
	}
}

func TestDiagnostic(t *testing.T) {
	fset := token.NewFileSet()
	file := fset.AddFile("p.go", -1, 100)
	fset.AddFile("q.go", -1, 50)
	f := Finding{Rule: "a", Category: "x", Message: "m", Flow: []Step{{Message: "s"}}, Fixes: []Fix{
		{Message: "good", Edits: []Edit{{File: "p.go", Start: 2, End: 5, NewText: "new"}}},
		{Message: "two files", Edits: []Edit{{File: "p.go"}, {File: "q.go"}}},
		{Message: "elsewhere", Edits: []Edit{{File: "r.go"}}},
		{Message: "outside", Edits: []Edit{{File: "p.go", End: 101}}},
	}}
	d := f.Diagnostic(file.Pos(10), file.Pos(20), f.SuggestedFixes(fset))
	want := analysis.Diagnostic{
		Pos: file.Pos(10), End: file.Pos(20), Category: "a/x", Message: "m (a/x)",
		SuggestedFixes: []analysis.SuggestedFix{{Message: "good", TextEdits: []analysis.TextEdit{
			{Pos: file.Pos(2), End: file.Pos(5), NewText: []byte("new")},
		}}},
	}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("got %+v, want %+v", d, want)
	}
}
