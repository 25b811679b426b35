package driver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/finding"
)

type rule = analyzers.Rule

// rules are all rules, in display order.
func rules() []rule { return analyzers.All() }

// selection says which rules and categories run, and at which tier.
type selection struct {
	off  map[string]bool
	only map[string]bool
	tier map[string]finding.Tier
}

// ruleNames are the words for rules that a user may write: each rule and each
// category of it.
func ruleNames(list []rule) []string {
	names := []string{finding.DirectiveRule, finding.DirectiveName}
	for _, r := range list {
		names = append(names, r.Name)
		for category := range r.Tier {
			names = append(names, r.Name+"/"+category)
		}
	}
	slices.Sort(names)
	return names
}

// checkName says that a word names no rule, and which names there are.
func checkName(list []rule, name string) error {
	if slices.Contains(ruleNames(list), name) {
		return nil
	}
	known := []string{}
	family, _, _ := strings.Cut(name, "/")
	for _, n := range ruleNames(list) {
		if of, _, whole := strings.Cut(n, "/"); !whole || of == family {
			known = append(known, n)
		}
	}
	return fmt.Errorf("no rule %s (known: %s)", name, strings.Join(known, ", "))
}

// has reports whether a set names a rule or its category.
func has(set map[string]bool, name string) bool {
	of, _, _ := strings.Cut(name, "/")
	return set[name] || set[of]
}

// runs reports whether findings of this name (rule/category) are wanted. The
// more exact word wins: -disable r -enable r/c leaves c on.
func (s *selection) runs(name string) bool {
	switch {
	case s.off[name]:
		return false
	case s.only[name]:
		return true
	case has(s.off, name):
		return false
	}
	return len(s.only) == 0 || has(s.only, name)
}

// chosen are the rules of which at least one category runs.
func (s *selection) chosen(list []rule) []rule {
	return slices.DeleteFunc(slices.Clone(list), func(r rule) bool {
		for category := range r.Tier {
			if s.runs(r.Name + "/" + category) {
				return false
			}
		}
		return len(r.Tier) > 0 || !s.runs(r.Name)
	})
}

// retier gives a finding the tier that the configuration wants.
func (s *selection) retier(f *finding.Finding) {
	if t, ok := s.tier[f.Rule]; ok {
		f.Tier = t
	}
	if t, ok := s.tier[f.Name()]; ok {
		f.Tier = t
	}
}
