package publishoutsidetx

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
	return effect.NewRule(Name, "find messages published after, inside or beside a database transaction\n\nA crash or a rollback in between loses the event, or sends one for a change that never happened.", effects, Check, Fix)
}
