package load

import (
	"strings"
	"testing"
)

const service = `
-- go.mod --
module example.com/m
go 1.24
require example.com/lib v0.0.0
replace example.com/lib => ./lib
-- main.go --
package main

import (
	"example.com/lib"
	"example.com/m/port"
)

type client struct{}

func (client) Put() error { return lib.Put() }

func main() { port.Run(client{}) }
-- port/port.go --
package port

type Putter interface{ Put() error }

func Run(p Putter) error { return p.Put() }
-- port/port_test.go --
package port

import "testing"

func TestRun(*testing.T) {}
-- port/deep/deep.go --
package deep
-- broken/broken.go --
package broken

var _ int = missing
-- broken/broken_test.go --
package broken

import "nowhere.example/client"
-- lib/go.mod --
module example.com/lib
go 1.24
-- lib/lib.go --
package lib

func Put() error { return nil }
`

// TestWhole names one package and gets the module with it, for linking.
func TestWhole(t *testing.T) {
	for _, test := range []struct {
		dir      string
		patterns []string
		tests    bool
		want     string
	}{
		{patterns: []string{"./port"}, want: "example.com/m/port"},
		{patterns: []string{"./port/..."}, want: "example.com/m/port example.com/m/port/deep"},
		{patterns: []string{"example.com/m/port"}, want: "example.com/m/port"},
		{patterns: []string{"."}, want: "example.com/m"},
		{patterns: []string{"./port", "."}, want: "example.com/m/port example.com/m"},
		{patterns: []string{"example.com/lib"}, want: "example.com/lib"},
		{patterns: []string{"fmt"}, want: "fmt"},
		{dir: "port", patterns: []string{"."}, want: "example.com/m/port"},
		{dir: "port", patterns: []string{".."}, want: "example.com/m"},
		{dir: "port", patterns: []string{"./..."}, want: "example.com/m/port example.com/m/port/deep"},
		{
			patterns: []string{"./port"}, tests: true,
			want: "example.com/m/port example.com/m/port [example.com/m/port.test]",
		},
	} {
		res := mustLoad(t, service, Config{Dir: test.dir, Patterns: test.patterns, Tests: test.tests, Whole: true})
		wantStrings(t, "errors", messages(res))
		var targets []string
		for _, p := range res.Packages {
			if p.Target {
				targets = append(targets, p.ID)
			}
		}
		if got := strings.Join(targets, " "); got != test.want {
			t.Errorf("%v in %q: targets are %s, want %s", test.patterns, test.dir, got, test.want)
		}
		for _, id := range []string{"example.com/m", "example.com/m/port", "example.com/m/port/deep", "example.com/m/broken"} {
			if p := find(t, res, id); !p.Main {
				t.Errorf("%v: %s is not main", test.patterns, id)
			}
		}
	}
}

// TestWholeIsNotEverything: what is wrong with a pattern is told as without
// Whole, and named files have no module around them.
func TestWholeIsNotEverything(t *testing.T) {
	dir := write(t, service)
	for _, pattern := range []string{"./nowhere", "./nowhere/...", "example.com/m/nowhere", "./port/gone.go"} {
		_, want := Load(t.Context(), offline(Config{Dir: dir, Patterns: []string{pattern}}))
		_, err := Load(t.Context(), offline(Config{Dir: dir, Patterns: []string{pattern}, Whole: true}))
		if err == nil || want == nil || err.Error() != want.Error() {
			t.Errorf("%s: got %v, want %v", pattern, err, want)
		}
	}
	res, err := Load(t.Context(), offline(Config{Dir: dir, Patterns: []string{"port/port.go"}, Whole: true}))
	if err != nil {
		t.Fatal(err)
	}
	wantStrings(t, "packages", ids(res), "command-line-arguments")
	res, err = Load(t.Context(), offline(Config{Dir: dir, Patterns: []string{"./port", "./nowhere"}, Whole: true}))
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(messages(res), "\n"); !strings.Contains(text, "directory not found") {
		t.Errorf("errors: %s", text)
	}
	res, err = Load(t.Context(), offline(Config{Dir: dir, Whole: true}))
	if err != nil {
		t.Fatal(err)
	}
	wantStrings(t, "errors", messages(res), "broken.go:3: undefined: missing")
}

// TestWholeWorkspace: modules of the workspace in which nothing is named are
// other programs.
func TestWholeWorkspace(t *testing.T) {
	archive := service + `
-- go.work --
go 1.24
use (
	.
	./lib
	./other
)
-- other/go.mod --
module example.com/other
go 1.24
-- other/other.go --
package other
-- lib/sub/sub.go --
package sub
`
	res := mustLoad(t, archive, Config{Patterns: []string{"./lib"}, Whole: true, Env: []string{"GOWORK="}})
	wantStrings(t, "packages", ids(res), "example.com/lib", "example.com/lib/sub")
}
