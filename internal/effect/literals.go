package effect

import "golang.org/x/tools/go/ssa"

// literal is a struct by what is stored in its fields.
func (b *builder) literal(a *ssa.Alloc, depth int) *Value {
	out := &Value{Kind: ValueStruct, Owner: ownerOf(a.Type())}
	for _, f := range b.fieldStores[a] {
		out.Names = append(out.Names, f.name)
		out.Of = append(out.Of, b.value(f.value, depth))
	}
	return out
}

// structOf is the local struct that an address is into, or the array whose element
// is one: a literal among variadic arguments.
func structOf(v ssa.Value) *ssa.Alloc {
	if i, ok := v.(*ssa.IndexAddr); ok {
		v = i.X
	}
	return allocOf(v)
}

// allocOf is the local struct that an address is into.
func allocOf(v ssa.Value) *ssa.Alloc {
	a, _ := v.(*ssa.Alloc)
	return a
}
