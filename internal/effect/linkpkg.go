package effect

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// packageLinker links one package with the tables of the packages below it.
type packageLinker struct {
	*packageBuilder
	tables *tables
	// module is the path of the package's module, "" if it is not known.
	module string
	// sets are the types of this package (mine) and below, live those that are
	// put into interfaces.
	sets []*typeSet
	mine []*typeSet
	live map[string]bool
	// built are the graphs made from this package's code, funcs and converted
	// what was found in it.
	built     map[string]bool
	funcs     map[string][]string
	scanned   map[string]bool
	linked    map[string]bool
	worklist  []string
	converted []string
}

func newPackageLinker(p *packageBuilder, tables *tables, module string) *packageLinker {
	return &packageLinker{
		packageBuilder: p, tables: tables, module: module,
		live: map[string]bool{}, built: map[string]bool{},
		scanned: map[string]bool{}, linked: map[string]bool{},
	}
}

// linkPackage links what can be: calls within the package, into the packages
// below, and through interfaces to the types of both.
func (l *packageLinker) linkPackage() {
	l.link()
	l.ownTypes()
	l.drain()
	l.funcs = maps.Clone(l.out.FuncsIn)
	for s := range l.out.Funcs {
		l.built[s] = true
	}
	l.sets = append(slices.Clone(l.mine), l.tables.types...)
	maps.Copy(l.live, l.tables.live)
	for _, c := range l.tables.channels {
		l.out.Channels[c] = true
	}
	l.worklist = slices.Sorted(maps.Keys(l.out.Funcs))
	for len(l.worklist) > 0 {
		s := l.worklist[0]
		l.worklist = l.worklist[1:]
		l.scanGraph(s)
	}
}

// ownTypes lists the methods of the package's types, and of other types that it
// puts into interfaces.
func (l *packageLinker) ownTypes() {
	seen := map[string]bool{}
	all := l.concreteTypes()
	var list []types.Type
	for _, ts := range all.byMethod {
		list = append(list, ts...)
	}
	names := map[types.Type]string{}
	for _, t := range list {
		names[t] = types.TypeString(t, nil)
	}
	slices.SortFunc(list, func(a, b types.Type) int { return strings.Compare(names[a], names[b]) })
	for _, t := range list {
		if all.live[t] && !l.live[names[t]] {
			l.live[names[t]] = true
			l.converted = append(l.converted, names[t])
		}
		if !seen[names[t]] && !isDouble(t) && !l.declaredInTest(t) {
			seen[names[t]] = true
			l.mine = append(l.mine, l.typeSet(t, names[t]))
		}
	}
}

func (l *packageLinker) declaredInTest(t types.Type) bool {
	n := namedOf(t)
	return n != nil && n.Obj().Pkg() == l.units[0].Types && l.inTest(n.Obj().Pos())
}

func (l *packageLinker) typeSet(t types.Type, name string) *typeSet {
	out := &typeSet{Name: name}
	set := l.prog.MethodSets.MethodSet(t)
	for sel := range set.Methods() {
		obj, ok := sel.Obj().(*types.Func)
		sig, ok2 := sel.Type().(*types.Signature)
		if !ok || !ok2 {
			continue
		}
		h := methodHash(obj, sig)
		out.Hashes = append(out.Hashes, h)
		ref := methodRef{Hash: h, Library: l.libraryMethod(obj, t)}
		if fn := l.methodValue(sel); fn != nil {
			l.reach(fn)
			ref.Symbol = symbolOf(fn)
		}
		if ref.Symbol != "" || ref.Library.Name != "" {
			out.Methods = append(out.Methods, ref)
		}
	}
	slices.Sort(out.Hashes)
	return out
}

func (l *packageLinker) methodValue(sel *types.Selection) (fn *ssa.Function) {
	if l.try(func() { fn = l.prog.MethodValue(sel) }) != "" {
		return nil
	}
	return fn
}

// libraryMethod is the catalog's name of a method, the zero symbol if it has none.
func (l *packageLinker) libraryMethod(obj *types.Func, t types.Type) catalog.Symbol {
	for _, s := range catalogSymbols(obj, t) {
		if _, ok := l.cat.Function(s); ok {
			return s
		}
	}
	return catalog.Symbol{}
}

// need makes sure that the graph of a symbol is in the program, if there is one.
func (l *packageLinker) need(symbol string) bool {
	if l.out.Funcs[symbol] != nil {
		return true
	}
	f := l.tables.graph(symbol, l.cat)
	if f == nil {
		return false
	}
	l.out.Funcs[symbol] = f
	l.worklist = append(l.worklist, symbol)
	return true
}

// scanGraph brings in what a graph calls or holds.
func (l *packageLinker) scanGraph(symbol string) {
	f := l.out.Funcs[symbol]
	if l.scanned[symbol] || f == nil {
		return
	}
	l.scanned[symbol] = true
	for _, n := range f.Nodes {
		if n != nil {
			l.scanNode(f, n)
		}
	}
	for _, v := range f.Returns {
		l.scanValue(f, v)
	}
}

func (l *packageLinker) scanNode(f *Func, n *Node) {
	if n.Static != "" && n.Entry == nil {
		l.need(n.Static)
	}
	if n.Iface != "" && n.Entry == nil {
		l.linkCall(n)
	}
	l.scanValue(f, n.Dynamic)
	for _, v := range slices.Concat(n.Args, n.Results) {
		l.scanValue(f, v)
	}
}

func (l *packageLinker) scanValue(f *Func, v *Value) {
	if v == nil {
		return
	}
	switch v.Kind {
	case ValueFunc, ValueClosure:
		l.need(v.Name)
	case ValueGlobal:
		l.funcsOfKey(v.Name)
	case ValueField:
		l.funcsOfKey(v.Owner + "." + v.Name)
	case ValueParam:
		l.funcsOfKey(paramKey(f.Symbol, v.Index))
	}
	for _, x := range v.Of {
		l.scanValue(f, x)
	}
}

// funcsOfKey brings in what the packages below put into a field, a variable or
// a parameter.
func (l *packageLinker) funcsOfKey(key string) {
	if l.linked["func "+key] {
		return
	}
	l.linked["func "+key] = true
	found := map[string]bool{}
	for _, s := range slices.Concat(l.out.FuncsIn[key], l.tables.funcs[key]) {
		if l.need(s) {
			found[s] = true
		}
	}
	delete(l.out.FuncsIn, key)
	if len(found) > 0 && len(found) <= maxImpl {
		l.out.FuncsIn[key] = slices.Sorted(maps.Keys(found))
	}
}

// handlerTypes are the handler types of the libraries that the program knows.
func (p *packageBuilder) handlerTypes() []catalog.HandlerType {
	known := map[string]bool{}
	for _, sp := range p.prog.AllPackages() {
		known[sp.Pkg.Path()] = true
	}
	return p.cat.HandlersOf(func(path string) bool { return known[path] })
}
