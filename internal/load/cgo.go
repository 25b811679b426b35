package load

import (
	"go/ast"
	"go/token"
	"strconv"
)

// numbersOfC are the Go types of C's own types, as they are on 64-bit systems.
func numbersOfC() map[string]string {
	return map[string]string{
		"char": "int8", "schar": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16", "int": "int32", "uint": "uint32",
		"long": "int64", "ulong": "uint64", "longlong": "int64", "ulonglong": "uint64", "float": "float32", "double": "float64",
		"int8_t": "int8", "uint8_t": "uint8", "int16_t": "int16", "uint16_t": "uint16", "int32_t": "int32", "uint32_t": "uint32",
		"int64_t": "int64", "uint64_t": "uint64", "size_t": "uint64", "ssize_t": "int64", "uintptr_t": "uint64",
	}
}

// standInForC puts literals in the place of C constants in constant
// declarations and array lengths, and Go's numbers in that of C's where a type is
// declared as one, so that what depends on them has a type. The values differ from
// each other, and from the real ones.
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
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for i := range spec.Values {
					if decl.Tok == token.CONST {
						c.replace(&spec.Values[i])
					}
				}
			case *ast.TypeSpec:
				if number := numbersOfC()[nameInC(spec.Type)]; number != "" {
					spec.Type = &ast.Ident{NamePos: spec.Type.Pos(), Name: number}
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
		if nameInC(x) != "" {
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

// nameInC is the name that an expression selects in C, "" if it is no such one.
func nameInC(e ast.Expr) string {
	if x, ok := e.(*ast.SelectorExpr); ok {
		if id, ok := x.X.(*ast.Ident); ok && id.Name == "C" {
			return x.Sel.Name
		}
	}
	return ""
}
