package checkthenact

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// Name is the rule's name.
const Name = "checkthenact"

// Doc is the source of the rule's page.
//
//go:embed doc.go
var Doc string

// Analyzer is the rule for drivers that go package by package.
var Analyzer = New(effect.Analyzer)

// New is the same on another summary analyzer.
func New(effects *analysis.Analyzer) *analysis.Analyzer {
	return effect.NewRule(Name, "find dedupe checks and records that a crash or a second delivery gets past\n\nA check, an effect and a record that are not one transaction apply a message twice, or lose it.", effects, Check, Fix)
}
