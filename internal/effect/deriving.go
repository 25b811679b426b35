package effect

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// deriving finds the lineages of a function's values. Memory is read
// flow-insensitively, so a result is a may; a budget bounds each question.
type deriving struct {
	b       *builder
	memo    map[ssa.Value]*Lineage
	pending map[ssa.Value]bool
	// cut counts the values that were met again while they were being derived.
	cut, budget int
}

const deriveBudget = 400

func newDeriving(b *builder) *deriving {
	return &deriving{b: b, memo: map[ssa.Value]*Lineage{}, pending: map[ssa.Value]bool{}}
}

// lineage is what a value may be made from, nil for one that carries nothing.
func (b *builder) lineage(v ssa.Value) *Lineage {
	d := b.from
	d.budget = deriveBudget
	if o := d.of(v); !o.empty() {
		d.memo[v] = o
		return o
	}
	return nil
}

func (b *builder) lineages(vs []ssa.Value) []*Lineage {
	out := make([]*Lineage, len(vs))
	known := false
	for i, v := range vs {
		out[i] = b.lineage(v)
		known = known || out[i] != nil
	}
	if !known {
		return nil
	}
	return out
}

func (d *deriving) of(v ssa.Value) *Lineage {
	if v == nil || d.b.ignored(v.Type()) {
		return nil
	}
	if got, ok := d.memo[v]; ok {
		return got
	}
	if d.budget--; d.budget < 0 {
		return &Lineage{Bits: FromElsewhere}
	}
	if d.pending[v] {
		d.cut++
		return nil
	}
	d.pending[v] = true
	before := d.cut
	out := &Lineage{}
	out.add(d.compute(v))
	d.changes(v, out)
	delete(d.pending, v)
	if d.cut == before {
		d.memo[v] = out
	}
	return out
}

// ignored: contexts and functions carry nothing that is stored, an error tells
// only how a call went, and of a handle nobody asks.
func (b *builder) ignored(t types.Type) bool {
	if isContext(t) || isError(t) {
		return true
	}
	switch b.classes.of(t) {
	case catalog.Pool, catalog.Tx, catalog.Either, catalog.Producer:
		return true
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

func (d *deriving) compute(v ssa.Value) *Lineage {
	switch v := v.(type) {
	case *ssa.Const:
		return constLineage(v)
	case *ssa.Parameter:
		return d.b.paramLineage(v)
	case *ssa.FreeVar:
		return &Lineage{Refs: []LineageRef{{Kind: RefFree, Index: d.b.freeIndex(v)}}}
	case *ssa.Global:
		return d.b.globalLineage(v)
	case *ssa.Call:
		return d.call(v, 0)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return d.call(c, v.Index)
		}
		if n, ok := v.Tuple.(*ssa.Next); ok {
			return d.of(n)
		}
		return d.of(v.Tuple)
	case *ssa.Alloc:
		return d.alloc(v)
	case *ssa.Phi:
		return d.union(v.Edges)
	}
	return d.seen(v)
}

// seen are values that are others seen differently, or computed from them.
func (d *deriving) seen(v ssa.Value) *Lineage {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return d.field(v.X, fieldName(v.X.Type(), v.Field))
	case *ssa.Field:
		return d.field(v.X, fieldName(v.X.Type(), v.Field))
	case *ssa.BinOp:
		if o := d.sumOfOperands(v); o != nil {
			return o
		}
		return d.compared(v, d.union([]ssa.Value{v.X, v.Y}).flat())
	case *ssa.UnOp:
		if v.Op == token.ARROW && d.b.delivers(v.X.Type()) {
			return &Lineage{Bits: FromMessage}
		}
		return d.of(v.X)
	case *ssa.Next:
		if r, ok := v.Iter.(*ssa.Range); ok {
			return d.of(r.X)
		}
	case *ssa.MakeMap:
		return d.mapped(v)
	case *ssa.Lookup:
		if isTable(v.X) {
			return d.union([]ssa.Value{v.X, v.Index}).flat()
		}
		return d.of(v.X).flat() // the key chooses, and is no part of it
	case *ssa.Select:
		return d.selected(v)
	case *ssa.MakeClosure, *ssa.MakeChan, *ssa.MakeSlice, *ssa.Builtin, *ssa.Function:
		return nil
	}
	if i, ok := v.(ssa.Instruction); ok {
		if x := operand(i); x != nil {
			return d.of(x)
		}
	}
	return nil
}

func (d *deriving) field(x ssa.Value, name string) *Lineage {
	return d.of(x).Field(name)
}

func (d *deriving) union(vs []ssa.Value) *Lineage {
	out := &Lineage{}
	for _, v := range vs {
		out.add(d.of(v))
	}
	if len(out.Refs) > 0 || out.Bits&^FromConst != 0 {
		out.Bits &^= FromConst
		out.Consts = nil
	}
	return out
}

// isTable: a map of the package's says what belongs to what, as a function would.
func isTable(v ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	_, ok = u.X.(*ssa.Global)
	return ok
}

// compared keeps the constant that a value is compared with.
func (d *deriving) compared(v *ssa.BinOp, o *Lineage) *Lineage {
	if v.Op != token.EQL && v.Op != token.NEQ {
		return o
	}
	for _, x := range []ssa.Value{v.X, v.Y} {
		if c, ok := x.(*ssa.Const); ok {
			o = o.clone()
			for _, s := range constLineage(c).Consts {
				o.addConst(s)
			}
		}
	}
	return o
}

func (d *deriving) mapped(v *ssa.MakeMap) *Lineage {
	out := &Lineage{}
	for _, r := range *v.Referrers() {
		if u, ok := r.(*ssa.MapUpdate); ok && u.Map == v {
			if c, ok := u.Key.(*ssa.Const); ok && !strings.ContainsAny(constValue(c).Name, " {};=.:") {
				out.addField(constValue(c).Name, d.of(u.Value), d.b.assign(u, "", constValue(c).Name, u.Value))
			} else {
				out.add(d.of(u.Value).flat())
			}
		}
	}
	return out
}

func (d *deriving) selected(v *ssa.Select) *Lineage {
	out := &Lineage{}
	for _, s := range v.States {
		if s.Dir == types.SendOnly {
			continue
		}
		if d.b.delivers(s.Chan.Type()) {
			out.Bits |= FromMessage
		} else {
			out.add(d.of(s.Chan))
		}
	}
	return out
}

// delivers reports whether a channel carries deliveries.
func (b *builder) delivers(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	if ok {
		_, ok = b.classes.deliveryOf(c.Elem())
	}
	return ok
}

// alloc is the content of a local variable.
func (d *deriving) alloc(a *ssa.Alloc) *Lineage {
	out := &Lineage{}
	for _, v := range d.b.stores[a] {
		if c, ok := v.(*ssa.Const); ok && c.Value == nil && len(d.b.stores[a]) > 1 {
			continue
		}
		out.add(d.of(v))
	}
	return out
}

func (n *Node) delivers(b *builder, t types.Type) {
	if b.delivers(t) {
		n.Delivery = true
		elem := t.Underlying().(*types.Chan).Elem()
		n.Broker, _ = b.classes.deliveryOf(elem)
		if b.classes.carrierOf(elem) != nil {
			n.Carrier = types.TypeString(namedOf(elem).Origin(), nil)
		}
	}
	if c, ok := t.Underlying().(*types.Chan); ok && isTime(c.Elem()) {
		n.Ticks = true
	}
}
