package plugin

import (
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"
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
