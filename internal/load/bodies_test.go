package load

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

const withLibrary = `
-- go.mod --
module example.com/m
go 1.24
require example.com/lib v0.0.0
replace example.com/lib => ./lib
-- a.go --
package a

import "example.com/lib"

func Save() { lib.Save() }
-- lib/go.mod --
module example.com/lib
go 1.24
-- lib/lib.go --
package lib

import (
	"database/sql"
	"example.com/lib/log"
)

// Save saves.
func Save() { log.Print(); sql.Open("", "") }
-- lib/log/log.go --
package log

func Print() {}
`

func TestBodies(t *testing.T) {
	var asked []string
	res := mustLoad(t, withLibrary, Config{Bodies: func(path string, imports []string, files []*ast.File) bool {
		asked = append(asked, path+" "+strings.Join(imports, " "))
		body := files[0].Decls[len(files[0].Decls)-1].(*ast.FuncDecl)
		return len(body.Body.List) > 0 && body.Doc == nil
	}})
	wantClean(t, res)
	wantStrings(t, "asked", asked, "example.com/lib database/sql example.com/lib/log", "example.com/lib/log ")
	wantStrings(t, "packages", ids(res), "example.com/lib", "example.com/m")
	lib := res.Packages[0]
	if lib.Main || lib.Target || lib.Module != "example.com/lib" || lib.Info == nil {
		t.Errorf("lib: %+v", lib)
	}
}

func TestCandidate(t *testing.T) {
	res := mustLoad(t, withLibrary, Config{
		Candidate: func(path string, imports []string) bool {
			return !slices.Contains(imports, "database/sql")
		},
		Bodies: func(path string, _ []string, _ []*ast.File) bool {
			t.Errorf("asked for %s", path)
			return true
		},
	})
	wantStrings(t, "packages", ids(res), "example.com/m")
}
