package flow

import (
	"strings"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// runs names the functions and the statements among arguments. What a helper does
// that is given one is mostly what that one does, so each makes it another
// function: the transaction helper of a program is entered from everywhere.
func runs(args []av) string {
	var b strings.Builder
	for _, a := range args {
		switch a.kind {
		case closure, sqlText:
			b.WriteByte('|')
			b.WriteString(a.name)
		case oneOf:
			b.WriteByte('|')
			b.WriteString(a.sum)
		}
	}
	return b.String()
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
