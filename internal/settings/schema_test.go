package settings

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/analyzers"
)

var update = flag.Bool("update", false, "write docs/schema.json")

// TestSchemaIsFresh fails where docs/schema.json differs from what the reader
// takes; -update writes it.
func TestSchemaIsFresh(t *testing.T) {
	const file = "../../docs/schema.json"
	want, err := Schema(analyzers.All())
	if err != nil {
		t.Fatal(err)
	}
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

// TestTemplate: the file to begin with says nothing as it is, and is right when its
// lines are uncommented.
func TestTemplate(t *testing.T) {
	s := withFile(t, Template)
	if len(s.Config.Rules) > 0 || len(s.Catalog.OwnEntries()) > 0 {
		t.Errorf("the template sets something: %+v", s.Config)
	}
	var lines []string
	for _, line := range strings.Split(Template, "\n") {
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			line = rest
		}
		lines = append(lines, line)
	}
	s = withFile(t, strings.Join(lines, "\n"))
	if len(s.Config.Rules) == 0 || len(s.Config.Exclude) == 0 || len(s.Catalog.OwnEntries()) == 0 || len(s.Catalog.OwnTypes()) == 0 ||
		len(s.Catalog.OwnHandlers()) == 0 || len(s.Config.Outbox.Tables) == 0 || len(s.Config.Inbox.Tables) == 0 {
		t.Errorf("the template has no example of something: %+v", s.Config)
	}
}

func TestFind(t *testing.T) {
	top := t.TempDir()
	module := filepath.Join(top, "repo", "svc", "a")
	for _, dir := range []string{filepath.Join(module, "internal", "x"), filepath.Join(top, "repo", ".git")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(dir, name string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write(module, "go.mod")
	expect := func(want string) {
		t.Helper()
		if got := Find(filepath.Join(module, "internal", "x")); got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
	write(top, FileName)                               // above the repository
	write(filepath.Join(module, "internal"), FileName) // below the module's root
	expect("")
	repo := write(filepath.Join(top, "repo"), FileName)
	expect(repo)
	svc := write(filepath.Join(top, "repo", "svc"), FileName)
	expect(svc)
	own := write(module, FileName)
	expect(own)
	// Outside a repository only the module's root is looked at.
	if err := os.Remove(filepath.Join(top, "repo", ".git")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(own); err != nil {
		t.Fatal(err)
	}
	if Nearest(top, ".git") == "" {
		expect("")
	}
}
