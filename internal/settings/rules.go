package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/finding"
)

// Names are the words for rules that a user may write: each rule and each
// category of it, sorted.
func Names(rules []analyzers.Rule) []string {
	names := []string{finding.DirectiveRule, finding.DirectiveName, finding.BaselineName}
	for _, r := range rules {
		names = append(names, r.Name)
		for category := range r.Tier {
			names = append(names, r.Name+"/"+category)
		}
	}
	slices.Sort(names)
	return names
}

// CheckName says that a word names no rule, and which names there are.
func CheckName(rules []analyzers.Rule, name string) error {
	names := Names(rules)
	if slices.Contains(names, name) {
		return nil
	}
	family := ruleOf(name)
	var known []string
	for _, n := range names {
		if !strings.Contains(n, "/") || ruleOf(n) == family {
			known = append(known, n)
		}
	}
	return fmt.Errorf("no rule %s (known: %s)", name, strings.Join(known, ", "))
}

func (s *Settings) checkName(name string) error { return CheckName(s.all, name) }

// ruleOf is the rule of rule/category.
func ruleOf(name string) string {
	rule, _, _ := strings.Cut(name, "/")
	return rule
}

// Runs reports whether findings of this name (rule/category) are wanted. The
// more exact word wins: r off and r/c on leaves r/c on.
func (s *Settings) Runs(name string) bool {
	switch {
	case s.off[name]:
		return false
	case s.only[name]:
		return true
	case s.off[ruleOf(name)]:
		return false
	}
	return len(s.only) == 0 || s.only[ruleOf(name)]
}

// Rules are the rules of which at least one category runs.
func (s *Settings) Rules() []analyzers.Rule {
	return slices.DeleteFunc(slices.Clone(s.all), func(r analyzers.Rule) bool {
		for category := range r.Tier {
			if s.Runs(r.Name + "/" + category) {
				return false
			}
		}
		return true
	})
}

// Whole reports whether all that a name stands for runs; the linter's own name
// stands for every rule.
func (s *Settings) Whole(name string) bool {
	for _, r := range s.all {
		for category := range r.Tier {
			full := r.Name + "/" + category
			if (name == finding.DirectiveRule || name == r.Name || name == full) && !s.Runs(full) {
				return false
			}
		}
	}
	return true
}

// Retier gives a finding the tier that the user's file wants.
func (s *Settings) Retier(f *finding.Finding) {
	if t, ok := s.tier[f.Rule]; ok {
		f.Tier = t
	}
	if t, ok := s.tier[f.Name()]; ok {
		f.Tier = t
	}
}
