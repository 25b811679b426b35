package finding

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

const source = `package p

import "x"

// Pay is silenced as a whole.
//
//deliverylint:ignore publishoutsidetx readers poll
func Pay() {
	x.Publish() // want nothing
	x.Publish() // want nothing
}

func (s *S[T]) Ship() {
	x.Publish()
	x.Publish() //nolint:publishoutsidetx // readers poll
	//nolint:gosec,publishoutsidetx/after-commit // readers poll
	x.Publish(
		1,
	)
	x.Publish(
		2,
	) //deliverylint:ignore publishoutsidetx/after-commit,checkthenact readers poll

	//deliverylint:ignore publishoutsidetx a blank line follows

	x.Publish()
	x.Publish() //nolint:publishoutsidetx
	x.Publish() //deliverylint:ignore publishoutsidetx
	x.Publish() //nolint:deliverylint // all rules
	x.Publish() //deliverylint:ignore deliverylint all rules
	x.Publish() // deliverylint:ignore publishoutsidetx a space
	x.Publish() //nolint
	x.Publish() //nolint:errcheck // not ours
	x.Publish() //deliverylint:ignore nosuch reason
	x.Publish() //deliverylint:ignore
	x.Publish() //deliverylint:ingore publishoutsidetx reason
	if x.Publish() { //deliverylint:ignore publishoutsidetx the block too
		x.Publish()
	}
	x.Publish() //deliverylint:ignore publishoutsidetx/dual-write another category
}
`

// published are findings at every call of x.Publish.
func published(fset *token.FileSet, file *ast.File) []Finding {
	var list []Finding
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			list = append(list, Finding{
				Rule: "publishoutsidetx", Category: "after-commit",
				Pos: fset.Position(call.Pos()), End: fset.Position(call.End()),
			})
		}
		return true
	})
	return list
}

func TestIgnores(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	ig := NewIgnores([]string{"publishoutsidetx", "publishoutsidetx/after-commit", "publishoutsidetx/dual-write", "checkthenact"})
	ig.Read(fset, "example.com/p", []*ast.File{file})
	ig.Read(fset, "example.com/p", []*ast.File{file}) // the test variant
	lines := strings.Split(source, "\n")
	var got []string
	for _, f := range ig.Filter(published(fset, file)) {
		got = append(got, "reported: "+strings.TrimSpace(lines[f.Pos.Line-1]))
	}
	complaints := ig.Complaints(func(name, file string) bool { return name != "publishoutsidetx/dual-write" })
	for _, f := range complaints {
		got = append(got, f.Function+": "+f.Message)
		if err := Check(f.Message); err != nil {
			t.Error(err)
		}
		if f.Name() != DirectiveName || f.Tier != Warning || f.Pos.Filename != "p.go" {
			t.Errorf("complaint %+v", f)
		}
	}
	want := []string{
		"reported: x.Publish()",
		"reported: x.Publish()",
		"reported: x.Publish() // deliverylint:ignore publishoutsidetx a space",
		"reported: x.Publish() //nolint",
		"reported: x.Publish() //nolint:errcheck // not ours",
		"reported: x.Publish() //deliverylint:ignore nosuch reason",
		"reported: x.Publish() //deliverylint:ignore",
		"reported: x.Publish() //deliverylint:ingore publishoutsidetx reason",
		"reported: x.Publish() //deliverylint:ignore publishoutsidetx/dual-write another category",
		"(*S).Ship: //deliverylint:ignore publishoutsidetx/after-commit,checkthenact silences nothing: there is no finding of checkthenact here",
		"(*S).Ship: //deliverylint:ignore publishoutsidetx silences nothing: there is no finding of publishoutsidetx here",
		"(*S).Ship: //nolint:publishoutsidetx gives no reason: nobody can tell later whether it still holds",
		"(*S).Ship: //deliverylint:ignore publishoutsidetx gives no reason: nobody can tell later whether it still holds",
		"(*S).Ship: // deliverylint:ignore publishoutsidetx is plain text: a directive has no space after the slashes",
		"(*S).Ship: //deliverylint:ignore nosuch names a rule that doesn't exist: nosuch",
		"(*S).Ship: //deliverylint:ignore names no rule",
		"(*S).Ship: //deliverylint:ingore is no directive that deliverylint knows",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got:\n%s\n\nwant:\n%s", g, w)
	}
}

func TestIgnoreWholeFile(t *testing.T) {
	fset := token.NewFileSet()
	text := "//deliverylint:ignore publishoutsidetx generated\npackage p\n\nfunc f() { x.Publish() }\n"
	file, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	ig := NewIgnores([]string{"publishoutsidetx"})
	ig.Read(fset, "p", []*ast.File{file})
	if left := ig.Filter(published(fset, file)); len(left) > 0 {
		t.Errorf("left: %+v", left)
	}
}
