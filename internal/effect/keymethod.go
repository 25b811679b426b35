package effect

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A library may store an item by keys that a method of the item makes from its
// fields: a put with a key that was never there inserts, with one that was
// overwrites.

// keyMethod is that method, and the fields of its result that are the key.
func keyMethod(library string) (method string, key []string) {
	if library == "ddb" {
		return "DDBKeys", []string{"PK", "SK"}
	}
	return "", nil
}

// keyedItem is what the method of an item says of its key; nil for an item whose
// type is not known there.
func (b *builder) keyedItem(library string, x ssa.Value) *Entity {
	method, key := keyMethod(library)
	m, ok := x.(*ssa.MakeInterface)
	if !ok || method == "" {
		return nil
	}
	sel := b.fn.Prog.MethodSets.MethodSet(m.X.Type()).Lookup(nil, method)
	if sel == nil {
		return nil
	}
	f, ok := sel.Obj().(*types.Func)
	if !ok {
		return nil
	}
	fields := keyFields(b.fn.Prog.FuncValue(f), key)
	if len(fields) == 0 {
		return nil
	}
	return &Entity{Keys: [][]string{fields}, Primary: fields, Document: true, Put: true}
}

// keyFields are the fields of the receiver that a method makes the key from.
func keyFields(fn *ssa.Function, key []string) []string {
	if fn == nil || len(fn.Params) == 0 {
		return nil
	}
	r := fieldsRead{of: fn.Params[0], seen: map[ssa.Value]bool{}}
	for _, block := range fn.Blocks {
		for _, i := range block.Instrs {
			s, ok := i.(*ssa.Store)
			if !ok {
				continue
			}
			if a, ok := s.Addr.(*ssa.FieldAddr); ok && slices.Contains(key, fieldName(a.X.Type(), a.Field)) {
				r.read(s.Val)
			}
		}
	}
	slices.Sort(r.fields)
	return slices.Compact(r.fields)
}

// fieldsRead are the fields of a parameter that values are made from.
type fieldsRead struct {
	of     *ssa.Parameter
	seen   map[ssa.Value]bool
	fields []string
}

func (r *fieldsRead) read(v ssa.Value) {
	if v == nil || r.seen[v] {
		return
	}
	r.seen[v] = true
	switch x := v.(type) {
	case *ssa.FieldAddr:
		if r.isReceiver(x.X) {
			r.fields = append(r.fields, fieldName(x.X.Type(), x.Field))
			return
		}
	case *ssa.Field:
		if x.X == r.of {
			r.fields = append(r.fields, fieldName(x.X.Type(), x.Field))
			return
		}
	case *ssa.Alloc: // the list of a variadic call
		for _, s := range storedInto(x) {
			r.read(s)
		}
		return
	}
	if i, ok := v.(ssa.Instruction); ok {
		for _, o := range i.Operands(nil) {
			r.read(*o)
		}
	}
}

// isReceiver: the receiver, or the variable that it is copied to.
func (r *fieldsRead) isReceiver(v ssa.Value) bool {
	a, ok := v.(*ssa.Alloc)
	return v == r.of || ok && slices.Contains(storedInto(a), ssa.Value(r.of))
}

// storedInto are the values stored into a variable or an element of it.
func storedInto(a *ssa.Alloc) []ssa.Value {
	var out []ssa.Value
	for _, u := range *a.Referrers() {
		switch x := u.(type) {
		case *ssa.Store:
			if x.Addr == a {
				out = append(out, x.Val)
			}
		case *ssa.IndexAddr:
			for _, w := range *x.Referrers() {
				if s, ok := w.(*ssa.Store); ok && s.Addr == x {
					out = append(out, s.Val)
				}
			}
		}
	}
	return out
}
