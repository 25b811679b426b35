package missinginbox

import (
	_ "embed"
	"errors"
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
)

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
		Doc:      "find message handlers that apply an effect twice when a message comes twice\n\nNothing notes which messages were applied, or the key that would is made anew in every attempt.",
		Requires: []*analysis.Analyzer{effects},
		Run: func(pass *analysis.Pass) (any, error) {
			p, ok := pass.ResultOf[effects].(*effect.Program)
			if !ok {
				return nil, fmt.Errorf("%s: no summaries", Name)
			}
			if err := failures(p); err != nil {
				return nil, err
			}
			finding.Report(pass, Check(p, nil))
			return nil, nil
		},
	}
}

func failures(p *effect.Program) error {
	var errs []error
	for _, f := range p.Failures {
		errs = append(errs, fmt.Errorf("%s: analysis failed: %s", f.Package, f.Message))
	}
	return errors.Join(errs...)
}
