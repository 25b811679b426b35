package finding

import (
	"cmp"
	"go/token"
	"slices"
)

// Sort orders findings by place, then by name and words, so that a run prints
// the same bytes each time.
func Sort(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(
			comparePos(a.Pos, b.Pos),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Category, b.Category),
			cmp.Compare(a.Package, b.Package),
			cmp.Compare(rank(a.Evidence), rank(b.Evidence)),
			cmp.Compare(len(a.Flow), len(b.Flow)),
			cmp.Compare(a.Message, b.Message),
			compareFlow(a.Flow, b.Flow),
		)
	})
}

// Dedup keeps one finding of each name at each place: of several, the one that
// Sort puts first, which has the strongest evidence and the shortest story. The
// same file is seen twice where a package is analysed with and without its tests.
func Dedup(list []Finding) []Finding {
	Sort(list)
	type key struct {
		file           string
		line, column   int
		rule, category string
	}
	seen := make(map[key]bool, len(list))
	return slices.DeleteFunc(list, func(f Finding) bool {
		k := key{f.Pos.Filename, f.Pos.Line, f.Pos.Column, f.Rule, f.Category}
		dup := seen[k]
		seen[k] = true
		return dup
	})
}

func comparePos(a, b token.Position) int {
	return cmp.Or(
		cmp.Compare(a.Filename, b.Filename),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
	)
}

func compareFlow(a, b []Step) int {
	return slices.CompareFunc(a, b, func(x, y Step) int {
		return cmp.Or(comparePos(x.Pos, y.Pos), cmp.Compare(x.Message, y.Message))
	})
}

// rank orders evidence, strongest first.
func rank(e Evidence) int {
	switch e {
	case Proven:
		return 0
	case Declared:
		return 1
	default:
		return 2
	}
}
