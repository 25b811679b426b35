package plugin

import (
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

func TestSettingsAreStrict(t *testing.T) {
	for want, conf := range map[string]any{
		"colour":              map[string]any{"colour": "red"},
		"no such file":        map[string]any{"file": "none.yml"},
		"enable: no rule x":   map[string]any{"enable": []string{"x"}},
		"disable: no rule x":  map[string]any{"disable": []string{"x"}},
		"cannot unmarshal":    map[string]any{"enable": "publishoutsidetx"},
		"no rule publishouts": map[string]any{"enable": []string{"publishoutsidetx/none"}},
	} {
		if _, err := New(conf); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New(%v) = %v, want something about %q", conf, err, want)
		}
	}
}

// TestFindings runs the plugin's analyzers over a few packages, with what one
// package says of itself carried to the next.
func TestFindings(t *testing.T) {
	p, err := New(map[string]any{"disable": []string{"publishoutsidetx/before-write"}})
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
