package load

import (
	"go/ast"
	"go/token"
)

// decls are the package-level declarations of a package read without bodies.
type decls struct {
	node    *node
	byName  map[string][]*decl
	methods map[string][]*decl // by the name of the receiver's type
	imports map[*file]map[string]*ast.ImportSpec
	kept    map[ast.Node]bool // *ast.FuncDecl, ast.Spec
}

// decl is the smallest unit that is kept or dropped.
type decl struct {
	file  *file
	nodes []ast.Node // more than one: the constants of a group that count with iota
}

// indexDecls lists a package's declarations by name.
func indexDecls(n *node) *decls {
	d := &decls{
		node:    n,
		byName:  map[string][]*decl{},
		methods: map[string][]*decl{},
		imports: map[*file]map[string]*ast.ImportSpec{},
		kept:    map[ast.Node]bool{},
	}
	for _, f := range n.files {
		d.imports[f] = importNames(f.syntax, n.nameOf)
		for _, node := range f.syntax.Decls {
			trimDecl(node)
			switch node := node.(type) {
			case *ast.FuncDecl:
				d.addFunc(f, node)
			case *ast.GenDecl:
				d.addSpecs(f, node)
			}
		}
	}
	d.followAliases()
	return d
}

// followAliases lists methods declared on an alias under the type it stands for.
func (d *decls) followAliases() {
	for name, units := range d.methods {
		base := d.aliased(name, len(d.byName))
		if base != name {
			d.methods[base] = append(d.methods[base], units...)
		}
	}
}

// aliased returns the name of the type of this package that an alias stands
// for, after at most so many steps.
func (d *decls) aliased(name string, steps int) string {
	for ; steps > 0; steps-- {
		units := d.byName[name]
		if len(units) == 0 {
			return name
		}
		spec, ok := units[0].nodes[0].(*ast.TypeSpec)
		if !ok || !spec.Assign.IsValid() {
			return name
		}
		base := receiverBase(spec.Type)
		if base == "" {
			return name
		}
		name = base
	}
	return name
}

func (d *decls) addFunc(f *file, fn *ast.FuncDecl) {
	unit := &decl{file: f, nodes: []ast.Node{fn}}
	switch {
	case fn.Recv != nil && len(fn.Recv.List) == 1:
		base := receiverBase(fn.Recv.List[0].Type)
		d.methods[base] = append(d.methods[base], unit)
	case fn.Name.Name != "init":
		d.add(unit, fn.Name)
	}
}

func (d *decls) addSpecs(f *file, gen *ast.GenDecl) {
	var group *decl
	if gen.Tok == token.CONST && counts(gen) {
		group = &decl{file: f}
	}
	for _, spec := range gen.Specs {
		unit := group
		if unit == nil {
			unit = &decl{file: f}
		}
		unit.nodes = append(unit.nodes, spec)
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			d.add(unit, spec.Name)
		case *ast.ValueSpec:
			d.add(unit, spec.Names...)
		}
	}
}

func (d *decls) add(unit *decl, names ...*ast.Ident) {
	for _, name := range names {
		if name.Name != "_" {
			d.byName[name.Name] = append(d.byName[name.Name], unit)
		}
	}
}

// counts tells a group of constants whose values depend on their place in it.
func counts(gen *ast.GenDecl) bool {
	found := false
	for _, spec := range gen.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok || len(spec.Values) == 0 {
			return true
		}
		for _, value := range spec.Values {
			ast.Inspect(value, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				found = found || ok && id.Name == "iota"
				return !found
			})
		}
	}
	return found
}

// receiverBase returns the name of a receiver's type.
func receiverBase(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// keep keeps the declarations of the names, or of all exported names, and what
// they refer to in turn. What they refer to in other packages goes to need,
// with no name if it may be anything.
func (d *decls) keep(all bool, names []string, need func(dep *node, name string)) {
	if all {
		for name := range d.byName {
			if ast.IsExported(name) {
				names = append(names, name)
			}
		}
	}
	for len(names) > 0 {
		name := names[len(names)-1]
		names = names[:len(names)-1]
		units := d.byName[name]
		if len(units) == 0 {
			continue
		}
		units = append(units[:len(units):len(units)], d.methods[name]...)
		delete(d.byName, name)
		for _, unit := range units {
			names = append(names, d.keepUnit(unit, need)...)
		}
	}
}

// keepUnit keeps a declaration and returns the names of its package it refers to.
func (d *decls) keepUnit(unit *decl, need func(dep *node, name string)) []string {
	if d.kept[unit.nodes[0]] {
		return nil
	}
	var names []string
	imports := d.imports[unit.file]
	for _, n := range unit.nodes {
		d.kept[n] = true
		eachReference(n, func(qualifier, name string) {
			if spec := imports[qualifier]; qualifier != "" && spec != nil {
				d.kept[spec] = true
				if dep := d.node.imports[importPath(spec)]; dep != nil {
					need(dep, name)
				}
				return
			}
			if qualifier != "" {
				name = qualifier
			}
			names = append(names, name)
		})
		names = append(names, ownNames(n)...)
	}
	d.keepDotImports(unit.file, need)
	return names
}

// keepDotImports keeps the imports whose names a file uses without qualifier.
func (d *decls) keepDotImports(f *file, need func(dep *node, name string)) {
	for _, spec := range f.syntax.Imports {
		if spec.Name != nil && spec.Name.Name == "." && !d.kept[spec] {
			d.kept[spec] = true
			if dep := d.node.imports[importPath(spec)]; dep != nil {
				need(dep, "")
			}
		}
	}
}

// ownNames returns the names a specification declares: constants of one group
// are kept together, and a type needs its methods.
func ownNames(n ast.Node) []string {
	var names []string
	switch n := n.(type) {
	case *ast.TypeSpec:
		names = append(names, n.Name.Name)
	case *ast.ValueSpec:
		for _, id := range n.Names {
			names = append(names, id.Name)
		}
	}
	return names
}

// eachReference reports the names that a declaration refers to: a qualifier
// and a name for "q.Name", else a name. Some of them may be local.
func eachReference(n ast.Node, report func(qualifier, name string)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				report(x.Name, n.Sel.Name)
				return false
			}
		case *ast.Field:
			if n.Type != nil {
				eachReference(n.Type, report)
			}
			return false
		case *ast.Ident:
			report("", n.Name)
		}
		return true
	})
}

// dropRest leaves only what was kept in the files.
func (d *decls) dropRest() {
	for _, f := range d.node.files {
		decls := f.syntax.Decls[:0]
		for _, decl := range f.syntax.Decls {
			if d.keeps(decl) {
				decls = append(decls, decl)
			}
		}
		f.syntax.Decls = decls
		imports := f.syntax.Imports[:0]
		for _, spec := range f.syntax.Imports {
			if d.kept[spec] || spec.Path.Value == `"C"` {
				imports = append(imports, spec)
			}
		}
		f.syntax.Imports = imports
	}
}

// keeps tells whether something of a declaration is left, and drops the rest.
func (d *decls) keeps(decl ast.Decl) bool {
	gen, ok := decl.(*ast.GenDecl)
	if !ok {
		return d.kept[decl]
	}
	specs := gen.Specs[:0]
	for _, spec := range gen.Specs {
		imp, isImport := spec.(*ast.ImportSpec)
		if d.kept[spec] || isImport && imp.Path.Value == `"C"` {
			specs = append(specs, spec)
		}
	}
	gen.Specs = specs
	return len(specs) > 0
}
