package earlyack

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// Name is the rule's name.
const Name = "earlyack"

// Doc is the source of the rule's page.
//
//go:embed doc.go
var Doc string

// Analyzer is the rule for drivers that go package by package.
var Analyzer = New(effect.Analyzer)

// New is the same on another summary analyzer.
func New(effects *analysis.Analyzer) *analysis.Analyzer {
	return effect.NewRule(Name, "find deliveries that are acked before their effect is durable\n\nA crash after the ack, or a failure that is acked all the same, loses the message.", effects, Check, Fix)
}
