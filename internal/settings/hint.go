package settings

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// hinted is how many names a hint gives.
const hinted = 3

// hint says what there is in the place of what a file names: the names nearest to it.
func hint(pkg *types.Package, sym catalog.Symbol) string {
	where, name := pkg.Path(), sym.Name
	names := pkg.Scope().Names()
	if sym.Type != "" {
		if obj, ok := pkg.Scope().Lookup(sym.Type).(*types.TypeName); ok {
			where, names = sym.Type, members(obj.Type())
		} else {
			name = sym.Type
		}
	}
	if len(names) == 0 {
		return where + " has nothing that can be named"
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(distance(name, a), distance(name, b)) })
	more := ""
	if len(names) > hinted {
		names, more = names[:hinted], ", ..."
	}
	return where + " has " + strings.Join(names, ", ") + more
}

// members are the methods of a type, those of embedded types included.
func members(t types.Type) []string {
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	var names []string
	for i := range set.Len() {
		names = append(names, set.At(i).Obj().Name())
	}
	slices.Sort(names)
	return names
}

// distance counts the letters that have to change to make one word of another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		above := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := above
			if a[i] != b[j] {
				change++
			}
			above = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
