package flow

import (
	"strings"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// runs names the functions and the statements among the values that a function is
// given or has captured. What a helper does that is given one is mostly what that
// one does, so each makes it another function: the transaction helper of a program
// is entered from everywhere, often with a literal around the function that counts.
func runs(args, free []av) string {
	var b strings.Builder
	for _, a := range args {
		nameRuns(&b, a)
	}
	for _, a := range free {
		nameRuns(&b, a)
	}
	return b.String()
}

func nameRuns(b *strings.Builder, a av) {
	switch a.kind {
	case closure:
		b.WriteByte('|')
		b.WriteString(a.name)
		for _, x := range a.of {
			nameRuns(b, x)
		}
	case sqlText:
		b.WriteByte('|')
		b.WriteString(a.name)
	case oneOf:
		b.WriteByte('|')
		b.WriteString(a.sum)
	}
}

func entryKey(f *effect.Func, s *State, params, free []av, async bool, tree string) string {
	var b strings.Builder
	b.WriteString(f.Symbol)
	b.WriteByte('|')
	b.WriteString(tree)
	if async {
		b.WriteByte('a')
	}
	b.WriteString(s.key())
	for _, a := range params {
		b.WriteByte('|')
		a.write(&b)
	}
	b.WriteByte('#')
	for _, a := range free {
		b.WriteByte('|')
		a.write(&b)
	}
	return b.String()
}
