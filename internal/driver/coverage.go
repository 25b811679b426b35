package driver

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/baseline"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/load"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// coverage is what a run has read of one module.
type coverage struct {
	settings *settings.Settings
	// packages are those that the patterns name.
	packages map[string]bool
	// modules are the modules that were read whole: a package of theirs that isn't
	// among packages is gone.
	modules map[string]bool
}

// covers says what a run has read and reported of a module: the packages that the patterns
// name, of these only the concerned ones where a change is asked about.
func covers(s *settings.Settings, j job, res *load.Result, concerned map[string]bool) coverage {
	c := coverage{s, map[string]bool{}, map[string]bool{}}
	for _, p := range res.Packages {
		if !p.Target || concerned != nil && !concerned[p.Path] {
			continue
		}
		c.packages[p.Path] = true
		if j.whole && concerned == nil && p.Module != "" {
			c.modules[p.Module] = true
		}
	}
	return c
}

// sure reports whether a run would have found what an entry of a baseline tells
// of. Where something could not be analysed, nobody knows.
func (out *outcome) sure(e baseline.Entry) bool {
	if len(out.problems) > 0 {
		return false
	}
	for _, c := range out.covered {
		if c.settings.Runs(e.Rule) && c.read(e.Package) {
			return true
		}
	}
	return false
}

// tells reports whether findings about a baseline are wanted.
func (out *outcome) tells() bool {
	return slices.ContainsFunc(out.covered, func(c coverage) bool { return c.settings.Runs(finding.BaselineName) })
}

func (c coverage) read(pkg string) bool {
	if c.packages[pkg] {
		return true
	}
	for module := range c.modules {
		if pkg == module || strings.HasPrefix(pkg, module+"/") {
			return true
		}
	}
	return false
}
