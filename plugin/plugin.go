// Package plugin is deliverylint as a module plugin of golangci-lint v2. The file
// .custom-gcl.yml tells golangci-lint custom, which clones golangci-lint and builds
// it, what to build in:
//
//	version: v2.15.0
//	name: custom-gcl
//	plugins:
//	  - module: github.com/deliverylint/deliverylint
//	    import: github.com/deliverylint/deliverylint/plugin
//	    version: latest
//
// and .golangci.yml turns it on:
//
//	version: "2"
//	linters:
//	  enable: [deliverylint]
//	  settings:
//	    custom:
//	      deliverylint:
//	        type: module
//	        settings:
//	          rules:
//	            publishoutsidetx/before-write: "off"
//	          functions:
//	            - {name: (example.com/shop/events.Bus).Publish, kind: publish}
//	issues:
//	  max-same-issues: 0
//	  max-issues-per-linter: 0
//
// The settings are those of .deliverylint.yml, but for one thing: golangci-lint
// lowers the case of keys and cuts them at dots, so the entries of functions and
// types are lists, in which name has the place of the key. The .deliverylint.yml
// that is found from the root of the module that golangci-lint runs in upward to
// the repository's holds too. golangci-lint keeps results; a change of either is a
// reason for it to analyse anew.
package plugin

import (
	"errors"
	"fmt"
	"strings"

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

type plugin struct{ settings *settings.Settings }

// New makes the plugin from its part of .golangci.yml.
func New(conf any) (register.LinterPlugin, error) {
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, fmt.Errorf("deliverylint: %w", err)
	}
	s := settings.New(cat, analyzers.All())
	if err := s.ReadModule(""); err != nil {
		return nil, oneLine(err)
	}
	text, err := document(conf)
	if err == nil && text != nil {
		err = s.ReadText(text, part)
	}
	if err != nil {
		return nil, oneLine(err)
	}
	return plugin{s}, nil
}

// oneLine is an error in the one line that golangci-lint has for it. Lines of the
// plugin's part are not known.
func oneLine(err error) error {
	text := strings.ReplaceAll(err.Error(), part+":1: ", part+": ")
	return errors.New("deliverylint: " + strings.ReplaceAll(text, "\n", "; "))
}

// GetLoadMode asks for types: what a call means depends on them.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

// BuildAnalyzers are the rules that run.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return stamped(p.settings.Analyzers(), stamp(p.settings.Digest())), nil
}
