package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mended is a file of the tests of fixes, with many findings that have one, as it
// stands in the repository that repository makes.
const mended = "svc/earlyack/fixes/fixes.go"

// repository makes a git repository with the file, not yet committed, in a module that is
// not at its root. A checkout won't do: reviewdog finds no root where .git is a file.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "earlyack/fixes/fixes.go"} {
		data, err := os.ReadFile(filepath.Join(root, "analysistest", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "svc", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
	return dir
}

// A diagnostic is what the test reads of reviewdog's answer.
type diagnostic struct {
	Code        struct{ Value string }
	Location    struct{ Range textRange }
	Suggestions []suggestion
}

type suggestion struct {
	Range textRange
	Text  string
}

type textRange struct{ Start, End position }

type position struct{ Line, Column int }

// dog is reviewdog's program, in the version of go.mod.
func dog(t *testing.T) string {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "reviewdog")
	if out, err := exec.Command("go", "build", "-o", tool, "github.com/reviewdog/reviewdog/cmd/reviewdog").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return tool
}

// reviewed is what reviewdog, run in dir, would comment on the change that adds the file.
func reviewed(t *testing.T, tool, dir, format string, report []byte) []diagnostic {
	t.Helper()
	cmd := exec.Command(tool, "-f="+format, "-reporter=rdjson", "-filter-mode=added", "-diff=git diff --cached")
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(report)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("reviewdog -f=%s: %v\n%s", format, err, &stderr)
	}
	var answer struct{ Diagnostics []diagnostic }
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("reviewdog -f=%s: %v\n%s", format, err, out)
	}
	return answer.Diagnostics
}

// TestReviewdog: reviewdog finds the place of each finding in the diff, and its
// suggestions leave code that gofmt reads.
func TestReviewdog(t *testing.T) {
	tool, dir := dog(t), repository(t)
	source, err := os.ReadFile(filepath.Join(dir, mended))
	if err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(dir, "svc")
	found := reviewed(t, tool, module, "rdjson", reports(t, module, "rdjson"))
	suggestions := 0
	for _, d := range found {
		for _, s := range d.Suggestions {
			suggestions++
			if _, err := format.Source(apply(source, s)); err != nil {
				t.Errorf("line %d: %v", d.Location.Range.Start.Line, err)
			}
		}
	}
	if len(found) == 0 || suggestions == 0 {
		t.Errorf("%d findings with %d suggestions", len(found), suggestions)
	}
	// reviewdog takes SARIF's paths as relative to where it runs, which is the
	// repository's root.
	for format, from := range map[string]string{"checkstyle": module, "sarif": dir} {
		if same := placesOf(reviewed(t, tool, from, format, reports(t, module, format))); same != placesOf(found) {
			t.Errorf("from %s:\n%s\nfrom rdjson:\n%s", format, same, placesOf(found))
		}
	}
}

// placesOf are the names and lines of findings.
func placesOf(list []diagnostic) string {
	var b strings.Builder
	for _, d := range list {
		fmt.Fprintf(&b, "%s:%d\n", d.Code.Value, d.Location.Range.Start.Line)
	}
	return b.String()
}

// apply puts a suggestion in its place; columns count bytes.
func apply(source []byte, s suggestion) []byte {
	at := func(p position) int {
		offset := 0
		for range p.Line - 1 {
			offset += bytes.IndexByte(source[offset:], '\n') + 1
		}
		return offset + p.Column - 1
	}
	start, end := at(s.Range.Start), at(s.Range.End)
	return []byte(string(source[:start]) + s.Text + string(source[end:]))
}
