// Package analyzers lists the rules.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/analyzers/assignstate"
	"github.com/deliverylint/deliverylint/analyzers/checkthenact"
	"github.com/deliverylint/deliverylint/analyzers/earlyack"
	"github.com/deliverylint/deliverylint/analyzers/missinginbox"
	"github.com/deliverylint/deliverylint/analyzers/publishoutsidetx"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// Rule is one rule as the drivers see it.
type Rule struct {
	// Name is the analyzer's name; Doc the text of its page.
	Name, Doc string
	// Tier is the tier of each category.
	Tier map[string]finding.Tier
	// Analyzer serves the drivers that go package by package; New makes it on
	// another summary analyzer than the plain one.
	Analyzer *analysis.Analyzer
	New      func(effects *analysis.Analyzer) *analysis.Analyzer
	// Check finds the rule's stories in a linked program. Unless it is nil, it
	// tells capped the symbols of the functions that were given up on.
	Check func(p *effect.Program, capped func(symbol string)) []finding.Finding
	// Fix returns the changes that mend a finding of the rule, none where that is not
	// certain; nil for a rule that has none.
	Fix fix.Fixer
	// Trace walks as Check does and records what it meets at some places.
	Trace func(p *effect.Program, t *flow.Trace)
}

// All returns the rules in display order.
func All() []Rule {
	return []Rule{
		{
			Name: publishoutsidetx.Name, Doc: publishoutsidetx.Doc,
			Analyzer: publishoutsidetx.Analyzer, New: publishoutsidetx.New,
			Check: publishoutsidetx.Check, Trace: publishoutsidetx.Trace, Fix: publishoutsidetx.Fix,
			Tier: map[string]finding.Tier{
				"after-commit": finding.Error, "dual-write": finding.Error, "inside-tx": finding.Error,
				"before-write": finding.Warning, "outbox-outside-tx": finding.Error,
			},
		},
		{
			Name: checkthenact.Name, Doc: checkthenact.Doc,
			Analyzer: checkthenact.Analyzer, New: checkthenact.New,
			Check: checkthenact.Check, Trace: checkthenact.Trace, Fix: checkthenact.Fix,
			Tier: map[string]finding.Tier{
				"check-outside-tx": finding.Error, "record-outside-tx": finding.Error, "mark-before-effect": finding.Error,
				"volatile-store": finding.Error, "claim-ignored": finding.Warning,
			},
		},
		{
			Name: missinginbox.Name, Doc: missinginbox.Doc,
			Analyzer: missinginbox.Analyzer, New: missinginbox.New,
			Check: missinginbox.Check, Trace: missinginbox.Trace, Fix: missinginbox.Fix,
			Tier: map[string]finding.Tier{"no-dedupe": finding.Error, "unstable-key": finding.Error},
		},
		{
			Name: assignstate.Name, Doc: assignstate.Doc,
			Analyzer: assignstate.Analyzer, New: assignstate.New,
			Check: assignstate.Check, Trace: assignstate.Trace, Fix: assignstate.Fix,
			Tier: map[string]finding.Tier{"unguarded": finding.Warning, "arrival-time": finding.Warning},
		},
		{
			Name: earlyack.Name, Doc: earlyack.Doc,
			Analyzer: earlyack.Analyzer, New: earlyack.New,
			Check: earlyack.Check, Trace: earlyack.Trace, Fix: earlyack.Fix,
			Tier: map[string]finding.Tier{
				"before-effect": finding.Error, "auto-ack": finding.Error, "on-failure": finding.Warning,
				"out-of-order": finding.Error,
			},
		},
	}
}

// Judged is what publishoutsidetx makes of a whole program, for the comments of declare.
func Judged(p *effect.Program) publishoutsidetx.Apart { return publishoutsidetx.Judged(p) }
