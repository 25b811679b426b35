package plugin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

func TestRegistered(t *testing.T) {
	make, err := register.GetPlugin("deliverylint")
	if err != nil {
		t.Fatal(err)
	}
	p, err := make(nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.GetLoadMode() != register.LoadModeTypesInfo {
		t.Errorf("load mode %s", p.GetLoadMode())
	}
	list, err := p.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	if err := analysis.Validate(list); err != nil {
		t.Error(err)
	}
}

// object is a mapping as golangci-lint gives it.
type object = map[string]any

func TestSettingsAreStrict(t *testing.T) {
	t.Chdir(t.TempDir())
	for want, conf := range map[string]any{
		part + ": unknown key colour":                   object{"colour": "red"},
		part + ": no rule x":                            object{"rules": object{"x": "off"}},
		part + `: publishoutsidetx: unknown value "no"`: object{"rules": object{"publishoutsidetx": "no"}},
		part + ": functions: a list of entries":         object{"functions": object{"(example": "x"}},
		part + ": functions: an entry without a name":   object{"functions": []any{object{"kind": "publish"}}},
		part + ": types: a.T stands twice":              object{"types": []any{object{"name": "a.T", "class": "tx"}, object{"name": "a.T", "class": "db"}}},
		part + ": kind: unknown value":                  object{"functions": []any{object{"name": "a.F", "kind": "publsh"}}},
		part + ": a mapping is wanted":                  []any{"publishoutsidetx"},
	} {
		_, err := New(conf)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("New(%v) = %v, want one line about %q", conf, err, want)
		}
	}
}

// TestStamp: what golangci-lint keeps results by changes with the settings and with
// the file.
func TestStamp(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := func(conf any) string {
		p, err := New(conf)
		if err != nil {
			t.Fatal(err)
		}
		list, err := p.BuildAnalyzers()
		if err != nil {
			t.Fatal(err)
		}
		if err := analysis.Validate(list); err != nil {
			t.Error(err)
		}
		effects := list[1].Requires[0].Name
		return list[len(list)-1].Name + effects
	}
	write("go.mod", "module m\n")
	without, again := names(nil), names(nil)
	given := names(object{"paths": object{"exclude": []any{"gen"}}})
	write(".deliverylint.yml", "paths:\n  exclude: [gen]\n")
	file := names(nil)
	if without != again || without == given || without == file {
		t.Errorf("%s, %s with settings, %s with a file", without, given, file)
	}
}

// TestFindings runs the plugin's analyzers over a few packages, with what one
// package says of itself carried to the next.
func TestFindings(t *testing.T) {
	p, err := New(object{
		"rules":     object{"publishoutsidetx/before-write": "off"},
		"functions": []any{object{"name": "example.com/none.Count", "kind": "notify"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if a.Name == "publishoutsidetx" {
			analysistest.Run(t, analysistest.TestData(), a, "shop/orders")
		}
	}
}
