package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/finding"
)

func written(t *testing.T, format string, opts Options, r *Report) string {
	t.Helper()
	w, err := New(format, opts)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := w.Write(&buf, r); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// TestNothingFound: every format has a whole document for an empty report.
func TestNothingFound(t *testing.T) {
	for _, format := range Formats() {
		out := written(t, format, Options{}, &Report{})
		switch format {
		case "json", "sarif", "gitlab", "rdjson":
			if !json.Valid([]byte(out)) || strings.Contains(out, "null") {
				t.Errorf("%s: %s", format, out)
			}
		case "checkstyle", "junit":
			if !strings.HasPrefix(out, "<?xml") {
				t.Errorf("%s: %s", format, out)
			}
		default:
			if out != "" {
				t.Errorf("%s: %q", format, out)
			}
		}
	}
}

// TestAnnotationLimit: of each level ten annotations are sent, and the rest is
// counted.
func TestAnnotationLimit(t *testing.T) {
	r := &Report{Problems: []Problem{{Message: "no Go files"}}}
	for i := range 13 {
		f := finding.Finding{Rule: "r", Category: "c", Tier: finding.Error, Message: "m", Pos: at("/r/a.go", i+1, 1)}
		r.Findings = append(r.Findings, f)
		f.Tier, f.Pos = finding.Warning, at("/r/b.go", i+1, 1)
		if i < 9 {
			r.Findings = append(r.Findings, f)
		}
	}
	finding.Sort(r.Findings)
	out := written(t, "github", Options{Repo: Paths{Dir: "/r"}}, r)
	for text, want := range map[string]int{
		"::error ": 10, "::warning ": 9, "::group::": 2, "::endgroup::": 2, "::notice title=deliverylint::4 more have no annotation": 1,
		"::group::a.go (13)\n": 1,
	} {
		if got := strings.Count(out, text); got != want {
			t.Errorf("%d of %q, want %d:\n%s", got, text, want, out)
		}
	}
}

// TestCommandsAreEscaped: neither a message nor source code ends a command or
// begins one.
func TestCommandsAreEscaped(t *testing.T) {
	a := annotation{level: finding.Error, file: "a,b:c%.go", line: 3, title: "t", message: "50%\nnext"}
	if got, want := a.command(), "::error file=a%2Cb%3Ac%25.go,line=3,title=t::50%25%0Anext"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := harmless("  ::error::x\nq ##[error]y\n"), "  : :error::x\nq # #[error]y\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestUTF16Columns: SARIF counts as editors do, we count bytes.
func TestUTF16Columns(t *testing.T) {
	src := newSource(func(string) ([]byte, error) { return []byte("a\nö😀b\n"), nil })
	for column, want := range map[int]int{1: 1, 3: 2, 7: 4, 8: 5, 9: 6} {
		if got := src.utf16Column("f", spot{2, column}); got != want {
			t.Errorf("column %d is %d, want %d", column, got, want)
		}
	}
	if got := src.utf16Column("f", spot{9, 4}); got != 4 {
		t.Errorf("a line that isn't there changes the column to %d", got)
	}
	for offset, want := range map[int]spot{0: {1, 1}, 1: {1, 2}, 2: {2, 1}, 9: {2, 8}, 10: {3, 1}} {
		if got, ok := src.spotAt("f", offset); !ok || got != want {
			t.Errorf("offset %d is %v, want %v", offset, got, want)
		}
	}
	if _, ok := src.spotAt("f", 11); ok {
		t.Error("a place behind the end of the file")
	}
}

// TestSuggestion: edits of one file become one text, edits too far apart or in
// two files none.
func TestSuggestion(t *testing.T) {
	text := "one two\n" + strings.Repeat("x\n", 100) + "three\n"
	src := newSource(func(string) ([]byte, error) { return []byte(text), nil })
	edits := func(list ...finding.Edit) finding.Fix { return finding.Fix{Edits: list} }
	got, ok := suggestion(src, "a.go", edits(finding.Edit{File: "a.go", Start: 0, End: 3, NewText: "1"}, finding.Edit{File: "a.go", Start: 7, End: 7, NewText: "!"}))
	if !ok || got.Text != "1 two!" || fmt.Sprint(got.Range.Start, *got.Range.End) != "{1 1} {1 8}" {
		t.Errorf("got %+v %v %v", got, got.Range.End, ok)
	}
	for name, fix := range map[string]finding.Fix{
		"nothing":        edits(),
		"two files":      edits(finding.Edit{File: "a.go", Start: 0, End: 1}, finding.Edit{File: "b.go", Start: 2, End: 3}),
		"other file":     edits(finding.Edit{File: "b.go", Start: 2, End: 3}),
		"far apart":      edits(finding.Edit{File: "a.go", Start: 0, End: 1}, finding.Edit{File: "a.go", Start: len(text), End: len(text), NewText: "y"}),
		"behind the end": edits(finding.Edit{File: "a.go", Start: 0, End: len(text) + 1}),
	} {
		if got, ok := suggestion(src, "a.go", fix); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestPathsOfCodeHosts: names with odd letters are URIs, files elsewhere are
// absolute.
func TestPathsOfCodeHosts(t *testing.T) {
	s := newSarif(Options{Repo: Paths{Dir: "/r"}})
	for name, want := range map[string]sarifArtifact{
		"/r/a b/ö.go": {URI: "a%20b/%C3%B6.go", BaseID: sarifRoot},
		"/r/a:b.go":   {URI: "./a:b.go", BaseID: sarifRoot},
		"/mod/x y.go": {URI: "file:///mod/x%20y.go"},
	} {
		if got := s.artifact(name); got != want {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
	}
}
