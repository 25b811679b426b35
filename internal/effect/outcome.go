package effect

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// key names the value whose outcome v is. Errors taken out of a call's result
// (res.Error, cmd.Err(), row.Scan(&x)) are the outcome of that call.
func (b *builder) key(v ssa.Value, depth int) Key {
	if depth <= 0 {
		return Key{}
	}
	isB := isBool(v.Type())
	switch v := v.(type) {
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return b.callKey(c, isB, depth)
		}
	case *ssa.Call:
		return b.callKey(v, isB, depth)
	case *ssa.Phi:
		return Key{Kind: 'p', A: b.phis[v], Bool: isB}
	case *ssa.Parameter:
		return Key{Kind: 'a', A: b.paramIndex(v), Bool: isB}
	case *ssa.MakeInterface, *ssa.ChangeInterface:
		return b.key(operand(v.(ssa.Instruction)), depth-1)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return b.loadKey(v.X, isB, depth)
		}
	case *ssa.Field:
		return b.resultKey(v.X, depth)
	}
	return Key{}
}

func operand(i ssa.Instruction) ssa.Value { return *i.Operands(nil)[0] }

func (b *builder) loadKey(x ssa.Value, isB bool, depth int) Key {
	if f, ok := x.(*ssa.FieldAddr); ok {
		return b.resultKey(f.X, depth)
	}
	return b.addressKey(x, isB)
}

// addressKey names the variable at an address.
func (b *builder) addressKey(x ssa.Value, isB bool) Key {
	switch a := x.(type) {
	case *ssa.Alloc:
		if isB && len(b.stores[a]) > 0 && lent(a) {
			return Key{} // what it was set to holds no longer (an error is lent to be looked at)
		}
		return Key{Kind: 'm', A: b.cellIndex(a), Bool: isB}
	case *ssa.FreeVar:
		return Key{Kind: 'f', A: b.freeIndex(a), Bool: isB}
	}
	return Key{}
}

// lent: a call is given the address of a variable, and may change it.
func lent(a *ssa.Alloc) bool {
	return slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool {
		c, ok := r.(ssa.CallInstruction)
		return ok && slices.Contains(c.Common().Args, ssa.Value(a))
	})
}

// callKey is the outcome of a call. A call of no meaning on the result of a
// catalogued call, or with an error among its arguments, has theirs; one that
// answers yes or no (rows.Next) has its own.
func (b *builder) callKey(c *ssa.Call, isB bool, depth int) Key {
	if isB {
		return Key{Kind: 'c', A: b.nodeID(c), Bool: true}
	}
	if k := b.resultMethodKey(c, depth); k.Kind != 0 {
		k.Bool = isB // cmd.Result() of a claim tells both
		return k
	}
	if !c.Call.IsInvoke() {
		if k := b.wrappedKey(c, depth); k.Kind != 0 {
			return k
		}
	}
	return Key{Kind: 'c', A: b.nodeID(c)}
}

// wrappedKey: errors.Wrap(err, "...") is nil where err is.
func (b *builder) wrappedKey(c *ssa.Call, depth int) Key {
	fn := c.Call.StaticCallee()
	if fn == nil || b.hasEntry(c) {
		return Key{}
	}
	if m, i := makerOf(fn, makerDepth); m == nilForNil {
		return b.key(c.Call.Args[i], depth-1)
	}
	if fn.Blocks != nil && !strings.Contains(strings.ToLower(fn.Name()), "wrap") {
		return Key{}
	}
	for _, a := range c.Call.Args {
		if isError(a.Type()) {
			return b.key(a, depth-1)
		}
		if s, ok := a.(*ssa.Slice); ok { // errors.Join(err, err2)
			if al, ok := s.X.(*ssa.Alloc); ok && len(b.stores[al]) > 0 && isError(b.stores[al][0].Type()) {
				return b.key(b.stores[al][0], depth-1)
			}
		}
	}
	return Key{}
}

// resultMethodKey: cmd.Err(), row.Scan(&id), future.Get(ctx).
func (b *builder) resultMethodKey(c *ssa.Call, depth int) Key {
	recv, _ := receiverAndArgs(&c.Call)
	if recv == nil || b.hasEntry(c) {
		return Key{}
	}
	return b.resultKey(recv, depth)
}

// resultKey is the outcome of the catalogued call that v is the result of.
func (b *builder) resultKey(v ssa.Value, depth int) Key {
	if depth <= 0 { // a variable may be set to a result of its own
		return Key{}
	}
	for range 4 {
		switch x := v.(type) {
		case *ssa.Call:
			if b.hasEntry(x) {
				return Key{Kind: 'c', A: b.nodeID(x)}
			}
			return b.resultMethodKey(x, depth-1)
		case *ssa.Extract:
			v = x.Tuple
			continue
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType:
			v = operand(x.(ssa.Instruction))
			continue
		case *ssa.FieldAddr: // a method of an embedded type: cmd.baseCmd.Err()
			if embedded(x) {
				v = x.X
				continue
			}
		case *ssa.UnOp:
			if a, ok := x.X.(*ssa.Alloc); ok && len(b.stores[a]) == 1 {
				v = b.stores[a][0]
				continue
			}
		case *ssa.Alloc:
			if len(b.stores[x]) == 1 {
				v = b.stores[x][0]
				continue
			}
		}
		return Key{}
	}
	return Key{}
}

// embedded reports whether a field is there for its methods.
func embedded(x *ssa.FieldAddr) bool {
	p, ok := x.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	return ok && st.Field(x.Field).Embedded()
}

func (b *builder) hasEntry(c *ssa.Call) bool {
	e := b.entryOf(c.Common())
	return e != nil
}

// source is the outcome that v carries.
func (b *builder) source(v ssa.Value, depth int) Source {
	if depth <= 0 {
		return Source{}
	}
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value == nil || x.Value.ExactString() == "false" {
			return Source{Const: No}
		}
		return Source{Const: Yes}
	case *ssa.MakeInterface:
		return Source{Const: Yes} // a concrete error value is no nil error
	case *ssa.ChangeInterface:
		return b.source(x.X, depth-1)
	case *ssa.UnOp:
		if variableOf(x) != nil && isError(x.Type()) {
			return Source{Const: Yes} // a sentinel
		}
	case *ssa.Call:
		if madeError(x, makerDepth) || b.joinsSentinel(x) {
			return Source{Const: Yes}
		}
	case *ssa.BinOp:
		if c := b.cond(x, depth-1); c != nil && c.Value == nil && c.OnTrue == Yes && c.OnFalse == No {
			return Source{Key: c.Key}
		}
	}
	return Source{Key: b.key(v, depth)}
}

// variableOf is the variable of a package that a value is read from, nil for any
// other value.
func variableOf(v ssa.Value) *ssa.Global {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		g, _ := load.X.(*ssa.Global)
		return g
	}
	return nil
}

// cond says what the branches of a condition tell; nil for nothing.
func (b *builder) cond(v ssa.Value, depth int) *Cond {
	if depth <= 0 {
		return nil
	}
	switch x := v.(type) {
	case *ssa.BinOp:
		return b.compare(x, depth)
	case *ssa.UnOp:
		if x.Op == token.NOT {
			c := b.cond(x.X, depth-1)
			if c == nil {
				return nil
			}
			return &Cond{Key: c.Key, OnTrue: c.OnFalse, OnFalse: c.OnTrue, Value: c.Value, Kind: c.Kind, Text: c.Text}
		}
	case *ssa.Call:
		if k, kind := b.predicateKey(x, depth); k.Kind != 0 {
			return &Cond{Key: k, OnTrue: Yes, Kind: kind, Text: kind}
		}
	}
	if c := b.asserted(v); c != nil {
		return c
	}
	if k := b.key(v, depth); k.Kind != 0 {
		return &Cond{Key: k, OnTrue: Yes, OnFalse: No}
	}
	return nil
}

// asserted: the ok of tx, ok := ctx.Value(key).(*Tx).
func (b *builder) asserted(v ssa.Value) *Cond {
	e, ok := v.(*ssa.Extract)
	if !ok || e.Index != 1 {
		return nil
	}
	a, ok := e.Tuple.(*ssa.TypeAssert)
	if !ok || !b.classes.carries(a.AssertedType, carryDepth) {
		return nil
	}
	x := b.value(a.X, valueDepth)
	if x.Kind != ValueCtxValue {
		return nil
	}
	return &Cond{Value: x, OnTrue: Yes, OnFalse: No}
}

// predicateKey: errors.Is(err, X), isDuplicate(err): true says that err is one.
func (b *builder) predicateKey(c *ssa.Call, depth int) (k Key, kind bool) {
	if !isBool(c.Type()) || c.Call.IsInvoke() || b.hasEntry(c) {
		return Key{}, false
	}
	fn := c.Call.StaticCallee()
	if fn == nil || len(c.Call.Args) == 0 {
		return Key{}, false
	}
	if x := c.Call.Args[0]; isError(x.Type()) {
		return b.key(x, depth-1), false
	} else if fn.Pkg != nil && fn.Pkg.Pkg.Path() == "strings" {
		return b.kindKey(x, depth-1), true
	}
	return Key{}, false
}

// kindKey: what tells errors apart by their text or code is about the error:
// err.Error(), status.Code(err).
func (b *builder) kindKey(v ssa.Value, depth int) Key {
	c, ok := v.(*ssa.Call)
	if !ok {
		return Key{}
	}
	if c.Call.IsInvoke() {
		if c.Call.Method.Name() == "Error" && isError(c.Call.Value.Type()) {
			return b.key(c.Call.Value, depth-1)
		}
		return Key{}
	}
	if fn := c.Call.StaticCallee(); fn != nil && len(c.Call.Args) == 1 && isError(c.Call.Args[0].Type()) && !isError(c.Type()) {
		return b.key(c.Call.Args[0], depth-1)
	}
	return Key{}
}

func (b *builder) compare(x *ssa.BinOp, depth int) *Cond {
	if x.Op != token.EQL && x.Op != token.NEQ {
		return nil
	}
	v, c := x.X, x.Y
	if _, ok := v.(*ssa.Const); ok {
		v, c = c, v
	}
	k, ok := c.(*ssa.Const)
	out := &Cond{OnTrue: No, OnFalse: Yes}
	switch {
	case isError(v.Type()) && ok && k.Value == nil:
		out.Key = b.key(v, depth-1)
	case isError(v.Type()): // err == sql.ErrNoRows
		out.Key, out.OnTrue, out.OnFalse = b.key(v, depth-1), Yes, Unknown
	case ok && k.Value != nil && !isBool(v.Type()): // status.Code(err) == codes.NotFound
		out.Key, out.OnTrue, out.OnFalse, out.Kind = b.kindKey(v, depth-1), Yes, Unknown, true
	case ok && k.Value == nil && b.classes.carries(v.Type(), carryDepth):
		out.Value = b.value(v, valueDepth)
	case ok && k.Value != nil && isBool(v.Type()):
		out.Key = b.key(v, depth-1)
		if k.Value.ExactString() == "true" {
			out.OnTrue, out.OnFalse = Yes, No
		}
	}
	if out.Key.Kind == 0 && out.Value == nil {
		return nil
	}
	if x.Op == token.NEQ {
		out.OnTrue, out.OnFalse = out.OnFalse, out.OnTrue
	}
	return out
}
