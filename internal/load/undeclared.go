package load

import (
	"go/ast"
	"go/types"
	"slices"
)

// dropUndeclared drops the declarations that the type checker left without an
// object, such as the second of two of one name: SSA can't be built for them.
func dropUndeclared(p *Package) {
	for _, f := range p.Files {
		decls := f.Decls[:0]
		for _, decl := range f.Decls {
			if declared(p.Info, decl) {
				decls = append(decls, decl)
			}
		}
		f.Decls = decls
	}
	p.Info.InitOrder = slices.DeleteFunc(p.Info.InitOrder, func(init *types.Initializer) bool {
		return slices.ContainsFunc(init.Lhs, func(v *types.Var) bool {
			return v.Name() != "_" && p.Types.Scope().Lookup(v.Name()) != v
		})
	})
}

// declared tells whether something of a declaration has an object, and drops
// the specifications and names that have none.
func declared(info *types.Info, decl ast.Decl) bool {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		return hasObject(info, decl.Name)
	case *ast.GenDecl:
		specs := decl.Specs[:0]
		for _, spec := range decl.Specs {
			if specDeclared(info, spec) {
				specs = append(specs, spec)
			}
		}
		decl.Specs = specs
		return len(specs) > 0
	}
	return false
}

func specDeclared(info *types.Info, spec ast.Spec) bool {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return hasObject(info, spec.Name)
	case *ast.ValueSpec:
		spec.Names = slices.DeleteFunc(spec.Names, func(name *ast.Ident) bool { return !hasObject(info, name) })
		return len(spec.Names) > 0
	}
	return true
}

// hasObject tells whether a declared name has an object with a type.
func hasObject(info *types.Info, name *ast.Ident) bool {
	obj := info.Defs[name]
	return obj != nil && obj.Type() != nil
}
