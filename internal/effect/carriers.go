package effect

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Deliveries change their type on the way: a client turns what a library gives it
// into messages of its own and hands these on through a channel, a consumer wraps
// each in a task for its workers. What is taken from a channel of such a type is a
// delivery, like what the library gives. It is told by the type, so that who makes
// the channel, and where it is kept, need not be known.

// carrier is what is known of such a type: the broker of what it is made from, and the
// functions that send it.
type carrier struct {
	broker  string
	feeders []string
}

// findCarriers finds the structs that are made from deliveries and sent through
// channels. One may be made from another.
func (p *packageBuilder) findCarriers() {
	var fns []*ssa.Function
	for _, u := range p.units {
		if pkg := p.prog.Package(u.Types); pkg != nil {
			for _, fn := range p.declaredIn(pkg) {
				fns = append(fns, withLiterals(fn)...)
			}
		}
	}
	for range 3 {
		known := len(p.classes.carriers)
		for _, fn := range fns {
			p.carriersIn(fn)
		}
		if len(p.classes.carriers) == known {
			return
		}
	}
}

func withLiterals(fn *ssa.Function) []*ssa.Function {
	out := []*ssa.Function{fn}
	for _, a := range fn.AnonFuncs {
		out = append(out, withLiterals(a)...)
	}
	return out
}

func (p *packageBuilder) carriersIn(fn *ssa.Function) {
	for _, block := range fn.Blocks {
		for _, instr := range block.Instrs {
			switch i := instr.(type) {
			case *ssa.Send:
				p.carrier(fn, i.X)
			case *ssa.Select:
				for _, s := range i.States {
					if s.Dir == types.SendOnly {
						p.carrier(fn, s.Send)
					}
				}
			}
		}
	}
}

// carrier notes the type of a value that is sent, if it is a struct that no library of
// the catalog has, and made from a delivery.
func (p *packageBuilder) carrier(fn *ssa.Function, v ssa.Value) {
	n, ok := types.Unalias(pointedTo(v.Type())).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || p.cat.HasPackage(n.Obj().Pkg().Path()) || p.classes.of(n) != "" {
		return
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return
	}
	known := p.classes.carriers[n.Origin()]
	if known != nil && slices.Contains(known.feeders, symbolOf(fn)) {
		return
	}
	m := &material{p: p, seen: map[ssa.Value]bool{}}
	if !m.delivered(v, 14) {
		return
	}
	if known == nil {
		known = &carrier{broker: m.broker}
		p.classes.carriers[n.Origin()] = known
	}
	known.feeders = append(known.feeders, symbolOf(fn))
	key := types.TypeString(n.Origin(), nil)
	p.out.Feeders[key] = append(p.out.Feeders[key], symbolOf(fn))
}

// material looks for a delivery among what a value is made from, within a function.
type material struct {
	p      *packageBuilder
	seen   map[ssa.Value]bool
	broker string
}

func (m *material) delivered(v ssa.Value, depth int) bool {
	if v == nil || depth == 0 || m.seen[v] {
		return false
	}
	m.seen[v] = true
	if m.of(v.Type()) {
		return true
	}
	switch x := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Global, *ssa.Parameter, *ssa.FreeVar, *ssa.Builtin:
		return false
	case *ssa.Call:
		return m.called(x, depth)
	case *ssa.Alloc:
		return m.stored(x, depth)
	}
	i, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, op := range i.Operands(nil) {
		if m.delivered(*op, depth-1) {
			return true
		}
	}
	return false
}

// of: a value of a delivery's type.
func (m *material) of(t types.Type) bool {
	broker, ok := m.p.classes.deliveryOf(t)
	if ok {
		m.broker = broker
	}
	return ok
}

// called: what a library is asked for, or what is made from an argument.
func (m *material) called(c *ssa.Call, depth int) bool {
	b := &builder{p: m.p, cat: m.p.cat, classes: m.p.classes, fn: c.Parent()}
	if e := b.entryOf(&c.Call); e != nil {
		if e.Kind == catalog.Receive {
			m.broker = e.Broker
		}
		return e.Kind == catalog.Receive
	}
	return m.any(operandsOf(&c.Call), depth-1)
}

func (m *material) any(vs []ssa.Value, depth int) bool {
	for _, v := range vs {
		if m.delivered(v, depth) {
			return true
		}
	}
	return false
}

// stored: what is stored in a variable, in its fields, or through its address by
// what is given a delivery too, as json.Unmarshal is.
func (m *material) stored(a ssa.Value, depth int) bool {
	for _, r := range *a.Referrers() {
		switch x := r.(type) {
		case *ssa.Store:
			if x.Addr == a && m.delivered(x.Val, depth-1) {
				return true
			}
		case *ssa.FieldAddr:
			if depth > 1 && m.stored(x, depth-1) {
				return true
			}
		case *ssa.MakeInterface:
			if depth > 1 && m.stored(x, depth-1) {
				return true
			}
		case *ssa.Call:
			if m.any(operandsOf(&x.Call), depth-1) {
				return true
			}
		}
	}
	return false
}

// deliveryOf tells the types of deliveries, and of what carries them, with their
// broker where the type tells.
func (c *classes) deliveryOf(t types.Type) (broker string, ok bool) {
	if c.of(t) == catalog.Message {
		return c.brokerOf(t), true
	}
	if k := c.carrierOf(t); k != nil {
		return k.broker, true
	}
	return "", false
}

func (c *classes) carrierOf(t types.Type) *carrier {
	if n, ok := types.Unalias(pointedTo(t)).(*types.Named); ok {
		return c.carriers[n.Origin()]
	}
	return nil
}

func (c *classes) brokerOf(t types.Type) string {
	n := namedOf(t)
	if n == nil || n.Obj().Pkg() == nil {
		return ""
	}
	e, _ := c.cat.Type(n.Obj().Pkg().Path(), n.Obj().Name())
	return e.Broker
}

// holdsDeliveries: a list of deliveries, or a struct of the program's own with one
// in a field, and their broker.
func (p *packageBuilder) holdsDeliveries(t types.Type) (broker string, ok bool) {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return p.classes.brokerOf(s.Elem()), p.classes.of(s.Elem()) == catalog.Message
	}
	n, ok := types.Unalias(pointedTo(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !p.own(n.Obj().Pkg()) {
		return "", false
	}
	if s, ok := n.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if p.classes.of(f.Type()) == catalog.Message {
				return p.classes.brokerOf(f.Type()), true
			}
		}
	}
	return "", false
}
