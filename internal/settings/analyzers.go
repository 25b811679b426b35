package settings

import (
	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
)

// Analyzers are the rules for a driver that goes package by package, with these
// settings.
func (s *Settings) Analyzers() []*analysis.Analyzer {
	effects := effect.New(func() (*catalog.Catalog, error) { return s.Catalog, nil })
	list := []*analysis.Analyzer{s.directives()}
	for _, r := range s.Rules() {
		if r.New != nil {
			list = append(list, s.narrow(r.New(effects)))
		}
	}
	return list
}

// narrow is the analyzer without the findings that the settings leave out.
func (s *Settings) narrow(a *analysis.Analyzer) *analysis.Analyzer {
	some := *a
	some.Run = func(pass *analysis.Pass) (any, error) {
		quiet := *pass
		quiet.Report = func(d analysis.Diagnostic) {
			if s.Runs(d.Category) && !s.Excludes(pass.Fset.Position(d.Pos).Filename, s.module) {
				pass.Report(d)
			}
		}
		return a.Run(&quiet)
	}
	return &some
}

// directives reports the ignore comments that are malformed or give no reason.
// Whether one silences nothing can't be told from one package.
func (s *Settings) directives() *analysis.Analyzer {
	return s.narrow(&analysis.Analyzer{
		Name: finding.DirectiveRule,
		Doc:  "report comments that are meant to silence a rule and don't hold",
		Run: func(pass *analysis.Pass) (any, error) {
			ignores := finding.NewIgnores(Names(s.all))
			ignores.Read(pass.Fset, pass.Pkg.Path(), pass.Files)
			finding.ReportAll(pass, ignores.Complaints(func(string, string) bool { return false }))
			return nil, nil
		},
	})
}
