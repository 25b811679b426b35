package effect

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Sum is a value that is made from the old one of a field: something is added to
// it, taken off or appended. Stored again, it is not the same the second time.
type Sum struct {
	// Field is the field that the old value is read from.
	Field string
	// Base is what the struct with the field is made from, All the whole of it.
	Base, All *Lineage
	Pos       Position
}

// pendingSum is a sum whose parts are looked at when the function has been read.
type pendingSum struct {
	base  ssa.Value
	parts []ssa.Value
}

// sum is the lineage of a sum, nil if none of the parts is the value of a field.
func (d *deriving) sum(v ssa.Value, pos token.Pos, parts ...ssa.Value) *Lineage {
	b := d.b
	at, ok := b.sums[v]
	if ok {
		return &Lineage{Refs: []LineageRef{{Kind: RefSum, Index: at}}}
	}
	for _, p := range parts {
		name, base := loadedField(p)
		if base == nil {
			continue
		}
		at = len(b.out.Sums)
		b.sums[v] = at
		b.out.Sums = append(b.out.Sums, Sum{Field: name, Pos: b.p.position(pos)})
		b.pendingSums = append(b.pendingSums, pendingSum{base, parts})
		return &Lineage{Refs: []LineageRef{{Kind: RefSum, Index: at}}}
	}
	return nil
}

// sumsOf fills in the parts of all sums.
func (b *builder) sumsOf() {
	for i := 0; i < len(b.pendingSums); i++ { // looking at one may show more
		p := b.pendingSums[i]
		b.out.Sums[i].Base = b.lineage(p.base)
		all := &Lineage{}
		for _, x := range p.parts {
			all.add(b.lineage(x).flat())
		}
		b.out.Sums[i].All = all
	}
}

// loadedField is the field that a value is read from, and of what.
func loadedField(v ssa.Value) (string, ssa.Value) {
	for range 3 {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
			continue
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.UnOp:
			if f, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL {
				return fieldName(f.X.Type(), f.Field), f.X
			}
		case *ssa.Field:
			return fieldName(x.X.Type(), x.Field), x.X
		}
		return "", nil
	}
	return "", nil
}

// sumOfOperands: x.Count + n, x.Count - n.
func (d *deriving) sumOfOperands(v *ssa.BinOp) *Lineage {
	basic, ok := v.Type().Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsNumeric == 0 || v.Op != token.ADD && v.Op != token.SUB {
		return nil
	}
	return d.sum(v, v.Pos(), v.X, v.Y)
}

// sumOfCall: append(x.Items, item), x.Balance.Add(amount) of a library's number.
func (d *deriving) sumOfCall(v *ssa.Call) *Lineage {
	c := v.Common()
	if f, ok := c.Value.(*ssa.Builtin); ok {
		if f.Name() == "append" && len(c.Args) == 2 {
			return d.sum(v, v.Pos(), c.Args[0], c.Args[1])
		}
		return nil
	}
	fn := c.StaticCallee()
	if fn == nil || len(fn.Blocks) > 0 || fn.Signature.Recv() == nil || len(c.Args) != 2 {
		return nil
	}
	if name := fn.Name(); name != "Add" && name != "Sub" || typeName(c.Args[0].Type()) == "Time" {
		return nil
	}
	name, base := loadedField(c.Args[0])
	if base == nil || name == "" {
		return nil
	}
	return d.sum(v, v.Pos(), c.Args[0], c.Args[1])
}
