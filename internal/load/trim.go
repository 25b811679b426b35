package load

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// trimFile drops from a dependency's file what no importer can see: bodies,
// blank and initialised values, and the imports that only those need. nameOf
// returns the name of the package behind an import path.
func trimFile(f *ast.File, nameOf func(path string) string) {
	f.Decls = keepDecls(f.Decls)
	used := map[string]bool{}
	for _, decl := range f.Decls {
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				n.Body = emptyBody(n.Body)
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	trimImports(f, used, nameOf)
}

// keepDecls returns the declarations that matter to importers, without bodies.
func keepDecls(decls []ast.Decl) []ast.Decl {
	kept := decls[:0]
	for _, decl := range decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && (decl.Name.Name == "init" || decl.Name.Name == "_") {
				continue
			}
			decl.Body = emptyBody(decl.Body)
		case *ast.GenDecl:
			if decl.Tok == token.VAR && !trimVars(decl) {
				continue
			}
		}
		kept = append(kept, decl)
	}
	return kept
}

func emptyBody(body *ast.BlockStmt) *ast.BlockStmt {
	if body == nil {
		return nil
	}
	return &ast.BlockStmt{Lbrace: body.Lbrace, Rbrace: body.Rbrace}
}

// trimVars drops blank variables and values that don't decide a type. It
// returns false if nothing is left.
func trimVars(decl *ast.GenDecl) bool {
	kept := decl.Specs[:0]
	for _, spec := range decl.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok || allBlank(spec.Names) {
			continue
		}
		if spec.Type != nil {
			spec.Values = nil
		}
		for _, value := range spec.Values {
			trimLiteral(value)
		}
		kept = append(kept, spec)
	}
	decl.Specs = kept
	return len(kept) > 0
}

func allBlank(names []*ast.Ident) bool {
	for _, name := range names {
		if name.Name != "_" {
			return false
		}
	}
	return true
}

// trimLiteral empties a composite literal whose type doesn't depend on its elements.
func trimLiteral(value ast.Expr) {
	if unary, ok := value.(*ast.UnaryExpr); ok {
		value = unary.X
	}
	lit, ok := value.(*ast.CompositeLit)
	if !ok {
		return
	}
	if array, ok := lit.Type.(*ast.ArrayType); ok {
		if _, counted := array.Len.(*ast.Ellipsis); counted {
			return
		}
	}
	lit.Elts = nil
}

// trimImports drops the imports that nothing in the file uses.
func trimImports(f *ast.File, used map[string]bool, nameOf func(path string) string) {
	imports := f.Imports[:0]
	for _, spec := range f.Imports {
		if importUsed(spec, used, nameOf) {
			imports = append(imports, spec)
		}
	}
	f.Imports = imports
	keep := make(map[ast.Spec]bool, len(imports))
	for _, spec := range imports {
		keep[spec] = true
	}
	decls := f.Decls[:0]
	for _, decl := range f.Decls {
		if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.IMPORT {
			decl.Specs = slices.DeleteFunc(decl.Specs, func(spec ast.Spec) bool { return !keep[spec] })
			if len(decl.Specs) == 0 {
				continue
			}
		}
		decls = append(decls, decl)
	}
	f.Decls = decls
}

func importUsed(spec *ast.ImportSpec, used map[string]bool, nameOf func(path string) string) bool {
	if spec.Name != nil {
		return spec.Name.Name == "." || used[spec.Name.Name]
	}
	p := importPath(spec)
	name := nameOf(p)
	if name == "" {
		name = path.Base(p)
	}
	return used[name]
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return strings.Trim(spec.Path.Value, "`\"")
	}
	return p
}
