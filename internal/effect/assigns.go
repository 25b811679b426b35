package effect

import (
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// maxConst bounds the length of the constants that are kept.
const maxConst = 80

// constLineage is a constant; zero values and long texts are not kept by value.
func constLineage(c *ssa.Const) *Lineage {
	out := &Lineage{Bits: FromConst}
	if c.Value == nil {
		return out
	}
	switch c.Value.Kind() {
	case constant.String:
		if s := constant.StringVal(c.Value); s != "" && len(s) <= maxConst {
			out.Consts = []string{s}
		}
	case constant.Int, constant.Bool:
		out.Consts = []string{c.Value.ExactString()}
	}
	return out
}

// assign notes where a field is assigned; it returns one more than the index.
func (b *builder) assign(i ssa.Instruction, owner, field string, value ssa.Value) int {
	if at, ok := b.assigns[i]; ok {
		return at
	}
	pos := i.Pos()
	if !pos.IsValid() {
		pos = value.Pos()
	}
	x := Assign{Owner: owner, Field: field[strings.LastIndexByte(field, '.')+1:], Value: spelled(value), Type: typeName(value.Type()), Made: b.makes(i), Pos: b.p.position(pos)}
	if c, ok := value.(*ssa.Const); ok {
		if o := constLineage(c); len(o.Consts) > 0 {
			x.Const = o.Consts[0]
		}
	}
	b.out.Assigns = append(b.out.Assigns, x)
	b.assigns[i] = len(b.out.Assigns)
	return len(b.out.Assigns)
}

// makes: the field is one of a struct or map that the function itself has made.
func (b *builder) makes(i ssa.Instruction) bool {
	s, ok := i.(*ssa.Store)
	if !ok {
		return true
	}
	f, ok := s.Addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	a, ok := f.X.(*ssa.Alloc)
	return ok && len(b.stores[a]) == 0 && !b.readInto(a)
}

// readInto: a call stores in a variable what it reads.
func (b *builder) readInto(v ssa.Value) bool {
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.MakeInterface:
			return b.readInto(r)
		case ssa.CallInstruction:
			e := b.entryOf(r.Common())
			return e != nil && filledBy(e).Has(FromStored) || decodes(r.Common())
		}
		return false
	})
}

// spelled is a value as the source spells it, where that is short: a field of a
// variable, or a variable.
func spelled(v ssa.Value) string {
	name := ""
	for range 8 {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return ""
			}
			v = x.X
		case *ssa.FieldAddr:
			name = "." + fieldName(x.X.Type(), x.Field) + name
			v = x.X
		case *ssa.Field:
			name = "." + fieldName(x.X.Type(), x.Field) + name
			v = x.X
		case *ssa.Parameter:
			return x.Name() + name
		case *ssa.FreeVar:
			return x.Name() + name
		case *ssa.Alloc:
			if !token.IsIdentifier(x.Comment) || x.Comment == "complit" || x.Comment == "varargs" || x.Comment == "slicelit" || x.Comment == "new" {
				return ""
			}
			return x.Comment + name
		default:
			return ""
		}
	}
	return ""
}

// globalLineage is a variable of a package: one that only its declaration gives a
// constant stands for it.
func (b *builder) globalLineage(g *ssa.Global) *Lineage {
	if vs := b.p.inits[g]; len(vs) == 1 {
		if c, ok := vs[0].(*ssa.Const); ok && len(constLineage(c).Consts) > 0 {
			return constLineage(c)
		}
	}
	return &Lineage{Bits: FromElsewhere}
}
