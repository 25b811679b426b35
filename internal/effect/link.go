package effect

import (
	"go/types"
	"sort"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// maxImpl caps the implementers of one interface method; more means unknown.
const maxImpl = 24

// link resolves interface calls and func values over the whole program. New
// implementers are built on the way, which may show further interface calls.
func (p *packageBuilder) link() {
	done := map[string]bool{}
	p.linkInterfaces(done)
	p.linkMediated()
	p.linkHandlers()
	p.linkInterfaces(done) // of generic handlers, which only a library calls
	p.linkFuncs()
	p.linkInterfaces(done)
}

func (p *packageBuilder) linkInterfaces(done map[string]bool) {
	for {
		var keys []string
		for k := range p.ifaces {
			if !done[k] {
				keys = append(keys, k)
			}
		}
		if len(keys) == 0 {
			return
		}
		sort.Strings(keys)
		types := p.concreteTypes()
		for _, k := range keys {
			done[k] = true
			p.linkMethod(k, p.ifaces[k], types)
		}
		p.drain()
	}
}

// candidates are concrete types by the names of their methods.
type candidates struct {
	byMethod map[string][]types.Type
	live     map[types.Type]bool
}

// concreteTypes are the types converted to some interface, and as a second
// choice those declared in the units.
func (p *packageBuilder) concreteTypes() candidates {
	c := candidates{byMethod: map[string][]types.Type{}, live: map[types.Type]bool{}}
	var all []types.Type
	for t := range p.convert {
		if !types.IsInterface(t) {
			all = append(all, t)
			c.live[t] = true
		}
	}
	for _, u := range p.units {
		scope := u.Types.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
				continue
			}
			if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() == 0 {
				all = append(all, types.NewPointer(n))
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return types.TypeString(all[i], nil) < types.TypeString(all[j], nil) })
	for _, t := range all {
		set := p.prog.MethodSets.MethodSet(t)
		for i := range set.Len() {
			name := set.At(i).Obj().Name()
			c.byMethod[name] = append(c.byMethod[name], t)
		}
	}
	return c
}

func (p *packageBuilder) linkMethod(key string, m ifaceMethod, c candidates) {
	iface, ok := m.typ.Underlying().(*types.Interface)
	if !ok || skipInterface(m.typ) {
		p.out.Foreign[key] = true
		return
	}
	if n := namedOf(m.typ); n != nil && n.Obj().Pkg() != nil && !p.own(n.Obj().Pkg()) {
		p.out.Foreign[key] = true // a library's interface has implementers there
	}
	var live, declared []types.Type
	for _, t := range c.byMethod[m.method.Name()] {
		if isDouble(t) || !types.Implements(t, iface) {
			continue
		}
		if c.live[t] {
			live = append(live, t)
		} else {
			declared = append(declared, t)
		}
	}
	if len(live) == 0 {
		live = declared
	}
	targets := map[string]bool{}
	for _, t := range live {
		p.linkTarget(key, m.method, t, targets)
	}
	if len(targets) > maxImpl {
		p.out.Foreign[key] = true
		return
	}
	for s := range targets {
		p.out.Impl[key] = append(p.out.Impl[key], s)
	}
	sort.Strings(p.out.Impl[key])
}

func (p *packageBuilder) linkTarget(key string, m *types.Func, t types.Type, targets map[string]bool) {
	sel := p.prog.MethodSets.MethodSet(t).Lookup(m.Pkg(), m.Name())
	if sel == nil {
		return
	}
	fn := p.prog.MethodValue(sel)
	if fn == nil {
		return
	}
	if len(fn.Blocks) > 0 {
		p.reach(fn)
		targets[symbolOf(fn)] = true
		return
	}
	if obj, ok := sel.Obj().(*types.Func); ok {
		for _, s := range catalogSymbols(obj, t) {
			if e, ok := p.cat.Function(s); ok && p.out.ImplEntry[key] == nil {
				p.out.ImplEntry[key] = &e
			}
		}
	}
}

// linkFuncs resolves what the fields, variables and parameters of func type
// may hold.
func (p *packageBuilder) linkFuncs() {
	collect := func(table map[string][]ssa.Value) {
		keys := make([]string, 0, len(table))
		for k := range table {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			out := map[string]bool{}
			for _, v := range table[k] {
				p.funcsOf(v, out, 6)
			}
			if len(out) == 0 || len(out) > maxImpl {
				continue
			}
			for s := range out {
				p.out.FuncsIn[k] = append(p.out.FuncsIn[k], s)
			}
			sort.Strings(p.out.FuncsIn[k])
		}
	}
	collect(p.fields)
	collect(p.args)
	p.linkWide()
	p.drain()
}

// funcsOf are the functions that v may be, through parameters too.
func (p *packageBuilder) funcsOf(v ssa.Value, out map[string]bool, depth int) {
	if depth == 0 {
		return
	}
	switch x := v.(type) {
	case *ssa.Function:
		p.reach(x)
		if len(x.Blocks) > 0 {
			out[symbolOf(x)] = true
		}
	case *ssa.MakeClosure:
		p.funcsOf(x.Fn, out, depth)
	case *ssa.ChangeType:
		p.funcsOf(x.X, out, depth)
	case *ssa.Phi:
		for _, e := range x.Edges {
			p.funcsOf(e, out, depth-1)
		}
	case *ssa.Slice:
		p.funcsOf(x.X, out, depth-1)
	case *ssa.Alloc:
		for _, r := range *x.Referrers() {
			if ix, ok := r.(*ssa.IndexAddr); ok {
				for _, s := range *ix.Referrers() {
					if st, ok := s.(*ssa.Store); ok {
						p.funcsOf(st.Val, out, depth-1)
					}
				}
			}
		}
	case *ssa.Call:
		if builtin(&x.Call) == "append" {
			for _, a := range x.Call.Args {
				p.funcsOf(a, out, depth-1)
			}
		}
	case *ssa.Parameter:
		for i, q := range x.Parent().Params {
			if q == x {
				for _, a := range p.args[paramKey(symbolOf(x.Parent()), i)] {
					p.funcsOf(a, out, depth-1)
				}
			}
		}
	}
}

// Target is what a call may reach: graphs, or a catalogued library method.
type Target struct {
	Symbols []string
	Entry   *catalog.Entry
}

// Resolve links the callee of a node as far as the program knows. What an entry tells the
// effects of is not looked into.
func (p *Program) Resolve(n *Node) Target {
	if n.Entry == nil && len(n.Declared) > 0 && len(n.Effects) > 0 {
		return Target{} // the comment tells all of it
	}
	if n.Static != "" {
		if p.Funcs[n.Static] != nil && (n.Entry == nil || len(n.Effects) == 0) {
			return Target{Symbols: []string{n.Static}}
		}
		return Target{}
	}
	if n.Iface != "" {
		key := n.Iface + "." + n.Method
		return Target{Symbols: p.Impl[key], Entry: p.ImplEntry[key]}
	}
	return Target{Symbols: p.FuncsFrom(n.Dynamic, "")}
}

// FuncsFrom are the functions that a value of func type may be; owner is the
// symbol of the function that the value is in.
func (p *Program) FuncsFrom(v *Value, owner string) []string {
	return p.funcsFrom(v, owner, funcDepth)
}

// funcDepth bounds how far a value of func type is followed.
const funcDepth = 5

func (p *Program) funcsFrom(v *Value, owner string, depth int) []string {
	v, depth = v.content(depth)
	if v == nil {
		return nil
	}
	switch v.Kind {
	case ValueFunc, ValueClosure:
		if p.Funcs[v.Name] != nil {
			return []string{v.Name}
		}
		return nil
	case ValueChoice:
		var out []string
		for _, c := range v.Of {
			out = append(out, p.funcsFrom(c, owner, depth)...)
		}
		return out
	}
	return p.FuncsIn[v.placeKey(owner)]
}

// content is a value with the variables and lists that hold it taken off, and what
// is left of a depth; nil if that doesn't suffice.
func (v *Value) content(depth int) (*Value, int) {
	for ; v != nil && depth > 0; depth-- {
		if v.Kind != ValueCell && (v.Kind != ValueField || v.Name != "[]" && v.Name != "<-") {
			return v, depth - 1
		}
		v = v.Of[0]
	}
	return nil, 0
}

// placeKey names the field, variable, parameter or captured variable of the owner
// that a value is taken from, "" for none.
func (v *Value) placeKey(owner string) string {
	if v == nil {
		return ""
	}
	switch v.Kind {
	case ValueGlobal:
		return v.Name
	case ValueParam:
		return paramKey(owner, v.Index)
	case ValueFree:
		return freeKey(owner, v.Index)
	case ValueField:
		return v.Owner + "." + v.Name
	}
	return ""
}

func (p *packageBuilder) own(pkg *types.Package) bool {
	for _, u := range p.units {
		if u.Types == pkg {
			return true
		}
	}
	return false
}
