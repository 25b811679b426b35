package effect

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Form is what a branch asks of the outcome of a call.
type Form byte

// The forms, with what holds where the answer is yes.
const (
	AsksError Form = 'e' // it returned no error
	AsksKind  Form = 'k' // it returned an error of a kind
	AsksThere Form = 'n' // it found something: a value, a row, a count
	AsksTruth Form = 'b' // it said yes
	AsksState Form = 's' // what it found is in some state
)

// Ask is a question that a branch asks of a call, or of the lookup in a map. It is
// a may: a condition asks whatever its value is computed from.
type Ask struct {
	Node int
	Form Form
	// Yes: the true branch is the one on which the answer is yes.
	Yes bool
}

// Caps of the values that are looked at for one condition.
const (
	askDepth  = 9
	askBudget = 80
)

// asker finds what a condition asks.
type asker struct {
	b      *builder
	seen   map[ssa.Value]bool
	budget int
	out    []Ask
}

func (b *builder) asks(cond ssa.Value) []Ask {
	a := &asker{b: b, seen: map[ssa.Value]bool{}, budget: askBudget}
	a.cond(cond, true, askDepth)
	return a.out
}

func (a *asker) cond(v ssa.Value, yes bool, depth int) {
	if a.budget--; a.budget < 0 || depth <= 0 {
		return
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			a.cond(x.X, !yes, depth-1)
			return
		}
	case *ssa.BinOp:
		a.compare(x, yes, depth)
		return
	case *ssa.Phi:
		if a.seen[v] { // a variable that a loop sets
			return
		}
		a.seen[v] = true
		for _, e := range x.Edges {
			a.cond(e, yes, depth-1)
		}
		return
	case *ssa.Call:
		if a.predicate(x, yes, depth) {
			return
		}
	}
	a.from(v, AsksTruth, yes, depth)
}

// predicate: errors.Is(err, X) asks for a kind, t.IsZero() whether there is
// something, order.Paid() for a state.
func (a *asker) predicate(c *ssa.Call, yes bool, depth int) bool {
	if !isBool(c.Type()) || a.b.hasEntry(c) {
		return false
	}
	recv, args := receiverAndArgs(&c.Call)
	name := ""
	if fn := c.Call.StaticCallee(); fn != nil {
		name = fn.Name()
	} else if c.Call.IsInvoke() {
		name = c.Call.Method.Name()
	}
	switch {
	case recv == nil && len(args) > 0 && isError(args[0].Type()):
		a.from(args[0], AsksKind, yes, depth-1)
		return true
	case recv != nil && (name == "IsZero" || name == "IsNil" || name == "Empty" || name == "IsEmpty"):
		a.from(recv, AsksThere, !yes, depth-1)
		return true
	case recv != nil && len(args) == 0 && !a.b.handles(recv.Type()):
		a.from(recv, AsksState, yes, depth-1)
	}
	return false
}

// handles: a method of a handle or of an interface asks a store, not a value.
func (b *builder) handles(t types.Type) bool {
	return types.IsInterface(t) || b.classes.of(t) != ""
}

// compare: of an error with nil or a sentinel, of a value with nil, zero or "".
func (a *asker) compare(x *ssa.BinOp, yes bool, depth int) {
	v, k := x.X, x.Y
	op := x.Op
	if _, ok := v.(*ssa.Const); ok {
		v, k = k, v
		op = mirrored(op)
	}
	c, constant := k.(*ssa.Const)
	if op == token.NEQ {
		yes, op = !yes, token.EQL
	}
	switch {
	case isError(v.Type()) && constant && c.Value == nil:
		a.from(v, AsksError, yes, depth-1)
	case isError(v.Type()):
		a.from(v, AsksKind, yes, depth-1)
	case !constant:
		a.from(v, AsksState, yes, depth-1)
		a.from(k, AsksState, yes, depth-1)
	case c.Value == nil && op == token.EQL:
		a.from(v, AsksThere, !yes, depth-1)
	case isBool(v.Type()):
		a.cond(v, yes == (c.Value.ExactString() == "true"), depth-1)
	default:
		a.measure(v, constValue(c).Name, op, yes, depth)
	}
}

func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.GTR:
		return token.LSS
	case token.LEQ:
		return token.GEQ
	case token.GEQ:
		return token.LEQ
	}
	return op
}

// measure: n == 0, n > 0, n < 1, s == "".
func (a *asker) measure(v ssa.Value, k string, op token.Token, yes bool, depth int) {
	switch {
	case op == token.EQL && (k == "0" || k == ""), op == token.LSS && k == "1", op == token.LEQ && k == "0":
		a.from(v, AsksThere, !yes, depth-1)
	case op == token.GTR && k == "0", op == token.GEQ && k == "1", op == token.EQL && k == "1":
		a.from(v, AsksThere, yes, depth-1)
	default:
		a.from(v, AsksState, yes, depth-1)
	}
}

// from finds the calls that a value comes from.
func (a *asker) from(v ssa.Value, f Form, yes bool, depth int) {
	if a.budget--; a.budget < 0 || depth <= 0 || v == nil || a.seen[v] {
		return
	}
	a.seen[v] = true
	switch x := v.(type) {
	case *ssa.Call:
		a.call(x, f, yes, depth)
	case *ssa.Extract:
		if f == AsksTruth && x.Index > 0 {
			if l, ok := x.Tuple.(*ssa.Lookup); ok {
				a.lookup(l, f, yes)
				return
			}
		}
		a.from(x.Tuple, f, yes, depth)
	case *ssa.Lookup:
		a.lookup(x, f, yes)
	case *ssa.Phi:
		for _, e := range x.Edges {
			a.from(e, f, yes, depth-1)
		}
	case *ssa.Field, *ssa.FieldAddr:
		if f == AsksTruth {
			f = AsksState
		}
		a.from(operand(x.(ssa.Instruction)), f, yes, depth-1)
	case *ssa.UnOp:
		a.from(x.X, f, yes, depth-1)
	case *ssa.BinOp:
		a.from(x.X, f, yes, depth-1)
		a.from(x.Y, f, yes, depth-1)
	case *ssa.Alloc:
		a.variable(x, f, yes, depth)
	case *ssa.FreeVar: // a literal sets a variable around it
		for _, s := range storedIn(x) {
			a.from(s, f, yes, depth-1)
		}
	case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.TypeAssert, *ssa.Index, *ssa.IndexAddr, *ssa.Slice:
		a.from(operand(x.(ssa.Instruction)), f, yes, depth-1)
	}
}

func (a *asker) lookup(l *ssa.Lookup, f Form, yes bool) {
	if id, ok := a.b.ids[l]; ok {
		a.out = append(a.out, Ask{Node: id, Form: f, Yes: yes})
	}
}

// variable: what is stored in it, and the calls that fill it in.
func (a *asker) variable(v *ssa.Alloc, f Form, yes bool, depth int) {
	for _, x := range a.b.stores[v] {
		a.from(x, f, yes, depth-1)
	}
	a.filled(v, f, yes, depth)
}

func (a *asker) filled(v ssa.Value, f Form, yes bool, depth int) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			if r.Call.Value != v {
				a.call(r, f, yes, depth-1)
			}
		case *ssa.MakeInterface:
			a.filled(r, f, yes, depth-1)
		case *ssa.Slice:
			a.filled(r, f, yes, depth-1)
		case *ssa.FieldAddr:
			if depth > 1 {
				a.filled(r, f, yes, depth-1)
			}
		case *ssa.Store: // into the list of a variadic call
			if x, ok := r.Addr.(*ssa.IndexAddr); ok && r.Val == v {
				a.filled(x.X, f, yes, depth-1)
			}
		}
	}
}

// call: a catalogued call, or one of the program's own, is what is asked; one
// that nobody reads passes on what it is given.
func (a *asker) call(c *ssa.Call, f Form, yes bool, depth int) {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "len" {
			a.from(c.Call.Args[0], f, yes, depth-1)
		}
		return
	}
	fn := c.Call.StaticCallee()
	entry := a.b.entryOf(&c.Call)
	if entry != nil && entry.Kind == catalog.Bind { // rows := db.Find(&x): a link of a chain
		entry = nil
	}
	if k := a.b.resultMethodKey(c, 4); k.Kind == 'c' { // row.Scan(&x), res.RowsAffected()
		a.out = append(a.out, Ask{Node: k.A, Form: f, Yes: yes})
		return
	}
	if entry != nil || a.b.syncMap(&c.Call) != nil || fn != nil && len(fn.Blocks) > 0 || fn == nil && !a.b.ofStd(c) {
		a.out = append(a.out, Ask{Node: a.b.nodeID(c), Form: f, Yes: yes})
		return
	}
	recv, args := receiverAndArgs(&c.Call)
	if recv != nil {
		a.from(recv, f, yes, depth-1)
	}
	for _, x := range args {
		if !isContext(x.Type()) {
			a.from(x, f, yes, depth-1)
		}
	}
}

// ofStd: a method of an interface of the standard library, or of a library's
// result, is no call of the program's.
func (b *builder) ofStd(c *ssa.Call) bool {
	if !c.Call.IsInvoke() {
		return false
	}
	return skipInterface(c.Call.Value.Type())
}
