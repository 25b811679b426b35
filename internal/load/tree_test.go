package load

import (
	"errors"
	"go/ast"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"
)

// TestTree loads the module at $LOAD_TREE, builds SSA for what was read with
// bodies and logs what it cost. $LOAD_TESTS=1 takes the tests too.
func TestTree(t *testing.T) {
	dir := os.Getenv("LOAD_TREE")
	if dir == "" {
		t.Skip("LOAD_TREE is not set")
	}
	start, before := time.Now(), cpu()
	cfg := Config{Dir: dir, Patterns: []string{"./..."}, Tests: os.Getenv("LOAD_TESTS") != ""}
	if os.Getenv("LOAD_BODIES") != "" {
		cfg.Bodies = func(string, []string, []*ast.File) bool { return true }
	}
	res, err := Load(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	self, children := cpu().self-before.self, cpu().children-before.children
	broken, files := 0, 0
	for _, p := range res.Packages {
		broken += len(p.Broken)
		files += len(p.Files)
		for decl := range p.Broken {
			if !p.Main {
				t.Log("broken:", res.Fset.Position(decl.Pos()), decl.Name)
			}
		}
	}
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	t.Logf("%s: wall %.1f s, CPU %.1f s here, %.1f s in go list, %d MB; %d packages with bodies (%d files), %d in all, %d broken functions, %d errors",
		dir, time.Since(start).Seconds(), self.Seconds(), children.Seconds(), mem.Sys>>20, len(res.Packages), files, len(res.Types), broken, len(res.Errors))
	for i, e := range res.Errors {
		if i < 20 || strings.Contains(e.Message, "internal error") {
			t.Log(e)
		}
	}
	if errs := dependencyErrors(t, dir); len(errs) > 0 {
		t.Log("dependencies:", errs)
	}
	buildSSA(res)
}

// dependencyErrors loads again and returns the hidden errors of dependencies.
func dependencyErrors(t *testing.T, dir string) (errs []error) {
	l, err := list(t.Context(), Config{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.parseAll(t.Context()), l.checkAll(t.Context())); err != nil {
		t.Fatal(err)
	}
	for _, n := range l.needed {
		if n.failed != nil {
			errs = append(errs, n.failed)
		}
	}
	return errs
}

// buildSSA builds all functions, one package after the other.
func buildSSA(res *Result) *ssa.Program {
	prog := ssa.NewProgram(res.Fset, ssa.InstantiateGenerics)
	withBodies := map[string]bool{}
	for _, p := range res.Packages {
		withBodies[p.ID] = true
	}
	for path, p := range res.Types {
		if !withBodies[path] { // import path and ID are the same but for tests
			prog.CreatePackage(p, nil, nil, true)
		}
	}
	for _, p := range res.Packages {
		prog.CreatePackage(p.Types, p.Files, p.Info, true)
	}
	for _, p := range res.Packages {
		prog.Package(p.Types).Build()
	}
	return prog
}

type times struct{ self, children time.Duration }

func cpu() times {
	of := func(who int) time.Duration {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) != nil {
			return 0
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return times{of(syscall.RUSAGE_SELF), of(syscall.RUSAGE_CHILDREN)}
}
