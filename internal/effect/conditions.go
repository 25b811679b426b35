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

// overwrites reports whether a chain has a conflict clause that sets columns of the
// row that is there, whatever it holds: gorm's OnConflict without DoNothing and Where.
func (b *builder) overwrites(c *ssa.CallCommon, depth int) bool {
	recv, args := receiverAndArgs(c)
	for _, a := range args {
		elements, ok := elementsOf(a)
		if !ok {
			elements = []ssa.Value{a}
		}
		for _, x := range elements {
			if isConflictClause(x) {
				return conflictSets(x)
			}
		}
	}
	call, ok := recv.(*ssa.Call)
	if !ok || depth == 0 {
		return false
	}
	if fn := call.Call.StaticCallee(); fn != nil && len(fn.Blocks) > 0 && b.settles(fn) {
		return settlesBySetting(fn)
	}
	return b.overwrites(call.Common(), depth-1)
}

// settlesBySetting: the conflict clauses that a helper makes all set columns.
func settlesBySetting(fn *ssa.Function) bool {
	found := false
	for _, block := range fn.Blocks {
		for _, i := range block.Instrs {
			m, ok := i.(*ssa.MakeInterface)
			if !ok || !isConflictClause(m) {
				continue
			}
			if !conflictSets(m) {
				return false
			}
			found = true
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
		case "DoNothing", "Where":
			return false
		case "UpdateAll", "DoUpdates":
			sets = true
		}
	}
	return sets
}
