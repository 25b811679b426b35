package driver

import (
	"maps"
	"slices"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/docgen"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/report"
)

// ruleTable is what reports say of each category: its part of the rule's page.
func ruleTable() []report.Rule {
	var table []report.Rule
	for _, r := range analyzers.All() {
		page, err := docgen.Parse(r.Doc)
		for _, category := range slices.Sorted(maps.Keys(r.Tier)) {
			row := report.Rule{Name: r.Name + "/" + category, Tier: r.Tier[category]}
			// A page that says nothing of a category fails a test; the report doesn't.
			if err == nil {
				if help, err := page.Help(category); err == nil {
					row.Summary, row.Text, row.Markdown = help.Summary, help.Text, help.Markdown
				}
			}
			table = append(table, row)
		}
	}
	return append(table, report.Rule{
		Name: finding.DirectiveName, Tier: finding.Warning, Summary: "A comment that is meant to silence a rule is wrong.",
		Text: directivePage, Markdown: directivePage,
	}, report.Rule{
		Name: finding.BaselineName, Tier: finding.Warning, Summary: "Nothing is found any more of an entry of the baseline.",
		Text: baselinePage, Markdown: baselinePage,
	})
}
