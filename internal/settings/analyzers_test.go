package settings

import (
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/catalog"
)

func TestAnalyzersAreValid(t *testing.T) {
	s := withFile(t, "")
	list := s.Analyzers()
	if err := analysis.Validate(list); err != nil {
		t.Error(err)
	}
	if err := s.Disable([]string{"publishoutsidetx"}); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Analyzers()); n != len(list)-1 {
		t.Errorf("%d analyzers of %d when one rule is off", n, len(list))
	}
}

// TestNarrow: findings of categories that are off and of files that are left out
// don't reach the driver.
func TestNarrow(t *testing.T) {
	s := withFile(t, "rules:\n  publishoutsidetx/dual-write: \"off\"\npaths:\n  exclude: [gen]\n")
	fset := token.NewFileSet()
	kept := fset.AddFile(filepath.Join(s.root, "a.go"), -1, 10).Pos(1)
	left := fset.AddFile(filepath.Join(s.root, "gen", "b.go"), -1, 10).Pos(1)
	run := func(pass *analysis.Pass) (any, error) {
		pass.Report(analysis.Diagnostic{Pos: kept, Category: "publishoutsidetx/after-commit", Message: "one"})
		pass.Report(analysis.Diagnostic{Pos: kept, Category: "publishoutsidetx/dual-write", Message: "two"})
		pass.Report(analysis.Diagnostic{Pos: left, Category: "publishoutsidetx/after-commit", Message: "three"})
		return nil, nil
	}
	var got []string
	pass := &analysis.Pass{Fset: fset, Report: func(d analysis.Diagnostic) { got = append(got, d.Message) }}
	if _, err := s.narrow(&analysis.Analyzer{Run: run}).Run(pass); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []string{"one"}) {
		t.Errorf("got %q", got)
	}
}

func withFile(t *testing.T, file string) *Settings {
	t.Helper()
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	s := New(cat, analyzers.All())
	if file != "" {
		name := filepath.Join(t.TempDir(), FileName)
		if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.ReadFile(name, name); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestReadModule(t *testing.T) {
	root := t.TempDir()
	below := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(below, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n")
	t.Chdir(below)
	s := withFile(t, "")
	if err := s.ReadModule(""); err != nil || s.Config != nil {
		t.Errorf("without a file: %v, %v", err, s.Config)
	}
	write(FileName, "rules:\n  publishoutsidetx: \"off\"\n")
	if err := s.ReadModule(""); err != nil || s.Runs("publishoutsidetx/dual-write") {
		t.Errorf("with a file: %v", err)
	}
	if err := s.ReadModule("none.yml"); err == nil {
		t.Error("a named file may be missing")
	}
}
