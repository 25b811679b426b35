package finding

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

const reported = `package p

func f(c chan int) {
	c <- 1
	f(nil) //deliverylint:ignore a,other known
//line gen.y:70
	f(c)
	f(c) //nolint:b // known
}
`

// TestReport: findings reach the driver at the code that they point at, silenced
// ones don't.
func TestReport(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", reported, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	pass := &analysis.Pass{
		Fset: fset, Files: []*ast.File{file}, Pkg: types.NewPackage("example.com/p", "p"),
		Report: func(d analysis.Diagnostic) {
			text := ""
			if d.End.IsValid() {
				text = reported[d.Pos-1 : d.End-1]
			}
			got = append(got, d.Message+" at "+fset.PositionFor(d.Pos, false).String()+" "+text)
		},
	}
	at := func(file string, line, column, end int) Finding {
		return Finding{
			Rule: "a", Category: "x", Message: "m",
			Pos: token.Position{Filename: file, Line: line, Column: column}, End: token.Position{Filename: file, Line: line, Column: end},
		}
	}
	Report(pass, []Finding{
		at("p.go", 4, 4, 8), at("p.go", 5, 2, 8), at("gen.y", 70, 0, 0), at("gen.y", 71, 0, 0), at("other.go", 4, 2, 3), at("p.go", 90, 1, 1),
	})
	want := []string{"m (a/x) at p.go:7:2 ", "m (a/x) at p.go:8:2 ", "m (a/x) at p.go:4:4 <- 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
