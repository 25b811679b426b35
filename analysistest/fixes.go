package analysistest

import (
	"context"
	"flag"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
	"github.com/deliverylint/deliverylint/internal/load"
)

var updateGolden = flag.Bool("update-golden", false, "write the files beside those in testdata that say what fixes make of them")

// golden is what a file's name ends in that says what fixes make of the file beside it.
const golden = ".golden"

// Fixes applies the fixes that the rule offers, together: each file that changes is
// as the golden one beside it, everything type-checks, what was fixed is no longer
// found, nothing is new, and there is nothing left to fix.
func (c *Cases) Fixes(t *testing.T) {
	before, err := c.Findings()
	if err != nil {
		t.Fatal(err)
	}
	pkgs := c.offer(before)
	plan := fix.NewPlan(pkgs, before)
	for _, d := range plan.Dropped {
		t.Errorf("%s:%d: the fix is left out: %s", c.rel(d.Finding.Pos.Filename), d.Finding.Pos.Line, d.Why)
	}
	c.compareGolden(t, plan)
	if len(plan.Fixed) == 0 {
		t.Fatal("no fix is offered")
	}
	fixed := c.with(t, plan.New)
	after, err := fixed.Findings()
	if err != nil {
		t.Fatal(err)
	}
	bad := fix.Unhelpful(plan.Fixed, before, after)
	for _, f := range before {
		if bad[f.Fingerprint] {
			t.Errorf("%s:%d: there is a finding after the fix", c.rel(f.Pos.Filename), f.Pos.Line)
		}
	}
	fixed.offer(after)
	for _, f := range after {
		if len(f.Fixes) > 0 {
			t.Errorf("%s:%d: after all fixes there is one more", c.rel(f.Pos.Filename), f.Pos.Line)
		}
	}
	t.Logf("%d of %d findings are fixed", len(plan.Fixed), len(before))
}

// offer gives findings the fixes of the rule, and returns what they are made on.
func (c *Cases) offer(list []finding.Finding) []*fix.Package {
	facts := c.program.FixFacts()
	var main []*types.Package
	for _, p := range c.res.Packages {
		if p.Target {
			main = append(main, p.Types)
		}
	}
	inbox := fix.Inboxes(main)
	var pkgs []*fix.Package
	byPath := map[string]*fix.Package{}
	for _, p := range c.res.Packages {
		if p.Target && len(p.Broken) == 0 {
			byPath[p.Path] = &fix.Package{Fset: c.res.Fset, Files: p.Files, Types: p.Types, Info: p.Info, Read: c.read, Known: c.knownPackage, Facts: facts, Inbox: inbox}
			pkgs = append(pkgs, byPath[p.Path])
		}
	}
	beside := fix.ByFile(pkgs)
	for _, p := range pkgs {
		p.Beside = beside
	}
	for i := range list {
		if p := byPath[list[i].Package]; p != nil && c.rule.Fix != nil {
			list[i].Fixes = c.rule.Fix(p, &list[i])
		}
	}
	return pkgs
}

func (c *Cases) knownPackage(path string) *types.Package {
	if c.res.Partial[path] {
		return nil
	}
	return c.res.Types[path]
}

func (c *Cases) read(name string) ([]byte, error) {
	if text, ok := c.overlay[name]; ok {
		return text, nil
	}
	return os.ReadFile(name)
}

// with are the same cases with other bytes.
func (c *Cases) with(t *testing.T, overlay map[string][]byte) *Cases {
	t.Helper()
	changed := &Cases{rule: c.rule, dir: c.dir, cat: c.cat, overlay: overlay}
	var err error
	if changed.res, err = load.Load(context.Background(), changed.config()); err != nil {
		t.Fatal(err)
	}
	if err := changed.loadErrors(); err != nil {
		t.Fatal(err)
	}
	return changed
}

func (c *Cases) compareGolden(t *testing.T, plan *fix.Plan) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(plan.New)) {
		file := name + golden
		if *updateGolden {
			if err := os.WriteFile(file, plan.New[name], 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%s changes, and there is no golden file: -update-golden writes it", c.rel(name))
		} else if a, b := firstDifference(want, plan.New[name]); string(want) != string(plan.New[name]) {
			t.Errorf("%s: the fixes give\n%s\nwant\n%s", c.rel(name), b, a)
		}
	}
	err := filepath.WalkDir(filepath.Join(c.dir, c.rule.Name), func(file string, _ fs.DirEntry, err error) error {
		name, ok := strings.CutSuffix(file, golden)
		if ok && plan.New[name] == nil {
			t.Errorf("%s: no fix changes that file", c.rel(file))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
