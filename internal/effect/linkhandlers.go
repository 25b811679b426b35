package effect

import (
	"go/types"
	"strings"
)

// linkHandlers finds the methods that implement the catalog's handler types: by
// interface, or by the type of a parameter.
func (p *packageBuilder) linkHandlers() {
	c := p.concreteTypes()
	for _, h := range p.handlerTypes() {
		iface, generic := p.interfaceOf(h.Package, h.Interface)
		if h.Interface != "" && iface == nil && !generic {
			continue
		}
		seen := map[string]bool{}
		for _, t := range c.byMethod[h.Method] {
			sel := p.prog.MethodSets.MethodSet(t).Lookup(nil, h.Method)
			if sel == nil || isDouble(t) {
				continue
			}
			obj, ok := sel.Obj().(*types.Func)
			if !ok || generic && !takesFrom(obj, h.Package) || !generic && !implementsHandler(t, obj, iface, h.Param) {
				continue
			}
			if fn := p.prog.MethodValue(sel); fn != nil && len(fn.Blocks) > 0 && !seen[symbolOf(fn)] {
				p.reach(fn)
				seen[symbolOf(fn)] = true
				k := handlerKey(h)
				p.out.HandlerMethods[k] = append(p.out.HandlerMethods[k], symbolOf(fn), methodSymbol(obj))
			}
		}
	}
	p.drain()
}

func implementsHandler(t types.Type, m *types.Func, iface *types.Interface, param string) bool {
	if iface != nil && !types.Implements(t, iface) {
		return false
	}
	if param == "" {
		return iface != nil
	}
	for v := range m.Signature().Params().Variables() {
		if n := namedOf(v.Type()); n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path()+"."+n.Obj().Name() == param {
			return true
		}
	}
	return false
}

// takesFrom: a method of a generic interface (Worker[T]) is told by a parameter
// of one of the library's types.
func takesFrom(m *types.Func, pkg string) bool {
	for v := range m.Signature().Params().Variables() {
		if n := namedOf(v.Type()); n != nil && n.Obj().Pkg() != nil && strings.HasPrefix(n.Obj().Pkg().Path(), pkg) {
			return true
		}
	}
	return false
}

// interfaceOf finds an interface of a library; a generic one has no method set
// that a type could be held against.
func (p *packageBuilder) interfaceOf(pkg, name string) (i *types.Interface, generic bool) {
	for _, sp := range p.prog.AllPackages() {
		if sp.Pkg.Path() != pkg {
			continue
		}
		if tn, ok := sp.Pkg.Scope().Lookup(name).(*types.TypeName); ok {
			if i, ok := tn.Type().Underlying().(*types.Interface); ok && i.NumMethods() > 0 {
				n, ok := tn.Type().(*types.Named)
				if generic = ok && n.TypeParams().Len() > 0; generic {
					return nil, true
				}
				return i, false
			}
		}
	}
	return nil, false
}
