package driver

import (
	"slices"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/load"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// keep applies the ignore comments and the settings to the findings of a
// module, and adds what is wrong with the comments. failed is what analysis
// could not do. A comment that silences nothing is reported only where all of
// the module was read: what a call reaches may lie elsewhere.
func keep(s *settings.Settings, j job, res *load.Result, found []finding.Finding, failed []load.Error) []finding.Finding {
	ignores := finding.NewIgnores(settings.Names(analyzers.All()))
	files := map[string]*load.Package{}
	for _, p := range res.Packages {
		if !p.Target {
			continue
		}
		ignores.Read(res.Fset, p.Path, p.Files)
		for _, f := range p.Files {
			files[res.Fset.Position(f.Package).Filename] = p
		}
	}
	found = ignores.Filter(found)
	broken := brokenPackages(slices.Concat(res.Errors, failed))
	found = append(found, ignores.Complaints(func(name, file string) bool {
		p := files[file]
		return j.whole && s.Whole(name) && p != nil && !broken[p.Path] && len(p.Broken) == 0
	})...)
	var kept []finding.Finding
	for _, f := range found {
		p := files[f.Pos.Filename]
		if s.Runs(f.Name()) && (p == nil || !s.Excludes(f.Pos.Filename, p.ModuleDir)) {
			s.Retier(&f)
			kept = append(kept, f)
		}
	}
	return kept
}

func brokenPackages(list []load.Error) map[string]bool {
	broken := map[string]bool{}
	for _, e := range list {
		broken[e.Package] = true
	}
	return broken
}
