package report

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewdog/reviewdog"
	"github.com/reviewdog/reviewdog/filter"
	"github.com/reviewdog/reviewdog/parser"
	"github.com/reviewdog/reviewdog/proto/rdf"
)

// mended is a file of the tests of fixes, with many findings that have one, as it
// stands in the repository that repository makes.
const mended = "svc/earlyack/fixes/fixes.go"

// repository makes a git repository with the file in a module that is not at its root.
// A checkout won't do: reviewdog finds no root where .git is a file.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
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
	return dir
}

// comments keeps what reviewdog would post.
type comments struct{ list []*rdf.Diagnostic }

func (c *comments) Post(_ context.Context, one *reviewdog.Comment) error {
	c.list = append(c.list, one.Result.Diagnostic)
	return nil
}

// reviewed runs reviewdog's own parser and filter on a report of a module, as for a
// pull request that adds the file.
func reviewed(t *testing.T, format string, report, source []byte) []*rdf.Diagnostic {
	t.Helper()
	p, err := parser.New(&parser.Option{FormatName: format})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(source), "\n"), "\n")
	diff := fmt.Sprintf("diff --git a/%[1]s b/%[1]s\n--- /dev/null\n+++ b/%[1]s\n@@ -0,0 +1,%d @@\n+%s\n", mended, len(lines), strings.Join(lines, "+"))
	posted := &comments{}
	dog := reviewdog.NewReviewdog("deliverylint", p, posted, reviewdog.NewDiffString(diff, 1), filter.ModeAdded, reviewdog.FailLevelNone)
	if err := dog.Run(t.Context(), bytes.NewReader(report)); err != nil {
		t.Fatal(err)
	}
	return posted.list
}

// TestReviewdog: reviewdog finds the place of each finding in the diff, and its
// suggestions leave code that gofmt reads.
func TestReviewdog(t *testing.T) {
	dir := repository(t)
	source, err := os.ReadFile(filepath.Join(dir, mended))
	if err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(dir, "svc")
	rdjson, sarif, checkstyle := reports(t, module, "rdjson"), reports(t, module, "sarif"), reports(t, module, "checkstyle")
	t.Chdir(module)
	found := reviewed(t, "rdjson", rdjson, source)
	suggestions := 0
	for _, d := range found {
		for _, s := range d.GetSuggestions() {
			suggestions++
			if _, err := format.Source(apply(source, s)); err != nil {
				t.Errorf("line %d: %v", d.GetLocation().GetRange().GetStart().GetLine(), err)
			}
		}
	}
	if len(found) == 0 || suggestions == 0 {
		t.Errorf("%d findings with %d suggestions", len(found), suggestions)
	}
	if same := placesOf(reviewed(t, "checkstyle", checkstyle, source)); same != placesOf(found) {
		t.Errorf("from Checkstyle:\n%s\nfrom rdjson:\n%s", same, placesOf(found))
	}
	// reviewdog takes SARIF's paths as relative to where it runs, which is the
	// repository's root.
	t.Chdir(dir)
	if same := placesOf(reviewed(t, "sarif", sarif, source)); same != placesOf(found) {
		t.Errorf("from SARIF:\n%s\nfrom rdjson:\n%s", same, placesOf(found))
	}
}

// placesOf are the names and lines of findings.
func placesOf(list []*rdf.Diagnostic) string {
	var b strings.Builder
	for _, d := range list {
		fmt.Fprintf(&b, "%s:%d\n", d.GetCode().GetValue(), d.GetLocation().GetRange().GetStart().GetLine())
	}
	return b.String()
}

// apply puts a suggestion in its place; columns count bytes.
func apply(source []byte, s *rdf.Suggestion) []byte {
	at := func(p *rdf.Position) int {
		offset := 0
		for range p.GetLine() - 1 {
			offset += bytes.IndexByte(source[offset:], '\n') + 1
		}
		return offset + int(p.GetColumn()) - 1
	}
	start, end := at(s.GetRange().GetStart()), at(s.GetRange().GetEnd())
	return []byte(string(source[:start]) + s.GetText() + string(source[end:]))
}
