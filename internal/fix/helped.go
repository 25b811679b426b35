package fix

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// story is what stays the same of a finding when others are gone: the number that
// tells two of one function apart does not.
type story struct{ rule, category, pkg, function, callee string }

func storyOf(f *finding.Finding) story {
	return story{f.Rule, f.Category, f.Package, f.Function, f.Callee}
}

// Unhelpful are the fixed findings, by fingerprint, in whose function there is more
// than there would be if all had helped; where something is new elsewhere, all.
func Unhelpful(fixed, before, after []finding.Finding) map[string]bool {
	expected := map[story]int{}
	for i := range before {
		expected[storyOf(&before[i])]++
	}
	for i := range fixed {
		expected[storyOf(&fixed[i])]--
	}
	bad := map[string]bool{}
	for i := range after {
		s := storyOf(&after[i])
		expected[s]--
		if expected[s] >= 0 {
			continue
		}
		here := slices.DeleteFunc(slices.Clone(fixed), func(f finding.Finding) bool {
			return f.Package != s.pkg || f.Function != s.function
		})
		if len(here) == 0 {
			here = fixed
		}
		for _, f := range here {
			bad[f.Fingerprint] = true
		}
	}
	return bad
}
