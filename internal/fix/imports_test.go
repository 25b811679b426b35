package fix

import (
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// others are packages that may be imported: each declares V.
func others(paths ...string) func(string) *types.Package {
	known := map[string]*types.Package{}
	for _, p := range paths {
		name := strings.TrimPrefix(p[strings.LastIndex(p, "/")+1:], "go-")
		known[p] = types.NewPackage(p, name)
		known[p].Scope().Insert(types.NewVar(token.NoPos, known[p], "V", types.Typ[types.Int]))
		known[p].MarkComplete()
	}
	return func(path string) *types.Package { return known[path] }
}

// using is a finding whose fix gives a function of the source something of another
// package in the place of a number.
func using(t *testing.T, p *Package, file, number, path string) finding.Finding {
	t.Helper()
	f := p.File(file)
	at := strings.Index(string(f.Text), "return "+number) + len("return ")
	e := f.Edits()
	name := e.Import(path)
	e.add(at, at+1, name+".V")
	return finding.Finding{Pos: token.Position{Filename: file}, Fixes: e.Offer("m")}
}

func TestImport(t *testing.T) {
	const grouped = "package p\n\nimport (\n\t\"b/b\"\n\n\t\"m/n\"\n)\n\nfunc one() int { return 1 + b.V + n.V }\n\nfunc two() int { return 2 }\n"
	for _, test := range []struct{ name, text, path, want string }{
		{"none yet", source, "a/b", "package p\n\nimport \"a/b\"\n\nfunc one"},
		{"among others", grouped, "a/a", "import (\n\t\"a/a\"\n\t\"b/b\"\n"},
		{"there already", grouped, "b/b", "import (\n\t\"b/b\"\n\n\t\"m/n\"\n)"},
		{"another name", source, "a/go-x", "import x \"a/go-x\"\n"},
		{"not known", source, "z/z", ""},
		{"internal to others", source, "q/internal/b", ""},
	} {
		p, dir := loadWith(t, map[string]string{"a.go": test.text}, others("a/b", "b/b", "m/n", "a/a", "a/go-x", "q/internal/b"))
		file := filepath.Join(dir, "a.go")
		f := using(t, p, file, "2", test.path)
		if len(f.Fixes) == 0 {
			if test.want != "" {
				t.Errorf("%s: nothing is offered", test.name)
			}
			continue
		}
		plan := NewPlan([]*Package{p}, []finding.Finding{f})
		if got := string(plan.New[file]); test.want == "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}

// TestImportTwice: two fixes of one file import the same, and a third something
// beside it.
func TestImportTwice(t *testing.T) {
	p, dir := loadWith(t, map[string]string{"a.go": strings.Replace(source, "package p\n", "package p\n\nimport (\n\t\"b/b\"\n)\n\nvar _ = b.V\n\nfunc three() int { return 3 }\n", 1)}, others("a/a", "a/c", "b/b"))
	file := filepath.Join(dir, "a.go")
	plan := NewPlan([]*Package{p}, []finding.Finding{
		using(t, p, file, "1", "a/c"), using(t, p, file, "2", "a/c"), using(t, p, file, "3", "a/a"),
	})
	if len(plan.Fixed) != 3 {
		t.Errorf("%+v", plan.Dropped)
	}
	if got := string(plan.New[file]); !strings.Contains(got, "import (\n\t\"a/a\"\n\t\"a/c\"\n\t\"b/b\"\n)") {
		t.Error(got)
	}
}

// TestApart: of two fixes that add an import at one place the first is left.
func TestApart(t *testing.T) {
	p, dir := loadWith(t, map[string]string{"a.go": source}, others("a/b"))
	file := filepath.Join(dir, "a.go")
	list := []finding.Finding{using(t, p, file, "1", "a/b"), using(t, p, file, "2", "a/b"), replace(file, source, "two()", "too()")}
	Apart(list)
	if len(list[0].Fixes) != 1 || len(list[1].Fixes) != 0 || len(list[2].Fixes) != 1 {
		t.Errorf("%+v", list)
	}
}
