package effect

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// changes adds what is stored through a pointer after it was made: fields, what
// calls and function literals that are given it put there.
func (d *deriving) changes(v ssa.Value, out *Lineage) {
	refs := v.Referrers()
	if refs != nil && isAny(v.Type()) && !canChange(v) {
		d.filled(*refs, v, out)
	}
	if refs == nil || !canChange(v) || d.b.ignored(v.Type()) {
		return
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if r.X == v {
				d.fieldChanges(r, fieldName(v.Type(), r.Field), out)
			}
		case *ssa.IndexAddr:
			for _, x := range storedIn(r) {
				out.add(d.of(x).flat())
			}
		case ssa.CallInstruction:
			if _, list := v.Type().Underlying().(*types.Slice); !list || hasBody(r) {
				d.changedBy(r, v, out)
			}
		case *ssa.MakeInterface:
			d.changes(r, out)
		case *ssa.UnOp:
			if r.Op == token.MUL { // a pointer that is kept in the variable
				d.changes(r, out)
			}
		case *ssa.Store:
			if r.Val == v {
				d.inList(r, out)
			}
		case *ssa.MakeClosure:
			d.captured(r, v, out)
		}
	}
}

// filled: a call that decodes, or is given bytes as well, may store what these say in what
// an any points to.
func (d *deriving) filled(refs []ssa.Instruction, v ssa.Value, out *Lineage) {
	for _, r := range refs {
		c, ok := r.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if decodes(c.Common()) || slices.ContainsFunc(c.Common().Args, func(a ssa.Value) bool { return isBytes(a.Type()) }) {
			d.changedBy(c, v, out)
		}
	}
}

// decodes: by its name a function stores what it is given in what another argument points to.
func decodes(c *ssa.CallCommon) bool {
	fn := c.StaticCallee()
	return fn != nil && hasAny(strings.ToLower(fn.Name()), "unmarshal", "decode", "deserial", "scan", "bind")
}

func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// canChange: pointers, and what holds one.
func canChange(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		return canChange(m.X)
	}
	switch v.Type().Underlying().(type) {
	case *types.Pointer, *types.Slice:
		return true
	}
	return false
}

func (d *deriving) fieldChanges(f *ssa.FieldAddr, name string, out *Lineage) {
	for _, r := range *f.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == f {
				out.addField(name, d.of(r.Val), d.b.assign(r, typeName(f.X.Type()), name, r.Val))
			}
		case *ssa.FieldAddr:
			d.fieldChanges(r, within(f, name, fieldName(f.Type(), r.Field)), out)
		case *ssa.UnOp:
			d.pointedChanges(r, f, name, out)
		case ssa.CallInstruction:
			inner := &Lineage{}
			d.changedBy(r, f, inner)
			if !inner.empty() {
				out.addField(name, inner, 0)
			}
		case *ssa.MakeInterface:
			inner := &Lineage{}
			d.changes(r, inner)
			if !inner.empty() {
				out.addField(name, inner, 0)
			}
		}
	}
}

// pointedChanges adds what is stored in the fields of what a field points to.
func (d *deriving) pointedChanges(v *ssa.UnOp, f *ssa.FieldAddr, name string, out *Lineage) {
	if _, ok := v.Type().Underlying().(*types.Pointer); !ok || v.Op != token.MUL || strings.Count(name, ".") >= maxFieldDepth {
		return
	}
	for _, r := range *v.Referrers() {
		if inner, ok := r.(*ssa.FieldAddr); ok {
			d.fieldChanges(inner, within(f, name, fieldName(inner.X.Type(), inner.Field)), out)
		}
	}
}

// within is the name of a field of a struct that is a field itself; one that is embedded
// lends its fields' names to the outer.
func within(outer *ssa.FieldAddr, name, inner string) string {
	if p, ok := outer.X.Type().Underlying().(*types.Pointer); ok {
		if s, ok := p.Elem().Underlying().(*types.Struct); ok && s.Field(outer.Field).Embedded() {
			return inner
		}
	}
	return name + "." + inner
}

// captured: what a literal stores in a variable of ours.
func (d *deriving) captured(m *ssa.MakeClosure, v ssa.Value, out *Lineage) {
	fn := m.Fn.(*ssa.Function)
	for i, x := range m.Bindings {
		if x == v && i < len(fn.FreeVars) && storedTo(fn.FreeVars[i]) {
			out.addRef(LineageRef{Kind: RefCapture, Index: d.b.bound(m), Result: i})
		}
	}
}

// storedTo reports whether anything but reading is done to a captured variable.
func storedTo(v *ssa.FreeVar) bool {
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		u, ok := r.(*ssa.UnOp)
		return !ok || u.Op != token.MUL || canChange(u)
	})
}

// inList: v is an element of a call's variadic arguments.
func (d *deriving) inList(s *ssa.Store, out *Lineage) {
	x, ok := s.Addr.(*ssa.IndexAddr)
	if !ok {
		return
	}
	list, ok := x.X.(*ssa.Alloc)
	if !ok {
		return
	}
	for _, r := range *list.Referrers() {
		slice, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, r := range *slice.Referrers() {
			if c, ok := r.(ssa.CallInstruction); ok && !d.scanned(c, x, out) && !d.scannedBehind(c, s.Val, out) {
				d.changedBy(c, slice, out)
			}
		}
	}
}

// changedBy adds what a call stores through one of its arguments. A function that
// nobody has read may store any of the others there.
func (d *deriving) changedBy(i ssa.CallInstruction, v ssa.Value, out *Lineage) {
	c := i.Common()
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return
	}
	if e := d.b.entryOf(c); e != nil {
		if placeholder(e, c, v) {
			return
		}
		if bits := filledBy(e); bits != 0 {
			out.Bits |= bits
			d.reading(i, bits, out)
		}
		return
	}
	at := argumentIndex(c, v)
	if at < 0 {
		return
	}
	if fn := c.StaticCallee(); fn == nil || len(fn.Blocks) > 0 {
		out.addRef(LineageRef{Kind: RefChange, Index: d.b.ids[i], Result: at})
		return
	}
	if looksOnly(c.StaticCallee()) {
		return
	}
	for _, a := range c.Args {
		if a != v {
			out.add(d.of(a).flat())
		}
	}
}

// placeholder: the value is given for a placeholder of a statement, which stores nothing
// in it.
func placeholder(e *catalog.Entry, c *ssa.CallCommon, v ssa.Value) bool {
	at := argumentIndex(c, v)
	if c.IsInvoke() || c.Signature().Recv() != nil {
		at--
	}
	return e.Kind == catalog.SQL && at > e.SQL
}

// looksOnly: a validator is given pointers to fields and stores nothing there.
func looksOnly(fn *ssa.Function) bool {
	return fn.Pkg != nil && hasAny(fn.Pkg.Pkg.Path(), "validation", "validator")
}

// hasBody: a library's function rarely stores into a slice that it is given.
func hasBody(i ssa.CallInstruction) bool {
	fn := i.Common().StaticCallee()
	return fn != nil && len(fn.Blocks) > 0
}

// filledBy is what a catalogued call stores in the variables that it is given.
func filledBy(e *catalog.Entry) Sources {
	switch e.Kind {
	case catalog.Read, catalog.SQL:
		return FromStored
	case catalog.Receive, catalog.Verify:
		return FromMessage
	}
	return 0
}

// argumentIndex is the place of v among the arguments of a node.
func argumentIndex(c *ssa.CallCommon, v ssa.Value) int {
	at := slices.Index(c.Args, v)
	if at >= 0 && c.IsInvoke() {
		at++
	}
	if at < 0 && c.IsInvoke() && c.Value == v {
		return 0
	}
	return at
}

// call is the result of a call.
func (d *deriving) call(v *ssa.Call, result int) *Lineage {
	c := v.Common()
	if o := d.sumOfCall(v); o != nil {
		return o
	}
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return d.union(c.Args)
	}
	if e := d.b.entryOf(c); e != nil {
		switch e.Kind {
		case catalog.Read, catalog.SQL, catalog.Dedupe, catalog.Recall, catalog.Script:
			out := &Lineage{Bits: FromStored}
			d.reading(v, FromStored, out)
			return out
		case catalog.Receive, catalog.Verify:
			return &Lineage{Bits: FromMessage}
		}
		return d.answered(e.Kind == catalog.SideEffect, d.union(c.Args).flat())
	}
	fn := c.StaticCallee()
	if fn != nil && len(fn.Blocks) == 0 {
		if obj, ok := fn.Object().(*types.Func); ok && makesFresh(obj) {
			return &Lineage{Bits: FromFresh}
		}
		if fn != nil && strings.HasPrefix(fn.Name(), "Marshal") && len(c.Args) > 0 {
			return d.union(c.Args) // written down, its fields are the same
		}
		return d.answered(asksOutside(c), d.union(c.Args).flat())
	}
	return d.answered(asksOutside(c), &Lineage{Refs: []LineageRef{{Kind: RefCall, Index: d.b.nodeID(v), Result: result}}})
}

// paramLineage: a delivery is one wherever it is passed.
func (b *builder) paramLineage(v *ssa.Parameter) *Lineage {
	i := b.paramIndex(v)
	out := &Lineage{Refs: []LineageRef{{Kind: RefParam, Index: i}}}
	if b.classes.of(v.Type()) == catalog.Message {
		out.Bits = FromMessage
	}
	return out
}

// bound is the index of a function literal among those that are bound here.
func (b *builder) bound(m *ssa.MakeClosure) int {
	i, ok := b.bounds[m]
	if !ok {
		i = len(b.out.Bound)
		b.bounds[m] = i
		b.out.Bound = append(b.out.Bound, Bound{Closure: symbolOf(m.Fn.(*ssa.Function))})
	}
	return i
}

// flows writes down what leaves the function: results, what it stores through
// parameters and captured variables, what its literals capture.
func (b *builder) flows() {
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			switch i := instr.(type) {
			case *ssa.MakeClosure:
				at := b.bound(i)
				from := b.lineages(i.Bindings)
				b.out.Bound[at].From = from
			case *ssa.Store:
				b.keep(i)
			case *ssa.Return:
				b.returnFlow(i.Results)
			}
		}
	}
	b.out.Outs = b.outs(b.fn.Params)
	for i, v := range b.fn.FreeVars {
		out := &Lineage{}
		for _, x := range storedIn(v) {
			out.add(b.lineage(x))
		}
		b.from.changes(v, out)
		b.out.FreeOuts = setLineage(b.out.FreeOuts, i, out)
	}
}

func (b *builder) returnFlow(results []ssa.Value) {
	for i, o := range b.lineages(results) {
		if o != nil && i < len(b.out.ReturnFrom) && b.out.ReturnFrom[i] != nil {
			both := b.out.ReturnFrom[i].clone()
			both.add(o)
			o = both
		}
		b.out.ReturnFrom = setLineage(b.out.ReturnFrom, i, o)
	}
}

func (b *builder) outs(params []*ssa.Parameter) []*Lineage {
	var list []*Lineage
	for i, v := range params {
		out := &Lineage{}
		b.lineage(v)
		b.from.changes(v, out)
		list = setLineage(list, i, out)
	}
	return list
}

// setLineage sets an element of a list that is as long as it needs to be.
func setLineage(list []*Lineage, i int, o *Lineage) []*Lineage {
	if o.empty() {
		return list
	}
	for len(list) <= i {
		list = append(list, nil)
	}
	list[i] = o
	return list
}
