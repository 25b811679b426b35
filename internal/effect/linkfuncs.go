package effect

import (
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// linkWide resolves functions that get to where they are called on longer ways:
// through captured variables, tables, calls through interfaces and functions that
// wrap them. Too many callers share these to pair what the functions do with what
// the callers do, but they tell which code handles a delivery.
func (p *packageBuilder) linkWide() {
	for key, given := range p.given {
		for _, g := range given {
			for _, s := range p.out.Impl[key] {
				k := paramKey(s, g.param)
				p.wide[k] = append(p.wide[k], g.value)
			}
		}
	}
	for _, table := range []map[string][]ssa.Value{p.fields, p.args} {
		for k, vs := range table {
			p.wide[k] = append(p.wide[k], vs...)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(p.wide)) {
		find := &funcFinder{p: p, out: map[string]bool{}, seen: map[ssa.Value]int{}}
		find.funcsOfAll(p.wide[k], 6)
		if len(find.out) > 0 && len(find.out) <= maxWide {
			p.out.FuncsWide[k] = slices.Sorted(maps.Keys(find.out))
		}
	}
}

// maxWide caps the functions that a delivery may be passed on to.
const maxWide = 80

// Wide are the functions that a value of func type may be on any way.
func (p *Program) Wide(v *Value, owner string) []string {
	if out := p.FuncsFrom(v, owner); len(out) > 0 {
		return out
	}
	v, _ = v.content(funcDepth)
	if v != nil && v.Kind == ValueCall {
		return p.chosen(v, owner)
	}
	return p.FuncsWide[v.placeKey(owner)]
}

// chosen are the functions of which a function of the module returns one.
func (p *Program) chosen(v *Value, owner string) []string {
	f := p.Funcs[owner]
	if f == nil || v.Index >= len(f.Nodes) || f.Nodes[v.Index] == nil {
		return nil
	}
	var out []string
	for _, s := range p.Resolve(f.Nodes[v.Index]).Symbols {
		if g := p.Funcs[s]; v.Result < len(g.Returns) {
			out = append(out, p.FuncsFrom(g.Returns[v.Result], s)...)
		}
	}
	return out
}

// funcFinder collects the functions that a value may be.
type funcFinder struct {
	p   *packageBuilder
	out map[string]bool
	// seen is the depth to which a value was followed already.
	seen map[ssa.Value]int
}

// funcsOf are the functions that v may be, through parameters, captured variables
// and what functions return too.
func (f *funcFinder) funcsOf(v ssa.Value, depth int) {
	if depth <= f.seen[v] || len(f.out) > maxWide {
		return
	}
	f.seen[v] = depth
	switch x := v.(type) {
	case *ssa.Function:
		f.p.reach(x)
		if len(x.Blocks) > 0 {
			f.out[symbolOf(x)] = true
		}
	case *ssa.MakeClosure:
		f.funcsOf(x.Fn, depth)
	case *ssa.ChangeType:
		f.funcsOf(x.X, depth)
	case *ssa.MakeInterface:
		f.funcsOf(x.X, depth)
	case *ssa.Phi:
		f.funcsOfAll(x.Edges, depth-1)
	case *ssa.Slice:
		f.funcsOf(x.X, depth-1)
	case *ssa.Alloc:
		f.funcsStored(x, depth)
	case *ssa.MakeMap:
		f.funcsUpdated(x, depth)
	case *ssa.UnOp:
		if x.Op == token.MUL {
			f.funcsLoaded(x.X, depth)
		}
	case *ssa.Call:
		f.funcsReturned(x, depth)
	case *ssa.Extract:
		f.funcsOf(x.Tuple, depth)
	case *ssa.Next:
		if r, ok := x.Iter.(*ssa.Range); ok {
			f.funcsOf(r.X, depth-1)
		}
	case *ssa.Lookup:
		f.funcsOf(x.X, depth-1)
	case *ssa.Parameter:
		if i := slices.Index(x.Parent().Params, x); i >= 0 {
			f.funcsOfAll(f.p.wide[paramKey(symbolOf(x.Parent()), i)], depth-1)
		}
	case *ssa.FreeVar:
		if i := slices.Index(x.Parent().FreeVars, x); i >= 0 {
			f.funcsOfAll(f.p.wide[freeKey(symbolOf(x.Parent()), i)], depth-1)
		}
	}
}

func (f *funcFinder) funcsOfAll(vs []ssa.Value, depth int) {
	for _, v := range vs {
		f.funcsOf(v, depth)
	}
}

// funcsStored: the elements of an array, or what a variable is set to.
func (f *funcFinder) funcsStored(a *ssa.Alloc, depth int) {
	f.funcsOfAll(storedIn(a), depth-1)
	for _, r := range *a.Referrers() {
		if x, ok := r.(*ssa.IndexAddr); ok {
			f.funcsOfAll(storedIn(x), depth-1)
		}
	}
}

func (f *funcFinder) funcsUpdated(m *ssa.MakeMap, depth int) {
	for _, r := range *m.Referrers() {
		if u, ok := r.(*ssa.MapUpdate); ok && u.Map == m {
			f.funcsOf(u.Value, depth-1)
		}
	}
}

func (f *funcFinder) funcsLoaded(x ssa.Value, depth int) {
	switch a := x.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		f.funcsOf(a, depth-1)
	case *ssa.IndexAddr:
		f.funcsOf(a.X, depth-1)
	case *ssa.FieldAddr, *ssa.Global:
		f.funcsOfAll(f.p.wide[placeKey(a)], depth-1)
	}
}

// funcsReturned: appended slices, and what a function of the module returns.
func (f *funcFinder) funcsReturned(c *ssa.Call, depth int) {
	if builtin(&c.Call) == "append" {
		f.funcsOfAll(c.Call.Args, depth-1)
		return
	}
	fn := c.Call.StaticCallee()
	if fn == nil || fn.Signature.Results().Len() != 1 {
		return
	}
	for _, block := range fn.Blocks {
		if r, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok && len(r.Results) == 1 {
			f.funcsOf(r.Results[0], depth-1)
		}
	}
}
