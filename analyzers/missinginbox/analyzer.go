package missinginbox

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// Doc is the source of the rule's page.
//
//go:embed doc.go
var Doc string

// Analyzer is the rule for drivers that go package by package.
var Analyzer = New(effect.Analyzer)

// New is the same on another summary analyzer.
func New(effects *analysis.Analyzer) *analysis.Analyzer {
	return effect.NewRule(Name, "find message handlers that apply an effect twice when a message comes twice\n\nNothing notes which messages were applied, or the key that would is made anew in every attempt.", effects, Check, Fix)
}
