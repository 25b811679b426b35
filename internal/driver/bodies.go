package driver

import (
	"go/ast"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// bodies says of which dependencies the function bodies are read.
func bodies(cat *catalog.Catalog) func(importPath string, imports []string, files []*ast.File) bool {
	return effect.Bodies(cat)
}
