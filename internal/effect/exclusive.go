package effect

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// sameDepth is how many fields a compared value is followed through.
const sameDepth = 4

// Match is a comparison of a value with a constant: where one holds, those of the
// same value with other constants don't.
type Match struct {
	// Key names the comparison, Others those that it rules out.
	Key    Key
	Others []Key
	// Side is the branch on which it holds.
	Side int
}

// compared is a value and a constant, by name.
type compared struct{ value, constant string }

// matches finds the comparisons of one value with different constants. A chain of
// else branches says the same by itself; a value that is assigned between two of
// them is not known here.
func (b *builder) matches() {
	found := map[*ssa.BasicBlock]compared{}
	var all []compared
	for _, block := range b.fn.Blocks {
		branch, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		if c, ok := b.comparedIn(branch.Cond); ok {
			found[block] = c
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	for _, block := range b.fn.Blocks {
		c, ok := found[block]
		if !ok {
			continue
		}
		m := &Match{Key: Key{Kind: 'e', A: slices.Index(all, c)}}
		for i, o := range all {
			if o.value == c.value && o != c {
				m.Others = append(m.Others, Key{Kind: 'e', A: i})
			}
		}
		if x, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If).Cond.(*ssa.BinOp); ok && x.Op == token.NEQ {
			m.Side = 1
		}
		if len(m.Others) > 0 {
			b.out.Blocks[block.Index].Match = m
		}
	}
}

// comparedIn: message.Topic == "orders".
func (b *builder) comparedIn(cond ssa.Value) (compared, bool) {
	x, ok := cond.(*ssa.BinOp)
	if !ok || x.Op != token.EQL && x.Op != token.NEQ {
		return compared{}, false
	}
	v, c := x.X, x.Y
	if _, ok := v.(*ssa.Const); ok {
		v, c = c, v
	}
	k, ok := c.(*ssa.Const)
	if !ok || k.Value == nil || isBool(k.Type()) {
		return compared{}, false
	}
	name := b.sameName(v, sameDepth)
	return compared{name, k.Value.ExactString()}, name != ""
}

// sameName names a value so that two reads of it have one name, "" if that isn't
// known.
func (b *builder) sameName(v ssa.Value, depth int) string {
	if depth == 0 {
		return ""
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if f, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL && !b.storesTo(f) {
			if base := b.sameName(f.X, depth-1); base != "" {
				return base + "." + fieldName(f.X.Type(), f.Field)
			}
		}
		return ""
	case *ssa.Call:
		if asksKind(&x.Call) {
			if base := b.sameName(x.Call.Value, depth-1); base != "" {
				return base + "." + x.Call.Method.Name()
			}
		}
	case *ssa.Const, *ssa.Global, *ssa.Alloc, *ssa.Phi:
		return ""
	}
	return v.Name()
}

// asksKind: event.Type() is the same each time.
func asksKind(c *ssa.CallCommon) bool {
	if !c.IsInvoke() || len(c.Args) > 0 || c.Signature().Results().Len() != 1 {
		return false
	}
	t, ok := c.Signature().Results().At(0).Type().Underlying().(*types.Basic)
	name := c.Method.Name()
	return ok && t.Info()&types.IsString != 0 && (strings.HasSuffix(name, "Type") || name == "Kind" || name == "Topic")
}

// storesTo: the function stores something in a field of that name and type.
func (b *builder) storesTo(f *ssa.FieldAddr) bool {
	for _, block := range b.fn.Blocks {
		for _, i := range block.Instrs {
			if s, ok := i.(*ssa.Store); ok {
				if to, ok := s.Addr.(*ssa.FieldAddr); ok && to.Field == f.Field && types.Identical(to.X.Type(), f.X.Type()) {
					return true
				}
			}
		}
	}
	return false
}
