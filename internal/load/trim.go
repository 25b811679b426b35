package load

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// trimDecl drops from a declaration what importers can't see: bodies, and
// values that don't decide a type.
func trimDecl(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		decl.Body = emptyBody(decl.Body)
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok && decl.Tok == token.VAR {
				trimVar(spec)
			}
		}
	}
}

func trimVar(spec *ast.ValueSpec) {
	if spec.Type != nil {
		spec.Values = nil
	}
	for _, value := range spec.Values {
		trimValue(value)
	}
}

func emptyBody(body *ast.BlockStmt) *ast.BlockStmt {
	if body == nil {
		return nil
	}
	return &ast.BlockStmt{Lbrace: body.Lbrace, Rbrace: body.Rbrace}
}

// trimValue empties function literals, and a composite literal whose type
// doesn't depend on its elements.
func trimValue(value ast.Expr) {
	outer := value
	if unary, ok := outer.(*ast.UnaryExpr); ok {
		outer = unary.X
	}
	if lit, ok := outer.(*ast.CompositeLit); ok && !counted(lit) {
		lit.Elts = nil
	}
	ast.Inspect(value, func(n ast.Node) bool {
		if fn, ok := n.(*ast.FuncLit); ok {
			fn.Body = emptyBody(fn.Body)
		}
		return true
	})
}

// counted tells a literal of an array as long as its elements.
func counted(lit *ast.CompositeLit) bool {
	array, ok := lit.Type.(*ast.ArrayType)
	if !ok {
		return false
	}
	_, ok = array.Len.(*ast.Ellipsis)
	return ok
}

// importNames returns a file's imports by the name they have in it.
func importNames(f *ast.File, nameOf func(path string) string) map[string]*ast.ImportSpec {
	names := make(map[string]*ast.ImportSpec, len(f.Imports))
	for _, spec := range f.Imports {
		p := importPath(spec)
		name := nameOf(p)
		switch {
		case spec.Name != nil:
			name = spec.Name.Name
		case name == "":
			name = path.Base(p)
		}
		names[name] = spec
	}
	return names
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return strings.Trim(spec.Path.Value, "`\"")
	}
	return p
}
