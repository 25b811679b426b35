package effect

import (
	"go/constant"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// operators are the constant texts of a document that tells what to change, sorted:
// its operators ($set, $inc) and the fields that they are applied to.
func (b *builder) operators(v ssa.Value) []string {
	w := operatorWalk{seen: map[ssa.Value]bool{}, budget: originBudget}
	w.visit(v, 8)
	slices.Sort(w.out)
	return slices.Compact(w.out)
}

type operatorWalk struct {
	seen   map[ssa.Value]bool
	budget int
	out    []string
}

func (w *operatorWalk) visit(v ssa.Value, depth int) {
	if w.budget--; v == nil || depth == 0 || w.seen[v] || w.budget < 0 {
		return
	}
	w.seen[v] = true
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value != nil && x.Value.Kind() == constant.String {
			if s := constant.StringVal(x.Value); s != "" && len(s) < 60 {
				w.out = append(w.out, s)
			}
		}
	case *ssa.MakeMap:
		for _, r := range *x.Referrers() {
			if u, ok := r.(*ssa.MapUpdate); ok && u.Map == x {
				w.visit(u.Key, depth-1)
				w.visit(u.Value, depth-1)
			}
		}
	case *ssa.Alloc:
		w.stored(x, depth)
	case *ssa.MakeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.UnOp, *ssa.Slice, *ssa.ChangeInterface:
		w.visit(operand(x.(ssa.Instruction)), depth-1)
	}
}

// stored visits what is put into an array or struct, its elements' fields included.
func (w *operatorWalk) stored(addr ssa.Value, depth int) {
	if depth == 0 || addr.Referrers() == nil {
		return
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr {
				w.visit(r.Val, depth-1)
			}
		case *ssa.IndexAddr:
			w.stored(r, depth-1)
		case *ssa.FieldAddr:
			w.stored(r, depth-1)
		}
	}
}

// conflict says whether a builder's chain tells what to do about a row that is already
// there, and whether that is to set columns of it, whatever it holds: gorm's OnConflict
// without DoNothing and Where.
func (b *builder) conflict(c *ssa.CallCommon, depth int) (settled, overwrites bool) {
	recv, args := receiverAndArgs(c)
	for _, a := range args {
		elements, ok := elementsOf(a)
		if !ok {
			elements = []ssa.Value{a}
		}
		if i := slices.IndexFunc(elements, isConflictClause); i >= 0 {
			return true, conflictSets(elements[i])
		}
	}
	call, ok := recv.(*ssa.Call)
	if !ok || depth == 0 {
		return false, false
	}
	fn := call.Call.StaticCallee()
	if fn != nil && settlesConflicts(fn, 2) {
		return true, settlesBySetting(fn, 2)
	}
	settled, overwrites = b.conflict(call.Common(), depth-1)
	return settled || fn != nil && hasAny(strings.ToLower(fn.Name()), "conflict", "upsert"), overwrites
}

// settlesConflicts: a helper of the module, or one that it calls, returns a chain with a conflict
// clause.
func settlesConflicts(fn *ssa.Function, depth int) bool {
	for _, block := range fn.Blocks {
		for _, i := range block.Instrs {
			c, ok := i.(*ssa.Call)
			if !ok || c.Call.StaticCallee() == nil {
				continue
			}
			if g := c.Call.StaticCallee(); g.Name() == "Clauses" || depth > 0 && returnsChain(g) && settlesConflicts(g, depth-1) {
				return true
			}
		}
	}
	return false
}

// returnsChain: the function returns what a query is built with.
func returnsChain(fn *ssa.Function) bool {
	r := fn.Signature.Results()
	return r.Len() == 1 && typeName(r.At(0).Type()) == "DB"
}

func isConflictClause(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		s := strings.ToUpper(constant.StringVal(c.Value))
		return strings.Contains(s, "CONFLICT") || strings.Contains(s, "ON DUPLICATE") || s == "IGNORE"
	}
	name := typeName(v.Type())
	return name == "OnConflict" || name == "Insert"
}

// expressions are the assignments of an update that are SQL: gorm's
// Update("n", gorm.Expr("n + ?", 1)), Updates(map[string]any{"n": gorm.Expr(...)}).
func (b *builder) expressions(e *catalog.Entry, c *ssa.CallCommon) []Clause {
	var out []Clause
	if _, args := receiverAndArgs(c); e.Clause == "set" && len(args) > e.Text+1 {
		out = b.expression("set", args[e.Text], args[e.Text+1])
	}
	if v := ssaArg(c, e.Entity); v != nil && e.Entity >= 0 {
		out = append(out, b.expressionsIn("set", v)...)
	}
	return out
}

// expressionsIn are the same of a map that is made here.
func (b *builder) expressionsIn(kind string, v ssa.Value) []Clause {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	if t, ok := v.(*ssa.ChangeType); ok {
		v = t.X
	}
	m, ok := v.(*ssa.MakeMap)
	if !ok {
		return nil
	}
	var out []Clause
	for _, r := range *m.Referrers() {
		if u, ok := r.(*ssa.MapUpdate); ok && u.Map == m {
			out = append(out, b.expression(kind, u.Key, u.Value)...)
		}
	}
	return out
}

// expression is one assignment, if it is SQL.
func (b *builder) expression(kind string, name, value ssa.Value) []Clause {
	k, ok := name.(*ssa.Const)
	if !ok || k.Value == nil || k.Value.Kind() != constant.String {
		return nil
	}
	if m, ok := value.(*ssa.MakeInterface); ok {
		value = m.X
	}
	x, ok := value.(*ssa.Call)
	if !ok || x.Call.StaticCallee() == nil || x.Call.StaticCallee().Name() != "Expr" || len(x.Call.Args) == 0 {
		return nil
	}
	cl := Clause{Kind: kind, Text: constant.StringVal(k.Value) + " = "}
	for _, part := range b.text(x.Call.Args[0], textDepth) {
		cl.Text += part.Text
	}
	cl.Params, _ = b.params(x.Common(), 1)
	return []Clause{cl}
}
