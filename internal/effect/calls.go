package effect

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// entryOf is the catalog's word on the callee. An interface of the module whose
// methods are the driver's (DBTX) stands for the driver.
func (b *builder) entryOf(c *ssa.CallCommon) *catalog.Entry {
	if c.IsInvoke() {
		if e := b.lookup(catalogSymbols(c.Method, c.Value.Type())); e != nil {
			return e
		}
		if as := handleByResult(c.Signature()); as != "" {
			if e := b.p.driverMethod(as, c.Method.Name()); e != nil || as != "database/sql.DB" {
				return e
			}
			return b.p.driverMethod("github.com/jmoiron/sqlx.DB", c.Method.Name()) // it has database/sql's results
		}
		return b.p.clientMethod(c.Method)
	}
	fn := c.StaticCallee()
	if fn == nil {
		return nil
	}
	return b.entryOfFunc(fn, c)
}

func (b *builder) entryOfFunc(fn *ssa.Function, c *ssa.CallCommon) *catalog.Entry {
	obj, _ := fn.Object().(*types.Func)
	if obj == nil && fn.Origin() != nil {
		obj, _ = fn.Origin().Object().(*types.Func)
	}
	if obj == nil {
		return nil
	}
	var static types.Type
	if fn.Signature.Recv() != nil && len(c.Args) > 0 {
		static = c.Args[0].Type()
		if f, ok := c.Args[0].(*ssa.UnOp); ok { // promoted through an embedded pointer
			if a, ok := f.X.(*ssa.FieldAddr); ok {
				static = a.X.Type()
			}
		} else if a, ok := c.Args[0].(*ssa.FieldAddr); ok {
			static = a.X.Type()
		}
	}
	if e := b.lookup(catalogSymbols(obj, static)); e != nil {
		return e
	}
	return b.p.modelMethod(obj)
}

func (b *builder) lookup(syms []catalog.Symbol) *catalog.Entry {
	for _, s := range syms {
		if e, ok := b.cat.Function(s); ok {
			return &e
		}
	}
	return nil
}

// call makes the node of a call, go or defer.
func (b *builder) call(i ssa.CallInstruction) *Node {
	c := i.Common()
	n := &Node{Pos: b.p.position(i.Pos()), Text: b.p.text(i.Pos(), c)}
	b.callee(n, c)
	if c.IsInvoke() {
		n.Recv = true
		n.Args = append(n.Args, b.value(c.Value, valueDepth))
	}
	for _, a := range c.Args {
		n.Args = append(n.Args, b.value(a, valueDepth))
	}
	n.Origins = b.originsOf(operandsOf(c)...)
	n.Subjects = b.subjectsOf(operandsOf(c))
	n.From = b.lineages(operandsOf(c))
	if n.Mediated != "" {
		n.mediate()
	}
	results := c.Signature().Results()
	for v := range results.Variables() {
		n.ErrResult = n.ErrResult || isError(v.Type())
		n.BoolResult = n.BoolResult || isBool(v.Type())
		_, channel := v.Type().Underlying().(*types.Chan)
		n.Streams = n.Streams || channel
	}
	n.Dropped, n.Unread = n.ErrResult && dropsError(i), unread(i)
	n.Request, n.Pushed = requestMethod(c), slices.ContainsFunc(c.Args, takesPush)
	n.Declared = b.p.declaredOf(n, c)
	n.Entry = b.entryOf(c)
	n.Keyed = b.keyed(n, c)
	if n.Entry != nil {
		n.Effects = b.named(n, c, b.effects(n, c))
		b.registers(n.Entry, b.ids[i], ssaArg(c, n.Entry.Func))
		if configured(n.Entry) {
			n.Settings = b.settings(c)
		}
	} else {
		b.textArgs(n, c)
		n.List, n.Types = b.listed(n, c), b.givenTypes(c)
	}
	return n
}

// callee says whom the node calls, as far as it is known without linking.
func (b *builder) callee(n *Node, c *ssa.CallCommon) {
	if c.IsInvoke() {
		n.Iface, n.Method = b.p.iface(c.Value.Type(), c.Method), c.Method.Name()
		return
	}
	if fn := c.StaticCallee(); fn != nil {
		b.reach(fn)
		n.Static = symbolOf(fn)
		n.Ticks = n.Static == "time.Sleep"
		n.Recv = fn.Signature.Recv() != nil
		n.Mediated = mediated(fn)
		if m, ok := c.Value.(*ssa.MakeClosure); ok {
			n.Dynamic = b.value(m, valueDepth)
		}
		return
	}
	n.Dynamic = b.value(c.Value, valueDepth)
}

// dropsError says that nobody looks at the error of a call.
func dropsError(i ssa.CallInstruction) bool {
	v, ok := i.(*ssa.Call)
	if !ok {
		return true // go and defer
	}
	if isError(v.Type()) {
		return v.Referrers() == nil || len(*v.Referrers()) == 0
	}
	for _, r := range *v.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && isError(e.Type()) {
			return len(*e.Referrers()) == 0
		}
	}
	return true
}

// unread: the call has a result that is no error, and nobody looks at one.
func unread(i ssa.CallInstruction) bool {
	v, ok := i.(*ssa.Call)
	if !ok {
		return true
	}
	t, ok := v.Type().(*types.Tuple)
	if !ok || t.Len() < 2 {
		return false
	}
	for _, r := range *v.Referrers() {
		if e, ok := r.(*ssa.Extract); !ok || !isError(e.Type()) && len(*e.Referrers()) > 0 {
			return false
		}
	}
	return true
}

// arg is the argument at a catalog index, the receiver not counted.
func (n *Node) arg(i int) *Value {
	if i == catalog.ReceiverArg {
		if n.Recv && len(n.Args) > 0 {
			return n.Args[0]
		}
		return nil
	}
	if i < 0 {
		return nil
	}
	if n.Recv {
		i++
	}
	if i < len(n.Args) {
		return n.Args[i]
	}
	return nil
}

// ssaArg is the same for SSA.
func ssaArg(c *ssa.CallCommon, i int) ssa.Value {
	if _, args := receiverAndArgs(c); i >= 0 && i < len(args) {
		return args[i]
	}
	return nil
}

// builtin is the name of the predeclared function that is called, "" for any other.
func builtin(c *ssa.CallCommon) string {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return b.Name()
	}
	return ""
}

// receiverAndArgs are the receiver of a call, nil without one, and its arguments.
func receiverAndArgs(c *ssa.CallCommon) (recv ssa.Value, args []ssa.Value) {
	switch {
	case c.IsInvoke():
		return c.Value, c.Args
	case c.Signature().Recv() != nil && len(c.Args) > 0:
		return c.Args[0], c.Args[1:]
	}
	return nil, c.Args
}

// operandsOf are the receiver and the arguments of a call.
func operandsOf(c *ssa.CallCommon) []ssa.Value {
	if c.IsInvoke() {
		return append([]ssa.Value{c.Value}, c.Args...)
	}
	return c.Args
}
