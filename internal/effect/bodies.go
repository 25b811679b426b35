package effect

import (
	"go/ast"
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Bodies says of which dependencies the function bodies are needed: those that
// call catalogued functions themselves, such as a company's shared library. A
// package that only implements Scan or Value is not one of them.
func Bodies(cat *catalog.Catalog) func(importPath string, imports []string, files []*ast.File) bool {
	return func(importPath string, imports []string, files []*ast.File) bool {
		if cat.HasPackage(importPath) {
			return false
		}
		names := map[string]bool{}
		for _, imp := range imports {
			if !cat.HasPackage(imp) {
				continue
			}
			for _, n := range cat.MethodNames(imp) {
				names[n] = true
			}
		}
		return len(names) > 0 && callsAny(files, names)
	}
}

// Candidate tells from imports alone which dependencies may be such.
func Candidate(cat *catalog.Catalog) func(importPath string, imports []string) bool {
	return func(importPath string, imports []string) bool {
		return !cat.HasPackage(importPath) && slices.ContainsFunc(imports, cat.HasPackage)
	}
}

// callsAny reports whether a method or function of one of the names is called.
// Names that any type may have say nothing.
func callsAny(files []*ast.File, names map[string]bool) bool {
	for _, common := range []string{"Close", "Get", "Set", "Value", "Error", "Err", "String", "Do", "Scan", "Next", "Delete", "With"} {
		delete(names, common)
	}
	found := false
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && !found {
				if s, ok := c.Fun.(*ast.SelectorExpr); ok && names[s.Sel.Name] {
					found = true
				}
			}
			return !found
		})
	}
	return found
}
