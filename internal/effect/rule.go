package effect

import (
	"errors"
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// Checker finds a rule's stories in a program, and tells of the functions that it
// gave up on.
type Checker = func(p *Program, capped func(symbol string)) []finding.Finding

// NewRule makes the analyzer of a rule for the drivers that go package by package:
// it checks what the summary analyzer effects has made of the package.
func NewRule(name, doc string, effects *analysis.Analyzer, check Checker, fixes fix.Fixer) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     name,
		Doc:      doc,
		Requires: []*analysis.Analyzer{effects},
		Run: func(pass *analysis.Pass) (any, error) {
			p, ok := pass.ResultOf[effects].(*Program)
			if !ok {
				return nil, fmt.Errorf("%s: no summaries", name)
			}
			if err := p.failed(); err != nil {
				return nil, err
			}
			found := check(p, nil)
			if fixes != nil && len(found) > 0 {
				sources := fix.Package{Fset: pass.Fset, Files: pass.Files, Types: pass.Pkg, Info: pass.TypesInfo, Read: pass.ReadFile, Facts: p.FixFacts(), Inbox: fix.Inboxes(slices.Concat(pass.Pkg.Imports(), []*types.Package{pass.Pkg}))}
				for i := range found {
					found[i].Fixes = sources.Offers(fixes, &found[i])
				}
				fix.Apart(found)
			}
			finding.Report(pass, found)
			return nil, nil
		},
	}
}

// failed joins the failures of the packages whose analysis did not come to its end.
func (p *Program) failed() error {
	var errs []error
	for _, f := range p.Failures {
		errs = append(errs, fmt.Errorf("%s: analysis failed: %s", f.Package, f.Message))
	}
	return errors.Join(errs...)
}

// Unwanted says why nobody wants to hear of a place in a function, "" if it is wanted.
func (p *Program) Unwanted(f *Func) string {
	switch {
	case f.Test:
		return "test code is not linted"
	case isTestSupport(f.Pos.File):
		return "the file has helpers for tests"
	case slices.Contains([]string{"seed", "seeds", "seeder"}, pathBase(f.Package)):
		return "it fills a database by hand, and is run again where it failed"
	case !p.Targets[f.Package]:
		return "the package of the call is not among those to lint"
	case p.Generated[f.Pos.File]:
		return "the file is generated"
	}
	return ""
}
