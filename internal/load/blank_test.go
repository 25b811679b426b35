package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestBlankBodies(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"func f() { x }\n", "func f() {   }\n"},
		{"func f() int {\n\treturn '}'\n}\nfunc g() { \"}\" }", "func f() int {\n           \n}\nfunc g() {     }"},
		{"func f() interface{ M() } { x }", "func f() interface{ M() } {   }"},
		{"func f(x struct{ a int }) (y struct {}) { `\n}` }", "func f(x struct{ a int }) (y struct {}) {  \n   }"},
		{"func f() map[string]struct{} { /* } */ }", "func f() map[string]struct{} {         }"},
		{"func f[T interface{ ~int }](x T) { y / z // }\n}", "func f[T interface{ ~int }](x T) {           \n}"},
		{"func f() chan struct\t{}\nvar x = func() { y }", "func f() chan struct\t{}\nvar x = func() { y }"},
		{"func asm(x int)\nvar s = `\nfunc f() { x }\n`", "func asm(x int)\nvar s = `\nfunc f() { x }\n`"},
		{"var x = []int{\nfunc() int { y }(),\n}", "var x = []int{\nfunc() int { y }(),\n}"},
		{"func (r *R) f( // {\n) { '\\'' }", "func (r *R) f( // {\n) {      }"},
		{"func f() { never closed", "func f() { never closed"},
		{"func", "func"},
	} {
		src := []byte(test.src)
		blankBodies(src)
		if string(src) != test.want {
			t.Errorf("%q:\n got %q\nwant %q", test.src, src, test.want)
		}
	}
}

// TestBlankStandardLibrary compares what is declared, and where, with and
// without blanking.
func TestBlankStandardLibrary(t *testing.T) {
	env, err := readGoEnv(t.Context(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"net/http/*.go", "reflect/*.go", "go/types/*.go", "sort/*.go", "runtime/*.go"} {
		names, err := filepath.Glob(filepath.Join(env.GOROOT, "src", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			blanked := bytes.Clone(src)
			blankBodies(blanked)
			if got, want := outline(t, blanked, true), outline(t, src, false); !reflect.DeepEqual(got, want) {
				t.Errorf("%s differs", name)
			}
		}
	}
}

// outline lists the positions of all that is not in a function's body.
func outline(t *testing.T, src []byte, wantEmpty bool) []token.Pos {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var list []token.Pos
	for _, decl := range f.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
			list = append(list, fn.Body.Lbrace, fn.Body.Rbrace)
			if wantEmpty && len(fn.Body.List) > 0 {
				t.Errorf("%s has a body", fn.Name)
			}
			fn.Body = nil
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if n != nil {
				list = append(list, n.Pos(), n.End())
			}
			return true
		})
	}
	return list
}
