package effect

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Kept is a value that a function stores in a field or variable.
type Kept struct {
	Func  string
	Value *Value
}

// keep notes what is stored in fields and variables of a library's types, and
// switches: that is how a consumer's configuration gets to the loop that reads from it.
func (b *builder) keep(s *ssa.Store) {
	key := placeKey(s.Addr)
	if _, ok := s.Val.(*ssa.Const); key == "" || !b.ofLibrary(s.Val.Type()) && !(ok && isBool(s.Val.Type())) {
		return
	}
	if v := b.value(s.Val, valueDepth); v.Kind != ValueUnknown && v.Kind != ValueNil {
		b.p.out.Kept[key] = append(b.p.out.Kept[key], Kept{b.out.Symbol, v})
	}
}

// ofLibrary: types of catalogued packages, and channels of them.
func (b *builder) ofLibrary(t types.Type) bool {
	if c, ok := t.Underlying().(*types.Chan); ok {
		t = c.Elem()
	}
	n := namedOf(t)
	return n != nil && n.Obj().Pkg() != nil && b.cat.HasPackage(n.Obj().Pkg().Path())
}

// made are the calls of a library that a consumer or a channel of deliveries may
// come from: through fields, variables, parameters and the module's constructors.
//
// Where nobody in the module is seen to give a parameter, it is taken to come from
// the constructors of the package, of lib, the library's package.
func (p *Program) made(f *Func, v *Value, lib string) []*Node {
	m := &makers{p: p, lib: lib, seen: map[*Value]bool{}}
	m.find(f, v, 8)
	return m.out
}

type makers struct {
	p    *Program
	lib  string
	seen map[*Value]bool
	out  []*Node
}

func (m *makers) find(f *Func, v *Value, depth int) {
	if v == nil || f == nil || depth == 0 || m.seen[v] || len(m.out) > 8 {
		return
	}
	m.seen[v] = true
	switch v.Kind {
	case ValueCall:
		m.call(f, v, depth-1)
	case ValueField:
		if v.Name == "[]" || v.Name == "<-" {
			m.find(f, v.Of[0], depth-1)
			return
		}
		m.kept(v.Owner+"."+v.Name, depth-1)
	case ValueGlobal:
		m.kept(v.Name, depth-1)
	case ValueChoice, ValueCell:
		for _, x := range v.Of {
			m.find(f, x, depth-1)
		}
	case ValueParam:
		m.param(f, v.Index, depth-1)
	case ValueFree:
		m.free(f, v.Index, depth-1)
	}
}

func (m *makers) call(f *Func, v *Value, depth int) {
	if v.Index >= len(f.Nodes) || f.Nodes[v.Index] == nil {
		return
	}
	n := f.Nodes[v.Index]
	if n.Entry != nil {
		if configured(n.Entry) {
			m.out = append(m.out, n)
		} else if n.Recv {
			m.find(f, n.Args[0], depth)
		}
		return
	}
	for _, s := range m.p.Resolve(n).Symbols {
		if g := m.p.Funcs[s]; g != nil && v.Result < len(g.Returns) {
			m.find(g, g.Returns[v.Result], depth)
		}
	}
}

func (m *makers) kept(key string, depth int) {
	for _, k := range m.p.Kept[key] {
		m.find(m.p.Funcs[k.Func], k.Value, depth)
	}
}

func (m *makers) param(f *Func, index, depth int) {
	for _, c := range m.p.Callers[f.Symbol] {
		g := m.p.Funcs[c]
		if g == nil || g.Test {
			continue
		}
		for _, n := range g.Nodes {
			if n != nil && n.Kind <= NodeDefer && n.Entry == nil && index < len(n.Args) && m.p.runs(g, n, f.Symbol) {
				m.find(g, n.Args[index], depth)
			}
		}
	}
	if len(m.p.Callers[f.Symbol]) == 0 && m.lib != "" {
		m.constructors(f.Package)
	}
}

// constructors are the calls whose result a package's functions hand out.
func (m *makers) constructors(pkg string) {
	for _, s := range m.p.Order {
		g := m.p.Funcs[s]
		if g.Package != pkg || g.Test {
			continue
		}
		for _, v := range g.Returns {
			if v == nil || v.Kind != ValueCall || v.Index >= len(g.Nodes) || g.Nodes[v.Index] == nil {
				continue
			}
			if n := g.Nodes[v.Index]; n.Entry != nil && configured(n.Entry) && n.Entry.Symbol.Package == m.lib {
				m.out = append(m.out, n)
			}
		}
	}
}

// runs reports whether a call may run a function.
func (p *Program) runs(f *Func, n *Node, symbol string) bool {
	return slices.Contains(p.runsAny(f, n), symbol)
}

// free finds the value that a literal captures, where it is called or passed on.
func (m *makers) free(f *Func, index, depth int) {
	parent := m.p.Funcs[f.Parent]
	if parent == nil {
		return
	}
	for _, n := range parent.Nodes {
		if n == nil {
			continue
		}
		for _, v := range slices.Concat([]*Value{n.Dynamic}, n.Args, n.Results) {
			if v != nil && v.Kind == ValueClosure && v.Name == f.Symbol && index < len(v.Of) {
				m.find(parent, v.Of[index], depth)
				return
			}
		}
	}
}

// consumer are the calls that configure what a node receives from: itself, and
// where its receiver, or the channel that it reads, was made.
func (p *Program) consumer(f *Func, n *Node) []*Node {
	var out []*Node
	if n.Entry != nil && configured(n.Entry) {
		out = append(out, n)
	}
	if n.Entry != nil && n.Entry.Kind == catalog.Handler && !n.Recv {
		return out
	}
	lib := ""
	if n.Entry != nil {
		lib = n.Entry.Symbol.Package
	}
	if len(n.Args) > 0 {
		out = append(out, p.made(f, n.Args[0], lib)...)
	}
	for _, c := range n.Received {
		out = append(out, p.made(f, c, lib)...)
	}
	return out
}
