package driver

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/load"
)

// keep applies the ignore comments and the settings to the findings of a
// module, and adds what is wrong with the comments. failed is what analysis
// could not do.
func (s *setup) keep(res *load.Result, found []finding.Finding, failed []load.Error) []finding.Finding {
	ignores := finding.NewIgnores(ruleNames(rules()))
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
		return s.whole(name) && p != nil && !broken[p.Path] && len(p.Broken) == 0
	})...)
	var kept []finding.Finding
	for _, f := range found {
		if s.runs(f.Name()) && !s.excluded(f.Pos.Filename) {
			s.retier(&f)
			kept = append(kept, f)
		}
	}
	return kept
}

// whole reports whether all that a name stands for has run, so that a comment
// which silenced nothing is known to be idle.
func (s *setup) whole(name string) bool {
	for _, r := range rules() {
		for category := range r.Tier {
			full := r.Name + "/" + category
			if (name == finding.DirectiveRule || name == r.Name || name == full) && !s.runs(full) {
				return false
			}
		}
	}
	return true
}

func brokenPackages(list []load.Error) map[string]bool {
	broken := map[string]bool{}
	for _, e := range list {
		broken[e.Package] = true
	}
	return broken
}
