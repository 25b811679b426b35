package effect

import (
	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// raised is the kind of a clause that changes the row which an insert has met.
const raised = "raise"

// raises are the assignments to a row that is already there which are SQL: gorm's
// OnConflict{DoUpdates: clause.Assignments(map[string]any{"n": gorm.Expr("n + 1")})}.
func (b *builder) raises(c *ssa.CallCommon, depth int) []Clause {
	recv, args := receiverAndArgs(c)
	for _, a := range args {
		elements, ok := elementsOf(a)
		if !ok {
			elements = []ssa.Value{a}
		}
		for _, x := range elements {
			if isConflictClause(x) {
				return b.raisedBy(x)
			}
		}
	}
	if call, ok := recv.(*ssa.Call); ok && depth > 0 {
		return b.raises(call.Common(), depth-1)
	}
	return nil
}

// raisedBy are those of one clause.
func (b *builder) raisedBy(v ssa.Value) []Clause {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	a, ok := u.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var out []Clause
	for _, r := range *a.Referrers() {
		f, ok := r.(*ssa.FieldAddr)
		if !ok || fieldName(a.Type(), f.Field) != "DoUpdates" {
			continue
		}
		for _, set := range storedIn(f) {
			if call, ok := set.(*ssa.Call); ok && len(call.Call.Args) == 1 {
				out = append(out, b.expressionsIn(raised, call.Call.Args[0])...)
			}
		}
	}
	return out
}

// raise is a column of a row that is already there to which the insert adds.
func (e *Effect) raise() *Repeat {
	for _, c := range e.Data.Clauses {
		if c.Kind != raised {
			continue
		}
		for _, set := range sqltext.ParseText("UPDATE t SET " + c.Text)[0].Set {
			if set.From == sqltext.FromDelta && !counts(set.Name) {
				return &Repeat{Kind: RepeatAdd, Column: set.Name}
			}
		}
	}
	return nil
}
