package load

import (
	"go/ast"
	"go/token"
	"strconv"
)

// standInForC puts literals in the place of C constants in constant
// declarations and array lengths, so that what depends on them has a type.
// The values differ from each other, and from the real ones.
func standInForC(f *ast.File) {
	if !importsC(f) {
		return
	}
	c := &standIn{}
	for _, decl := range f.Decls {
		decl, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range decl.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok && decl.Tok == token.CONST {
				for i := range spec.Values {
					c.replace(&spec.Values[i])
				}
			}
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if array, ok := n.(*ast.ArrayType); ok && array.Len != nil {
				c.replace(&array.Len)
			}
			return true
		})
	}
}

// standIn counts the literals made for one file.
type standIn struct {
	made int
}

// replace puts literals for the C names in a constant expression.
func (c *standIn) replace(e *ast.Expr) {
	switch x := (*e).(type) {
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok && id.Name == "C" {
			c.made++
			*e = &ast.BasicLit{ValuePos: x.Pos(), Kind: token.INT, Value: strconv.Itoa(c.made)}
		}
	case *ast.ParenExpr:
		c.replace(&x.X)
	case *ast.UnaryExpr:
		c.replace(&x.X)
	case *ast.BinaryExpr:
		c.replace(&x.X)
		c.replace(&x.Y)
	case *ast.CallExpr:
		for i := range x.Args {
			c.replace(&x.Args[i])
		}
	}
}
