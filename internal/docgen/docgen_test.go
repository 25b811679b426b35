package docgen

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/rules")

// TestPagesAreFresh fails where a rule's page differs from its doc.go, or
// stands for no rule; -update writes the pages.
func TestPagesAreFresh(t *testing.T) {
	sources, err := filepath.Glob("../../analyzers/*/doc.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no rules: %v", err)
	}
	dir := "../../docs/rules"
	fresh := map[string]bool{}
	for _, source := range sources {
		data, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		page, err := Parse(string(data))
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		fresh[page.Name+".md"] = true
		compare(t, filepath.Join(dir, page.Name+".md"), page.Markdown())
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !fresh[e.Name()] {
			t.Errorf("%s is the page of no rule", filepath.Join(dir, e.Name()))
		}
	}
}

func compare(t *testing.T, file string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is stale: run make docs", file)
	}
}

const sample = "// Package demo finds things\n// that are lost.\n//\n// # Categories\n//\n// after-commit: the story.\n//\n//\tif err := tx.Commit(); err != nil {\n//\t}\n//\n// Note: not a category.\n//\n// # Limits\n//\n//   - one\n//   - two\n//\n// plain: here\n//\n//\t: no code\npackage demo\n"

func TestMarkdown(t *testing.T) {
	page, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	got := string(page.Markdown())
	want := "\n# demo\n\nFinds things that are lost.\n\n## Categories\n\n### after-commit\n\nThe story.\n\n" +
		"```go\nif err := tx.Commit(); err != nil {\n}\n```\n\nNote: not a category.\n\n## Limits\n\n  - one\n  - two\n\nplain: here\n\n```\n: no code\n```\n"
	if !strings.HasSuffix(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestText(t *testing.T) {
	page, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	want := "demo\n\nFinds things that are lost.\n\n# Categories\n\nafter-commit: the story.\n\n    if err := tx.Commit(); err != nil {\n    }\n"
	if got := page.Text(); !strings.HasPrefix(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestParseRejects(t *testing.T) {
	for _, source := range []string{"", "package demo\n", "// Something else.\npackage demo\n"} {
		if _, err := Parse(source); err == nil {
			t.Errorf("Parse(%q) gave no error", source)
		}
	}
}
