package effect

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// told are the kinds of effects for which a function is told of. No rule follows
// outside calls into another package yet, and there are many.
const told = ^(CallsParam | Outside)

// exporter picks what a package tells those that import it.
type exporter struct {
	*packageLinker
	// kept are the functions with a graph in the table, whole those of them
	// that do something; of the others only the results are told.
	kept, whole map[string]bool
	ifaces      map[string]bool
}

// export makes the table of the package, nil if it has nothing to tell.
func (l *packageLinker) export(path string) (*table, error) {
	x := &exporter{packageLinker: l, kept: map[string]bool{}, whole: map[string]bool{}, ifaces: map[string]bool{}}
	x.pick()
	var funcs []*Func
	for _, s := range slices.Sorted(maps.Keys(x.kept)) {
		if x.built[s] && l.tables.owner[s] == nil {
			funcs = append(funcs, x.trimmed(s))
		}
	}
	h := x.head()
	if len(funcs) == 0 && len(h.Types) == 0 && len(h.Funcs) == 0 && len(h.Live) == 0 && len(h.Channels) == 0 && len(h.Declares) == 0 {
		return nil, nil
	}
	return pack(path, h, funcs)
}

// pick decides which functions matter: those that do something, and, in a package
// that has to do with handles at all, those that hand one back or a function.
func (x *exporter) pick() {
	matters := false
	for s, f := range x.out.Funcs {
		switch {
		case f.Test:
		case x.out.Reach[s]&told != 0:
			x.kept[s], x.whole[s] = true, true
			matters = matters || x.built[s]
		case slices.ContainsFunc(f.Returns, carriesHandle):
			x.kept[s] = true
			matters = matters || x.built[s] && slices.ContainsFunc(f.Returns, hasClass)
		}
	}
	if !matters {
		maps.DeleteFunc(x.kept, func(s string, _ bool) bool { return x.built[s] })
	}
}

// hasClass reports whether a value or a part of it is known to be a handle.
func hasClass(v *Value) bool {
	return v != nil && (v.Class != "" && v.Class != catalog.Message || slices.ContainsFunc(v.Of, hasClass))
}

// carriesHandle reports whether a result says where a handle or a function
// comes from.
func carriesHandle(v *Value) bool {
	if v == nil {
		return false
	}
	switch v.Kind {
	case ValueFunc, ValueClosure, ValueParam, ValueFree, ValueCtxValue, ValueWithValue:
		return v.Type != textType
	case ValueUnknown, ValueNil, ValueConst:
		return false
	}
	return v.Class != "" || slices.ContainsFunc(v.Of, carriesHandle)
}

// trimmed is a graph without what only its own package needs.
func (x *exporter) trimmed(symbol string) *Func {
	f := *x.out.Funcs[symbol]
	f.Params, f.Free = unnamed(f.Params), unnamed(f.Free)
	if !x.whole[symbol] {
		f.Blocks, f.Nodes = nil, nil
		return &f
	}
	nodes := make([]*Node, len(f.Nodes))
	for i, n := range f.Nodes {
		if n != nil && x.matters(n) {
			nodes[i] = x.trimmedNode(n)
		}
	}
	blocks := slices.Clone(f.Blocks)
	for i := range blocks {
		var ids []int
		for _, id := range blocks[i].Nodes {
			if nodes[id] != nil {
				ids = append(ids, id)
			}
		}
		blocks[i].Nodes = ids
	}
	f.Nodes, f.Blocks = nodes, blocks
	return &f
}

func unnamed(list []Param) []Param {
	out := slices.Clone(list)
	for i := range out {
		out[i].Name = ""
	}
	return out
}

// trimmedNode drops what was guessed here: the packages above may know more.
func (x *exporter) trimmedNode(n *Node) *Node {
	out := *n
	if slices.ContainsFunc(n.Effects, func(e Effect) bool { return e.ByName || e.Declared }) {
		out.Effects = nil
	}
	if out.Iface != "" {
		x.ifaces[out.Iface] = true
	}
	return &out
}

// matters reports whether a node can change anything for a caller. Calls that
// nobody knows do only what the functions they are given do.
func (x *exporter) matters(n *Node) bool {
	if n.Kind > NodeDefer || n.Entry != nil || len(n.Effects) > 0 {
		return true
	}
	if n.Dynamic != nil || x.kept[n.Static] || len(n.Declared) > 0 {
		return true
	}
	if n.Iface != "" {
		key := n.Iface + "." + n.Method
		if len(x.out.Impl[key]) > 0 || x.out.ImplEntry[key] != nil {
			return true
		}
	}
	return slices.ContainsFunc(n.Args, func(v *Value) bool { return v.holdsFunc(4) })
}

// holdsFunc reports whether a value may be a function.
func (v *Value) holdsFunc(depth int) bool {
	if v == nil || depth == 0 {
		return false
	}
	switch v.Kind {
	case ValueFunc, ValueClosure:
		return true
	case ValueParam, ValueFree:
		return v.Class == "" && v.Type == ""
	}
	return slices.ContainsFunc(v.Of, func(x *Value) bool { return x.holdsFunc(depth - 1) })
}

// head is the table's part for linking.
func (x *exporter) head() head {
	h := head{Types: x.types(), Declares: x.ownDeclares(x.tables)}
	below := map[string]bool{}
	for _, t := range x.tables.types {
		below[t.Name] = true
	}
	for _, t := range h.Types {
		below[t.Name] = true
	}
	for _, name := range x.converted {
		if below[name] && !x.tables.live[name] {
			h.Live = append(h.Live, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x.ifaces)) {
		if set := x.iface(name); set != nil {
			h.Ifaces = append(h.Ifaces, *set)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(x.funcs)) {
		symbols := slices.DeleteFunc(slices.Clone(x.funcs[key]), func(s string) bool { return !x.kept[s] })
		if len(symbols) > 0 {
			h.Funcs = append(h.Funcs, funcsIn{key, symbols})
		}
	}
	for _, c := range slices.Sorted(maps.Keys(x.out.Channels)) {
		if !slices.Contains(x.tables.channels, c) {
			h.Channels = append(h.Channels, c)
		}
	}
	return h
}

// types are the package's own that have a method that matters.
func (x *exporter) types() []typeSet {
	known := map[string]bool{}
	for _, t := range x.tables.types {
		known[t.Name] = true
	}
	var out []typeSet
	for _, t := range x.mine {
		if known[t.Name] {
			continue
		}
		kept := typeSet{Name: t.Name, Hashes: t.Hashes}
		for _, m := range t.Methods {
			if !x.kept[m.Symbol] && x.tables.owner[m.Symbol] == nil {
				m.Symbol = ""
			}
			if m.Symbol != "" || m.Library.Name != "" {
				kept.Methods = append(kept.Methods, m)
			}
		}
		if len(kept.Methods) > 0 {
			out = append(out, kept)
		}
	}
	return out
}

// iface describes an interface that this package's code calls through; nil if a
// table below has it or nothing of the module can implement it.
func (x *exporter) iface(name string) *ifaceSet {
	if x.tables.ifaces[name] != nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(x.packageBuilder.ifaces)) {
		m := x.packageBuilder.ifaces[key]
		if key != name+"."+m.method.Name() {
			continue
		}
		i, ok := m.typ.Underlying().(*types.Interface)
		if !ok || skipInterface(m.typ) {
			return nil
		}
		set := &ifaceSet{Name: name, Foreign: !x.ofModule(m.typ)}
		for f := range i.Methods() {
			set.Methods = append(set.Methods, methodName{f.Name(), methodHash(f, f.Signature())})
		}
		slices.SortFunc(set.Methods, func(a, b methodName) int { return cmp.Compare(a.Hash, b.Hash) })
		return set
	}
	return nil
}
