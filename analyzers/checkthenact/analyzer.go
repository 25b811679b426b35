package checkthenact

import (
	_ "embed"
	"errors"
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
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
	return &analysis.Analyzer{
		Name:     Name,
		Doc:      "find dedupe checks and records that a crash or a second delivery gets past\n\nA check, an effect and a record that are not one transaction apply a message twice, or lose it.",
		Requires: []*analysis.Analyzer{effects},
		Run: func(pass *analysis.Pass) (any, error) {
			p, ok := pass.ResultOf[effects].(*effect.Program)
			if !ok {
				return nil, fmt.Errorf("%s: no summaries", Name)
			}
			var errs []error
			for _, f := range p.Failures {
				errs = append(errs, fmt.Errorf("%s: analysis failed: %s", f.Package, f.Message))
			}
			if err := errors.Join(errs...); err != nil {
				return nil, err
			}
			finding.Report(pass, Check(p, nil))
			return nil, nil
		},
	}
}
