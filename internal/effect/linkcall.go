package effect

import (
	"go/types"
	"maps"
	"slices"
	"strings"
)

// linkCall finds what a call through an interface may reach, among the types
// that are put into interfaces or else those that are declared.
func (l *packageLinker) linkCall(n *Node) {
	key := n.Iface + "." + n.Method
	if l.linked[key] {
		return
	}
	l.linked[key] = true
	delete(l.out.Impl, key)
	delete(l.out.ImplEntry, key)
	hashes, method, foreign := l.interfaceMethod(n)
	l.setForeign(key, foreign)
	if len(hashes) == 0 {
		return
	}
	live, declared := l.implementers(hashes)
	if len(live) == 0 {
		live = declared
	}
	targets := map[string]bool{}
	for _, t := range live {
		m := t.method(method)
		switch {
		case m == nil:
		case m.Symbol != "" && l.need(m.Symbol):
			targets[m.Symbol] = true
		case m.Library.Name != "" && l.out.ImplEntry[key] == nil:
			if e, ok := l.cat.Function(m.Library); ok {
				l.out.ImplEntry[key] = &e
			}
		}
	}
	if len(targets) > maxImpl {
		l.setForeign(key, true)
		return
	}
	if len(targets) > 0 {
		l.out.Impl[key] = slices.Sorted(maps.Keys(targets))
	}
}

func (l *packageLinker) setForeign(key string, foreign bool) {
	delete(l.out.Foreign, key)
	if foreign {
		l.out.Foreign[key] = true
	}
}

// interfaceMethod is the method set of the interface that a node calls through,
// the hash of the method, and whether others implement it too.
func (l *packageLinker) interfaceMethod(n *Node) (hashes []uint64, method uint64, foreign bool) {
	if m, ok := l.ifaces[n.Iface+"."+n.Method]; ok {
		iface, ok := m.typ.Underlying().(*types.Interface)
		if !ok || skipInterface(m.typ) {
			return nil, 0, true
		}
		return hashesOf(iface), methodHash(m.method, m.method.Signature()), !l.ofModule(m.typ)
	}
	set := l.tables.ifaces[n.Iface]
	if set == nil {
		return nil, 0, true
	}
	for _, m := range set.Methods {
		hashes = append(hashes, m.Hash)
		if m.Name == n.Method {
			method = m.Hash
		}
	}
	slices.Sort(hashes)
	return hashes, method, set.Foreign
}

// ofModule reports whether a named type is declared in the package's module.
func (l *packageLinker) ofModule(t types.Type) bool {
	n := namedOf(t)
	if n == nil || n.Obj().Pkg() == nil || l.packageBuilder.own(n.Obj().Pkg()) {
		return true
	}
	path := n.Obj().Pkg().Path()
	return l.module != "" && (path == l.module || strings.HasPrefix(path, l.module+"/"))
}

func (l *packageLinker) implementers(hashes []uint64) (live, declared []*typeSet) {
	for _, t := range l.sets {
		if !t.implements(hashes) {
			continue
		}
		if l.live[t.Name] {
			live = append(live, t)
		} else {
			declared = append(declared, t)
		}
	}
	return live, declared
}
