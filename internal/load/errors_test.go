package load

import (
	"context"
	"go/ast"
	"path/filepath"
	"strings"
	"testing"
)

func TestTypeErrors(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a

import "os"

type T struct{ next Missing }

func bad() int { return "x" }

func signature(m Missing) {}

func (t T) touches() { _ = t.next }

func good(t *T) int { return len("good") }

func unused() { x := 1 }

var value = undefined()

var table = map[string]func(){"a": func() { alsoUndefined() }}

var fine = len("x")
-- b/b.go --
package b

import "example.com/m/a"

type Good struct{}

func (Good) M() int { return 1 }
func (Good) M() int { return 2 }

func F() {}
func F() {}

func init() { F() }
`, Config{})
	a := find(t, res, "example.com/m/a")
	wantStrings(t, "broken", brokenNames(a), "bad", "signature", "touches")
	if len(a.Info.InitOrder) != 1 {
		t.Errorf("init order: %v", a.Info.InitOrder)
	}
	wantStrings(t, "errors", messages(res),
		`a.go:3: "os" imported and not used`,
		`a.go:5: undefined: Missing`,
		`a.go:7: cannot use "x" (untyped string constant) as int value in return statement`,
		`a.go:9: undefined: Missing`,
		`a.go:15: declared and not used: x`,
		`a.go:17: undefined: undefined`,
		`a.go:19: undefined: alsoUndefined`,
		`b.go:3: "example.com/m/a" imported and not used`,
		`b.go:8: method Good.M already declared at b/b.go:7:13`,
		`b.go:11: F redeclared in this block`,
	)
}

// TestTypeOfMissing: SSA can't be built for values of a type that is made from one
// of a missing package.
func TestTypeOfMissing(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a

import "example.com/none"

type V none.V

func lit() any { return V{} }

func list() any { return []V{{1}, {2}} }

func each(v V) { for range v { } }

func hand(v V) any { return v }

var table = []V{{1}}
-- b/b.go --
package b

import "example.com/m/a"

func lit() any { return a.V{} }

func good() {}
`, Config{})
	wantStrings(t, "broken", brokenNames(find(t, res, "example.com/m/a")), "each", "list", "lit")
	wantStrings(t, "broken", brokenNames(find(t, res, "example.com/m/b")), "lit")
}

// TestRedeclared: two programs in one folder, as scripts are kept.
func TestRedeclared(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package main

var n, c = 1, 2

var two, _ = pair()

func pair() (int, int) { return 1, 2 }

func main() { _ = n }
-- a/b.go --
package main

var n, other = pair()

var c, d = func() int { return 3 }(), 4

const two = 2

func main() { _ = other }

func uses() int { return other + d + two }
`, Config{})
	wantStrings(t, "errors", messages(res),
		"b.go:3: n redeclared in this block",
		"b.go:5: c redeclared in this block",
		"b.go:7: two redeclared in this block",
		"b.go:9: main redeclared in this block",
	)
}

// TestLineComments: positions are places in the file, not those that its
// comments name.
func TestLineComments(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a

//line /etc/passwd:1
var a = undefined

//line gen.y:70:3
func f() {}
-- b/b.go --
package b

//line /etc/passwd:1
func f( {}
-- c/c.go --
package c
`, Config{})
	wantStrings(t, "errors", messages(res),
		"a.go:4: undefined: undefined",
		"b.go:4: expected ')', found '{'",
	)
	for _, decl := range find(t, res, "example.com/m/a").Files[0].Decls {
		if pos := res.Fset.Position(decl.Pos()); filepath.Base(pos.Filename) != "a.go" || pos.Line > 7 {
			t.Errorf("a declaration at %s", pos)
		}
	}
}

// TestInstantiationCycle: SSA of generic code without an end of instances would
// be built for ever.
func TestInstantiationCycle(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a

func F[A any](n int) { F[*A](n - 1) }

func Use() { F[int](1) }
-- b/b.go --
package b

type T[A any] struct{ next *T[*A] }

func broken() int { return "x" }
-- c/c.go --
package c

import "example.com/m/b"

func bad() any { return b.T[string]{} }

func good() {}
`, Config{})
	wantStrings(t, "packages", ids(res), "example.com/m/c")
	wantStrings(t, "broken", brokenNames(find(t, res, "example.com/m/c")), "bad")
	wantStrings(t, "errors", messages(res),
		"a.go:3: instantiation cycle",
		`b.go:5: cannot use "x" (untyped string constant) as int value in return statement`,
		"c.go:3: could not import example.com/m/b (an instantiation cycle)",
	)
}

func TestSyntaxError(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a

func bad() {
	x := := 1
}

func good() int { return 1 }
-- a/other.go --
package a

func other() int { return good() }
`, Config{})
	a := find(t, res, "example.com/m/a")
	wantStrings(t, "broken", brokenNames(a), "bad", "other") // the parser takes good for a part of bad
	wantStrings(t, "errors", messages(res), "a.go:4: expected operand, found ':='")
}

// TestSyntaxErrorTwice: the go command and the parser say the same of a file.
func TestSyntaxErrorTwice(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a
import "fmt
-- b/b.go --
packag b
-- c/c.go --
package c
import "a b"
-- d/d.go --
package d
`, Config{Tests: true})
	wantStrings(t, "errors", messages(res),
		"a.go:2: string literal not terminated",
		"b.go:1: expected 'package', found packag",
		"c.go:2: invalid import path: a b")
}

func TestMissingImport(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a

import "nowhere.example/client"

type Repo struct{ c *client.Client }

func (r *Repo) Save() error { return r.c.Put() }

func (r *Repo) Name() string { return "repo" }
-- b/b.go --
package b

import "example.com/m/a"

func B(r *a.Repo) string { return r.Name() }
-- c/c.go --
package c

import "example.com/m/nowhere"

func C() { nowhere.F() }
`, Config{})
	wantStrings(t, "broken", brokenNames(find(t, res, "example.com/m/a")), "Save")
	wantStrings(t, "broken", brokenNames(find(t, res, "example.com/m/b")))
	wantStrings(t, "errors", messages(res),
		"a.go:3: could not import nowhere.example/client (no required module provides package nowhere.example/client; to add it: go get nowhere.example/client)",
		"c.go:3: could not import example.com/m/nowhere (no required module provides package example.com/m/nowhere; to add it: go get example.com/m/nowhere)")
}

func TestImportCycle(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a

import "example.com/m/b"

func A() { b.B() }
-- b/b.go --
package b

import "example.com/m/a"

func B() { a.A() }
`, Config{})
	text := strings.Join(messages(res), "\n")
	if !strings.Contains(text, "import cycle") {
		t.Errorf("errors: %s", text)
	}
}

func TestBrokenDependency(t *testing.T) {
	archive := `
-- go.mod --
module example.com/m
go 1.24
require example.com/lib v0.0.0
replace example.com/lib => ./lib
-- a.go --
package a

import "example.com/lib"

func A() any { return lib.USED }
-- lib/go.mod --
module example.com/lib
go 1.24
-- lib/lib.go --
package lib

import "nowhere.example/client"

func Bad() client.Client { return client.Client{} }

func Good() int { return missing }
`
	res := mustLoad(t, strings.ReplaceAll(archive, "USED", "Good()"), Config{})
	wantClean(t, res)
	res = mustLoad(t, strings.ReplaceAll(archive, "USED", "Bad()"), Config{})
	wantStrings(t, "broken", brokenNames(res.Packages[0]), "A")
	if text := strings.Join(messages(res), "\n"); !strings.HasPrefix(text, "a.go:5: cannot be type-checked because of ") || !strings.Contains(text, "lib.go:3:8: could not import nowhere.example/client") {
		t.Errorf("errors: %s", text)
	}
}

func TestMixedPackages(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a

func A() {}
-- a/b.go --
package b

func B() {}
-- c/c.go --
package c
`, Config{})
	if text := strings.Join(messages(res), "\n"); !strings.Contains(text, "found packages a (a.go) and b (b.go)") {
		t.Errorf("errors: %s", text)
	}
	find(t, res, "example.com/m/c")
}

func TestNothingLoaded(t *testing.T) {
	for _, test := range []struct{ archive, pattern, want string }{
		{"-- a.go --\npackage a\n", "./...", "directory prefix . does not contain main module or its selected dependencies"},
		{"-- go.mod --\nmodule m\n-- a.go --\npackage a\n", "./nowhere", "directory not found"},
		{"-- go.mod --\nmodule m\n-- a.go --\npackage a\n", "./nowhere/...", "no such file or directory"},
		{"-- go.mod --\nmodule m\n-- a.go --\npackage a\n", "nowhere.example/x", "no required module provides package"},
		{"-- go.mod --\nmodule m\ngo 1.99\n-- a.go --\npackage a\n", "./...", "go.mod requires go >= 1.99"},
		{"-- go.mod --\nmodule m\n-- readme --\n", "./...", "no packages match ./..."},
		{"-- go.mod --\nmodul m\n-- a.go --\npackage a\n", ".", "unknown directive: modul"},
		{"-- go.mod --\nmodule m\nrequire x.example/y v1.0.0\n-- a.go --\npackage a\n", "./...", "missing go.sum entry"},
	} {
		_, err := Load(context.Background(), offline(Config{Dir: write(t, test.archive), Patterns: []string{test.pattern}}))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %s: %v", test.archive, test.pattern, err)
		} else {
			t.Log(err)
		}
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Load(ctx, offline(Config{Dir: write(t, "-- go.mod --\nmodule m\n-- a.go --\npackage a\n")})); err == nil {
		t.Error("no error")
	}
}

func TestPanic(t *testing.T) {
	dir := write(t, withLibrary)
	res, err := Load(t.Context(), offline(Config{Dir: dir, Bodies: func(string, []string, []*ast.File) bool { panic("oops") }}))
	if err != nil {
		t.Fatal(err)
	}
	wantStrings(t, "errors", messages(res), "a.go:3: could not import example.com/lib (internal error while parsing example.com/lib: oops)")
	buildSSA(res)
}

func TestNoFiles(t *testing.T) {
	archive := `
-- go.mod --
module example.com/m
go 1.24
-- a/a.go --
package a
-- tests/x_test.go --
package tests
-- external/x_test.go --
package external_test
-- other/other.go --
//go:build ignore

package main
`
	res := mustLoad(t, archive, Config{})
	wantClean(t, res)
	wantStrings(t, "packages", ids(res), "example.com/m/a")
	res = mustLoad(t, archive, Config{Tests: true})
	wantClean(t, res)
	wantStrings(t, "packages", ids(res), "example.com/m/a",
		"example.com/m/external_test [example.com/m/external.test]", "example.com/m/tests [example.com/m/tests.test]")
	res = mustLoad(t, archive, Config{Patterns: []string{"./a", "./other"}})
	wantStrings(t, "errors", messages(res), ".:0: build constraints exclude all Go files in other")
}

func TestFilePattern(t *testing.T) {
	res := mustLoad(t, `
-- go.mod --
module example.com/m
go 1.24
-- a.go --
package a

import "example.com/m/b"

func A() { b.B() }
-- other.go --
package a

func Other() {}
-- b/b.go --
package b

func B() {}
`, Config{Patterns: []string{"a.go"}})
	wantClean(t, res)
	wantStrings(t, "packages", ids(res), "example.com/m/b", "command-line-arguments")
	if p := res.Packages[1]; !p.Target || !p.Main || len(p.Files) != 1 {
		t.Errorf("package: %+v", p)
	}
}
