package effect

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// scan collects what linking needs: conversions to interfaces, functions put
// into fields and variables, arguments of function type.
func (p *packageBuilder) scan(fn *ssa.Function) {
	for _, block := range fn.Blocks {
		for _, instr := range block.Instrs {
			switch i := instr.(type) {
			case *ssa.MakeInterface:
				p.convert[i.X.Type()] = true
				p.scanAdapter(i.X)
			case *ssa.Store:
				p.scanStore(i)
			case *ssa.MapUpdate:
				p.scanUpdate(i)
			case *ssa.MakeClosure:
				p.scanClosure(i)
			case ssa.CallInstruction:
				p.scanCall(i.Common())
			}
		}
	}
}

// scanAdapter: a function with methods (HandlerFunc), which call it.
func (p *packageBuilder) scanAdapter(v ssa.Value) {
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		return
	}
	set := p.prog.MethodSets.MethodSet(v.Type())
	for i := range set.Len() {
		if fn := p.prog.MethodValue(set.At(i)); fn != nil && len(fn.Blocks) > 0 {
			key := paramKey(symbolOf(fn), 0)
			p.wide[key] = append(p.wide[key], v)
		}
	}
}

// holdsFunc tells functions, and slices and maps of them. A type may be a slice
// of itself.
func holdsFunc(t types.Type) bool {
	for range 4 {
		switch u := t.Underlying().(type) {
		case *types.Signature:
			return true
		case *types.Slice:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		default:
			return false
		}
	}
	return false
}

func (p *packageBuilder) scanStore(i *ssa.Store) {
	if !holdsFunc(i.Val.Type()) {
		return
	}
	if key := placeKey(i.Addr); key != "" {
		p.fields[key] = append(p.fields[key], i.Val)
	}
}

// placeKey names the field or variable of a package at an address, "" for none.
func placeKey(addr ssa.Value) string {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		return ownerOf(a.X.Type()) + "." + fieldName(a.X.Type(), a.Field)
	case *ssa.Global:
		return a.String()
	}
	return ""
}

// scanUpdate: what is put into a map that a field or variable holds.
func (p *packageBuilder) scanUpdate(i *ssa.MapUpdate) {
	load, ok := i.Map.(*ssa.UnOp)
	if !ok || !holdsFunc(i.Value.Type()) {
		return
	}
	if key := placeKey(load.X); key != "" {
		p.wide[key] = append(p.wide[key], i.Value)
	}
}

// scanClosure: functions that a function literal captures.
func (p *packageBuilder) scanClosure(i *ssa.MakeClosure) {
	for at, v := range i.Bindings {
		if holdsFunc(pointedTo(v.Type())) {
			key := freeKey(symbolOf(i.Fn.(*ssa.Function)), at)
			p.wide[key] = append(p.wide[key], v)
		}
	}
}

func pointedTo(t types.Type) types.Type {
	if q, ok := t.Underlying().(*types.Pointer); ok {
		return q.Elem()
	}
	return t
}

// scanCall: functions that a call is given. Of a call through an interface it
// turns out later whose parameters they are.
func (p *packageBuilder) scanCall(c *ssa.CallCommon) {
	fn := c.StaticCallee()
	if fn == nil && !c.IsInvoke() {
		return
	}
	for i, a := range c.Args {
		if _, ok := a.Type().Underlying().(*types.Signature); !ok {
			if !c.IsInvoke() && holdsFunc(a.Type()) {
				key := paramKey(symbolOf(fn), i)
				p.wide[key] = append(p.wide[key], a)
			}
			continue
		}
		if c.IsInvoke() {
			key := p.iface(c.Value.Type(), c.Method) + "." + c.Method.Name()
			p.given[key] = append(p.given[key], givenFunc{i + 1, a})
			continue
		}
		key := paramKey(symbolOf(fn), i)
		p.args[key] = append(p.args[key], a)
	}
}
