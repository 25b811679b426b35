package effect

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// keysOf are the names in a condition that is no text: {"_id": id, "version": v}.
func (b *builder) keysOf(v ssa.Value) []string {
	out := b.operators(v)
	if o := b.lineage(v); o != nil {
		for _, f := range o.Fields {
			out = append(out, f.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// settlesBySetting: the conflict clauses that a helper, or one that it calls, makes set
// columns.
func settlesBySetting(fn *ssa.Function, depth int) bool {
	found := false
	for _, block := range fn.Blocks {
		for _, i := range block.Instrs {
			switch x := i.(type) {
			case *ssa.MakeInterface:
				if !isConflictClause(x) {
					continue
				}
				if !conflictSets(x) {
					return false
				}
				found = true
			case *ssa.Call:
				if g := x.Call.StaticCallee(); g != nil && depth > 0 {
					found = found || settlesBySetting(g, depth-1)
				}
			}
		}
	}
	return found
}

// conflictSets: the literal has a field that sets columns and none that says when.
func conflictSets(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	a, ok := u.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	sets := false
	for _, r := range *a.Referrers() {
		f, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		switch fieldName(a.Type(), f.Field) {
		case "Where":
			return false
		case "UpdateAll", "DoUpdates":
			sets = true
		}
	}
	return sets
}
