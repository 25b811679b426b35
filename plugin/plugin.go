// Package plugin is deliverylint as a module plugin of golangci-lint. A custom
// build names it in .custom-gcl.yml:
//
//	plugins:
//	  - module: github.com/deliverylint/deliverylint
//	    import: github.com/deliverylint/deliverylint/plugin
//	    version: latest
//
// and .golangci.yml turns it on:
//
//	linters:
//	  enable: [deliverylint]
//	  settings:
//	    custom:
//	      deliverylint:
//	        type: module
//	        settings:
//	          disable: [publishoutsidetx/before-write]
//
// The .deliverylint.yml that is found from the root of the module that golangci-lint
// runs in upward to the repository's holds too.
// golangci-lint keeps results for as long as the code and its own settings stay
// the same: after a change of that file, run golangci-lint cache clean.
package plugin

import (
	"fmt"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// golangci-lint finds module plugins by what their init functions register.
func init() {
	register.Plugin("deliverylint", New)
}

// Config is the plugin's part of .golangci.yml. Other keys are errors.
type Config struct {
	// Enable runs only these rules or rule/category names.
	Enable []string `json:"enable"`
	// Disable leaves rules or rule/category names out.
	Disable []string `json:"disable"`
	// File is the user's file, if it isn't the module's .deliverylint.yml.
	File string `json:"file"`
}

type plugin struct{ settings *settings.Settings }

// New makes the plugin from its part of .golangci.yml.
func New(conf any) (register.LinterPlugin, error) {
	c, err := register.DecodeSettings[Config](conf)
	if err != nil {
		return nil, fmt.Errorf("deliverylint: %w", err)
	}
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, fmt.Errorf("deliverylint: %w", err)
	}
	s := settings.New(cat, analyzers.All())
	if err := s.ReadModule(c.File); err != nil {
		return nil, fmt.Errorf("deliverylint: %w", err)
	}
	if err := s.Enable(c.Enable); err != nil {
		return nil, fmt.Errorf("deliverylint: enable: %w", err)
	}
	if err := s.Disable(c.Disable); err != nil {
		return nil, fmt.Errorf("deliverylint: disable: %w", err)
	}
	return plugin{s}, nil
}

// GetLoadMode asks for types: what a call means depends on them.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

// BuildAnalyzers are the rules that run.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return p.settings.Analyzers(), nil
}
