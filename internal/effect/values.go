package effect

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// valueDepth bounds the tree of a Value; deeper is unknown.
const valueDepth = 9

// valueBudget bounds the values looked at for one of them: assignments in loops
// make the tree grow with the power of its depth.
const valueBudget = 500

// value says where an SSA value comes from. Memory is read flow-insensitively:
// a variable is the choice of all that is stored in it. The result is a may.
func (b *builder) value(v ssa.Value, depth int) *Value {
	if got, ok := b.values[v]; ok {
		return got
	}
	if depth <= 0 || v == nil {
		return &Value{}
	}
	if b.pending[v] {
		return &Value{}
	}
	if !b.classes.carries(v.Type(), carryDepth) {
		return b.plain(v)
	}
	if depth == valueDepth {
		b.budget = valueBudget
	}
	if b.budget--; b.budget < 0 {
		return &Value{}
	}
	b.pending[v] = true
	out := b.compute(v, depth-1)
	delete(b.pending, v)
	if out.Class == "" {
		out.Class = b.classes.of(v.Type())
	}
	if out.Type == "" {
		out.Type = typeName(v.Type())
	}
	if depth == valueDepth {
		b.values[v] = out
	}
	return out
}

// plain is a value that carries no handle; only what names it is kept.
func (b *builder) plain(v ssa.Value) *Value {
	out := &Value{Type: typeName(v.Type())}
	if c, ok := v.(*ssa.Const); ok {
		out = constValue(c)
	}
	if a, ok := v.(*ssa.Alloc); ok && !isStruct(a) { // captured outcome
		out.Kind, out.Index, out.Of = ValueCell, b.cellIndex(a), []*Value{{}}
		if p := b.givenText(a); p != nil {
			out.Of[0] = p
		}
	}
	if isString(v.Type()) {
		if p := b.givenText(v); p != nil {
			out = p
		}
	}
	if f, ok := v.(*ssa.FreeVar); ok {
		out.Kind, out.Index = ValueFree, b.freeIndex(f)
	}
	b.values[v] = out
	return out
}

func (b *builder) compute(v ssa.Value, depth int) *Value {
	switch v := v.(type) {
	case *ssa.Parameter:
		return &Value{Kind: ValueParam, Index: b.paramIndex(v)}
	case *ssa.FreeVar:
		return &Value{Kind: ValueFree, Index: b.freeIndex(v)}
	case *ssa.Const:
		return constValue(v)
	case *ssa.Global:
		return &Value{Kind: ValueGlobal, Name: v.String()}
	case *ssa.Function:
		b.reach(v)
		return &Value{Kind: ValueFunc, Name: symbolOf(v), Params: len(v.Params)}
	case *ssa.MakeClosure:
		return b.closure(v, depth)
	case *ssa.Call:
		return b.callValue(v, depth)
	case *ssa.Extract:
		return b.extract(v, depth)
	case *ssa.Alloc:
		return b.alloc(v, depth)
	case *ssa.Phi:
		return b.choice(v.Edges, depth)
	}
	return b.derived(v, depth)
}

// derived are the values that are another value seen differently.
func (b *builder) derived(v ssa.Value, depth int) *Value {
	switch v := v.(type) {
	case *ssa.ChangeType:
		return b.copyOf(v.X, depth)
	case *ssa.Convert:
		return b.copyOf(v.X, depth)
	case *ssa.ChangeInterface:
		return b.copyOf(v.X, depth)
	case *ssa.MakeInterface:
		out := *b.value(v.X, depth)
		return &out
	case *ssa.TypeAssert:
		return b.copyOf(v.X, depth)
	case *ssa.Slice:
		return b.copyOf(v.X, depth)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return b.load(v.X, depth)
		}
		if v.Op == token.ARROW {
			return &Value{Kind: ValueField, Name: "<-", Of: []*Value{b.value(v.X, depth)}}
		}
	case *ssa.FieldAddr:
		return b.field(v.X, v.Field, depth)
	case *ssa.Field:
		return b.field(v.X, v.Field, depth)
	case *ssa.IndexAddr:
		return &Value{Kind: ValueField, Name: "[]", Of: []*Value{b.value(v.X, depth)}}
	case *ssa.Index:
		return &Value{Kind: ValueField, Name: "[]", Of: []*Value{b.value(v.X, depth)}}
	case *ssa.Lookup:
		return &Value{Kind: ValueField, Name: "[]", Of: []*Value{b.value(v.X, depth)}}
	case *ssa.Next:
		if r, ok := v.Iter.(*ssa.Range); ok {
			return &Value{Kind: ValueField, Name: "[]", Of: []*Value{b.value(r.X, depth)}}
		}
	}
	return &Value{}
}

// copyOf keeps the class of the more telling of the two types.
func (b *builder) copyOf(x ssa.Value, depth int) *Value {
	out := *b.value(x, depth)
	return &out
}

func constValue(c *ssa.Const) *Value {
	if c.Value == nil {
		return &Value{Kind: ValueNil}
	}
	if c.Value.Kind() == constant.String {
		return &Value{Kind: ValueConst, Name: constant.StringVal(c.Value)}
	}
	return &Value{Kind: ValueConst, Name: c.Value.ExactString()}
}

func (b *builder) closure(v *ssa.MakeClosure, depth int) *Value {
	fn := v.Fn.(*ssa.Function)
	b.reach(fn)
	out := &Value{Kind: ValueClosure, Name: symbolOf(fn), Params: len(fn.Params)}
	for _, x := range v.Bindings {
		out.Of = append(out.Of, b.value(x, depth))
	}
	return out
}

// field is a field of a value; what is known to be stored in it wins.
func (b *builder) field(x ssa.Value, index, depth int) *Value {
	name := fieldName(x.Type(), index)
	base := b.value(x, depth)
	if base.Kind == ValueStruct {
		for i, n := range base.Names {
			if n == name {
				out := *base.Of[i]
				return &out
			}
		}
	}
	return &Value{Kind: ValueField, Name: name, Owner: ownerOf(x.Type()), Of: []*Value{base}}
}

// ownerOf is the qualified name of the struct type that a field is selected in.
func ownerOf(t types.Type) string {
	if n := namedOf(t); n != nil && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path() + "." + n.Obj().Name()
	}
	return ""
}

func fieldName(t types.Type, index int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok && index < s.NumFields() {
		return s.Field(index).Name()
	}
	return ""
}

// load reads through a pointer.
func (b *builder) load(x ssa.Value, depth int) *Value {
	switch a := x.(type) {
	case *ssa.Alloc:
		if isStruct(a) {
			return b.copyOf(a, depth)
		}
		return b.choice(b.stores[a], depth)
	case *ssa.FreeVar, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr:
		return b.copyOf(x, depth)
	}
	return b.copyOf(x, depth)
}

// alloc is a struct under construction or the cell of a variable.
func (b *builder) alloc(a *ssa.Alloc, depth int) *Value {
	if !isStruct(a) {
		if len(b.fieldStores[a]) > 0 && len(b.stores[a]) == 0 {
			return b.literal(a, depth)
		}
		content := b.choice(b.stores[a], depth)
		return &Value{Kind: ValueCell, Index: b.cellIndex(a), Of: []*Value{content}}
	}
	if whole := b.stores[a]; len(whole) == 1 { // x := y copies a struct
		if c, ok := whole[0].(*ssa.Const); !ok || c.Value != nil {
			return b.copyOf(whole[0], depth)
		}
	}
	return b.literal(a, depth)
}

func isStruct(a *ssa.Alloc) bool {
	p, ok := a.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = p.Elem().Underlying().(*types.Struct)
	return ok
}

// choice is what one of several values is; equal ones are one.
func (b *builder) choice(vs []ssa.Value, depth int) *Value {
	out := &Value{Kind: ValueChoice}
	seen := map[ssa.Value]bool{}
	for _, v := range vs {
		if seen[v] || b.pending[v] {
			continue
		}
		seen[v] = true
		switch x := b.value(v, depth); x.Kind {
		case ValueNil, ValueUnknown:
			if x.Class != "" {
				out.Of = append(out.Of, x)
			}
		case ValueChoice:
			out.Of = append(out.Of, x.Of...)
		default:
			out.Of = append(out.Of, x)
		}
	}
	switch len(out.Of) {
	case 0:
		return &Value{}
	case 1:
		one := *out.Of[0]
		return &one
	}
	if len(out.Of) > 8 {
		return &Value{}
	}
	return out
}

func (b *builder) extract(v *ssa.Extract, depth int) *Value {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		if out := b.contextCall(t, depth); out != nil {
			if v.Index == 0 || isContext(v.Type()) {
				return out
			}
			return &Value{}
		}
		return &Value{Kind: ValueCall, Index: b.nodeID(t), Result: v.Index}
	case *ssa.TypeAssert, *ssa.Lookup, *ssa.UnOp, *ssa.Next:
		last := v.Tuple.Type().(*types.Tuple).Len() - 1
		if n, ok := t.(*ssa.Next); ok && v.Index == 2 {
			return b.copyOf(n, depth)
		}
		if v.Index == last && v.Index > 0 {
			return &Value{}
		}
		return b.copyOf(v.Tuple, depth)
	}
	return &Value{}
}

func (b *builder) callValue(v *ssa.Call, depth int) *Value {
	if out := b.contextCall(v, depth); out != nil {
		return out
	}
	if builtin(&v.Call) == "append" {
		return b.choice(v.Call.Args, depth)
	}
	return &Value{Kind: ValueCall, Index: b.nodeID(v)}
}

// contextCall sees through package context: WithValue and Value carry a handle,
// the others return the context they are given.
func (b *builder) contextCall(v *ssa.Call, depth int) *Value {
	c := v.Call
	if c.IsInvoke() {
		if c.Method.Name() == "Value" && isContext(c.Value.Type()) {
			return &Value{Kind: ValueCtxValue, Of: []*Value{b.value(c.Value, depth)}}
		}
		return nil
	}
	fn := c.StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg.Path() != "context" || len(c.Args) == 0 || fn.Signature.Recv() != nil {
		return nil
	}
	if fn.Name() == "WithValue" && len(c.Args) == 3 {
		return &Value{Kind: ValueWithValue, Of: []*Value{b.value(c.Args[0], depth), b.value(c.Args[2], depth)}}
	}
	if strings.HasPrefix(fn.Name(), "With") {
		return b.copyOf(c.Args[0], depth)
	}
	return nil
}

func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" && n.Obj().Name() == "Context"
}

// Children returns the operands of v, none for a nil value.
func (v *Value) Children() []*Value {
	if v == nil {
		return nil
	}
	return v.Of
}
