// Package analysistest runs a rule over its cases in testdata, a module of its
// own that requires the real client libraries, by the way that the command
// takes: loaded from source, linked as one program. What the rule says is held
// against the comments of the files:
//
//	return bus.Publish(ctx, event) // want dual-write "follows"
//
// names the category of a finding on its line and, in quotes, a regular
// expression that the message matches. A comment may hold several, and every
// finding needs one.
//
// What the linter gets wrong today stands in testdata/known.txt. A difference
// that is not listed there fails the test, and so does a listed one that is
// gone, so that the list only shrinks. After a change
//
//	go test ./analyzers/publishoutsidetx -update-known
//
// writes the list anew: lines that stay keep their reason, new ones get the
// reason "?", which fails until somebody writes a real one.
package analysistest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/load"
)

// Cases are the packages in a rule's folder of testdata. They are loaded once
// and may be analysed often.
type Cases struct {
	rule analyzers.Rule
	dir  string // testdata
	cat  *catalog.Catalog
	res  *load.Result
	// overlay are files that have other bytes than on disk.
	overlay map[string][]byte
	wants   []want
	// program is what was made of them, once findings were asked for.
	program *effect.Program
}

// Once returns what loads the cases of a rule for its tests, when the first asks.
func Once(rule string) func(t *testing.T) *Cases {
	load := sync.OnceValues(func() (*Cases, error) { return Load(rule) })
	return func(t *testing.T) *Cases {
		t.Helper()
		c, err := load()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

// Load reads the cases of a rule. A test binary calls it once: it takes far
// longer than the analysis.
func Load(rule string) (*Cases, error) {
	c := new(Cases)
	var err error
	if c.rule, err = ruleNamed(rule); err != nil {
		return nil, err
	}
	if c.dir, err = testdata(); err != nil {
		return nil, err
	}
	if c.cat, err = catalog.Builtin(); err != nil {
		return nil, fmt.Errorf("reading what libraries mean: %w", err)
	}
	c.res, err = load.Load(context.Background(), c.config())
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", c.dir, err)
	}
	return c, errors.Join(c.loadErrors(), c.readWants())
}

func (c *Cases) config() load.Config {
	return load.Config{
		Dir: c.dir, Patterns: []string{"./" + c.rule.Name + "/..."}, Env: []string{"GOFLAGS=", "GOWORK=off"},
		Bodies: effect.Bodies(c.cat), Overlay: c.overlay,
	}
}

func (c *Cases) loadErrors() error {
	var errs []error
	for _, e := range c.res.Errors {
		errs = append(errs, fmt.Errorf("%s: %s", e.Pos, e.Message))
	}
	return errors.Join(errs...)
}

// readWants reads the comments of the files, and makes sure that no file of the
// folder was passed over.
func (c *Cases) readWants() error {
	var errs []error
	read := map[string]bool{}
	for _, p := range c.res.Packages {
		if !p.Target {
			continue
		}
		for _, f := range p.Files {
			wants, err := readWants(c.res.Fset, f, c.rule.Tier)
			errs = append(errs, err)
			c.wants = append(c.wants, wants...)
			read[c.res.Fset.Position(f.Package).Filename] = true
		}
	}
	err := filepath.WalkDir(filepath.Join(c.dir, c.rule.Name), func(name string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".go" && !read[name] {
			err = fmt.Errorf("%s was not loaded", c.rel(name))
		}
		return err
	})
	return errors.Join(append(errs, err)...)
}

func ruleNamed(name string) (analyzers.Rule, error) {
	for _, r := range analyzers.All() {
		if r.Name == name {
			return r, nil
		}
	}
	return analyzers.Rule{}, fmt.Errorf("there is no rule %s", name)
}

// testdata is the folder beside this file. Tests run in the folder of their
// package, which is somewhere below the module's root.
func testdata() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		found := filepath.Join(dir, "analysistest", "testdata")
		if _, err := os.Stat(filepath.Join(found, "go.mod")); err == nil {
			return found, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", errors.New("no analysistest/testdata above the working directory")
		}
		dir = above
	}
}

// Findings analyses the cases once, from the types on.
func (c *Cases) Findings() ([]finding.Finding, error) {
	program, failures := effect.Build(c.res.Fset, units(c.res), c.res.Types, c.cat)
	var errs []error
	for _, f := range failures {
		errs = append(errs, fmt.Errorf("%s: %s", f.Package, f.Message))
	}
	c.program = program
	found := finding.Dedup(c.rule.Check(program, nil))
	finding.Fingerprint(found)
	return found, errors.Join(errs...)
}

func units(res *load.Result) []*effect.Unit {
	var out []*effect.Unit
	for _, p := range res.Packages {
		if p.Types == nil || p.Info == nil {
			continue
		}
		out = append(out, &effect.Unit{
			Path: p.Path, Files: p.Files, Types: p.Types, Info: p.Info, Target: p.Target, Generated: p.Generated,
		})
	}
	return out
}

// analyse is Findings as bytes, with file names as they are on this machine.
func (c *Cases) analyse() ([]byte, error) {
	found, err := c.Findings()
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(found, "", "\t")
}

// rel is a file's name within testdata, with forward slashes.
func (c *Cases) rel(file string) string {
	name, err := filepath.Rel(c.dir, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(name)
}

// topic is the folder below the rule's that a file within testdata is in.
func (c *Cases) topic(file string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(file, c.rule.Name+"/"), "/")
	return name
}
