package effect

import (
	"go/types"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// clientMethod is the catalog's word on a method of the module's own interface that
// stands for a client's: it takes the request that is named after the method, and its
// package has a type with the same method. Without it, what the call is given would not
// be read, since a method of an interface is linked to the client only later.
func (p *packageBuilder) clientMethod(m *types.Func) *catalog.Entry {
	if e, ok := p.clientMethods[m]; ok {
		return e
	}
	var out *catalog.Entry
	for v := range m.Signature().Params().Variables() {
		if n := namedOf(v.Type()); n != nil && n.Obj().Pkg() != nil && n.Obj().Name() == m.Name()+"Input" {
			out = p.clientIn(n.Obj().Pkg(), m)
		}
	}
	p.clientMethods[m] = out
	return out
}

// clientIn looks for the client in the package of a request.
func (p *packageBuilder) clientIn(pkg *types.Package, m *types.Func) *catalog.Entry {
	for _, name := range pkg.Scope().Names() {
		e, ok := p.cat.Function(catalog.Symbol{Package: pkg.Path(), Type: name, Name: m.Name()})
		if !ok {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(pkg.Scope().Lookup(name).Type()), true, pkg, m.Name())
		if f, ok := obj.(*types.Func); ok && types.Identical(f.Signature().Params(), m.Signature().Params()) {
			return &e
		}
	}
	return nil
}
