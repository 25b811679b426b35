// Package catalog holds the catalog to the libraries it speaks of: every symbol
// is looked up in the library's own source.
package catalog

import (
	"go/types"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// suite checks what the catalog says against the loaded packages.
type suite struct {
	*testing.T
	pkgs       map[string]*types.Package
	unverified map[string]string
	// told are the packages that are known to be missing.
	told map[string]bool
	used map[string]bool
}

// TestLibraries checks every entry, type and handler against its library.
func TestLibraries(t *testing.T) {
	c, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	s := &suite{T: t, unverified: unverified(), told: map[string]bool{}, used: map[string]bool{}}
	var paths []string
	for _, path := range c.Packages() {
		if s.unverified[path] == "" {
			paths = append(paths, path)
		}
	}
	s.pkgs, err = loadTypes(paths)
	if err != nil {
		t.Error(err)
	}
	for _, e := range c.Entries() {
		s.check(e.Symbol.Package, e.Source, func(pkg *types.Package) error { return checkEntry(pkg, e) }, e.Symbol.String())
	}
	for _, ty := range c.Types() {
		s.check(ty.Package, ty.Source, func(pkg *types.Package) error { return checkType(pkg, ty.Name) }, ty.Package)
	}
	for _, h := range c.Handlers() {
		s.checkHandler(h)
	}
	s.checkLists(c)
}

// check runs one check on a package, and tells once of one that is missing.
func (s *suite) check(path, source string, check func(*types.Package) error, what string) {
	s.used[path] = true
	pkg := s.pkgs[path]
	if pkg == nil {
		if s.unverified[path] == "" && !s.told[path] {
			s.Errorf("%s: package %s was not loaded", source, path)
		}
		s.told[path] = true
		return
	}
	if err := check(pkg); err != nil {
		s.Errorf("%s: %s: %v", source, what, err)
	}
}

func (s *suite) checkHandler(h catalog.HandlerType) {
	if h.Package != "" {
		s.check(h.Package, h.Source, func(pkg *types.Package) error { return checkHandler(pkg, h) }, h.Package)
	}
	if dot := strings.LastIndex(h.Param, "."); dot >= 0 {
		path, name := h.Param[:dot], h.Param[dot+1:]
		s.check(path, h.Source, func(pkg *types.Package) error { return checkType(pkg, name) }, path)
	}
}

// checkLists tells of packages that nothing is said of and of exceptions that
// nothing needs.
func (s *suite) checkLists(c *catalog.Catalog) {
	listed := map[string]bool{}
	for _, path := range c.Packages() {
		listed[path] = true
		if !s.used[path] {
			s.Errorf("nothing is said of package %s", path)
		}
	}
	for path := range s.unverified {
		if !listed[path] {
			s.Errorf("unverified: no library lists %s", path)
		}
	}
}

func checkType(pkg *types.Package, name string) error {
	_, err := lookupType(pkg, name)
	return err
}
