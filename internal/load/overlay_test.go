package load

import (
	"path/filepath"
	"testing"
)

// TestOverlay: a file is read from memory, longer or shorter than on disk, and what
// imports it sees that.
func TestOverlay(t *testing.T) {
	for _, text := range []string{
		"package a\n\nfunc A() string { return \"\" }\n\nfunc B() string { return \"longer than what is on disk\" }\n",
		"package a\nfunc A()string\n",
	} {
		dir := write(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a

func A() int { return 1 } // some words
-- b/b.go --
package b

import "example.com/m/a"

var S string = a.A()
`)
		name := filepath.Join(dir, "a", "a.go")
		res, err := Load(t.Context(), offline(Config{Dir: dir, Patterns: []string{"./..."}, Overlay: map[string][]byte{name: []byte(text)}}))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range res.Errors {
			if e.Package == "example.com/m/b" {
				t.Errorf("%s: %s", e.Pos, e.Message)
			}
		}
		a := find(t, res, "example.com/m/a")
		if tokens := res.Fset.File(a.Files[0].FileStart); tokens.Name() != name || tokens.Size() != len(text) {
			t.Errorf("%s has %d bytes, want %d", tokens.Name(), tokens.Size(), len(text))
		}
	}
}

// TestOverlayImports: such a file may import what the one on disk does not.
func TestOverlayImports(t *testing.T) {
	dir := write(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a

func A() int { return 1 }
-- b/b.go --
package b

var S int
`)
	text := "package b\n\nimport (\n\t\"strings\"\n\n\t\"example.com/m/a\"\n)\n\nvar S, T = a.A(), strings.ToUpper(\"\")\n"
	res, err := Load(t.Context(), offline(Config{Dir: dir, Patterns: []string{"./..."}, Overlay: map[string][]byte{filepath.Join(dir, "b", "b.go"): []byte(text)}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.Errors {
		t.Errorf("%s: %s", e.Pos, e.Message)
	}
}
