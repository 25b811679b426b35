package catalog

import (
	"cmp"
	"embed"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

//go:embed libraries/*.yaml
var libraries embed.FS

// Catalog answers what a library's functions and types mean. It doesn't change
// once it is built.
type Catalog struct {
	functions map[Symbol]Entry
	types     map[typeName]TypeEntry
	handlers  []HandlerType
	// packages are the listed packages of libraries, modules theirs.
	packages, modules map[string]bool
	// names are the function and method names of each package, sorted.
	names map[string][]string
}

type typeName struct{ pkg, name string }

// Builtin reads the libraries that deliverylint knows.
func Builtin() (*Catalog, error) {
	return read(libraries)
}

// read reads libraries/*.yaml of a file system.
func read(fsys fs.FS) (*Catalog, error) {
	files, err := fs.Glob(fsys, "libraries/*.yaml")
	if err != nil {
		return nil, err
	}
	c := newCatalog()
	var errs []error
	for _, file := range files {
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		lib, err := readLibrary(path.Base(file), data)
		errs = append(errs, err, c.add(lib))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	c.index()
	return c, nil
}

func newCatalog() *Catalog {
	return &Catalog{
		functions: map[Symbol]Entry{},
		types:     map[typeName]TypeEntry{},
		packages:  map[string]bool{},
		modules:   map[string]bool{},
	}
}

// add takes in a library; what another file says already is an error.
func (c *Catalog) add(lib *library) error {
	var errs []error
	for _, p := range lib.packages {
		c.packages[p] = true
	}
	for _, m := range lib.modules {
		c.modules[m] = true
	}
	for _, e := range lib.functions {
		if first, dup := c.functions[e.Symbol]; dup {
			errs = append(errs, errorAt(e.Source, "%s stands twice, first at %s", e.Symbol, first.Source))
			continue
		}
		c.functions[e.Symbol] = e
	}
	for _, t := range lib.types {
		name := typeName{t.Package, t.Name}
		if first, dup := c.types[name]; dup {
			errs = append(errs, errorAt(t.Source, "%s.%s stands twice, first at %s", t.Package, t.Name, first.Source))
			continue
		}
		c.types[name] = t
	}
	c.handlers = append(c.handlers, lib.handlers...)
	return errors.Join(errs...)
}

// With adds a user's file, whose entries win, and returns the new catalog and
// the file's settings.
func (c *Catalog) With(file string, data []byte) (*Catalog, *Config, error) {
	lib, cfg, err := readConfig(file, data)
	if err != nil {
		return nil, nil, err
	}
	own := newCatalog()
	if err := own.add(lib); err != nil {
		return nil, nil, err
	}
	n := &Catalog{
		functions: maps.Clone(c.functions),
		types:     maps.Clone(c.types),
		packages:  c.packages,
		modules:   c.modules,
		handlers:  slices.Concat(lib.handlers, c.handlers),
	}
	maps.Copy(n.functions, own.functions)
	maps.Copy(n.types, own.types)
	n.index()
	return n, cfg, nil
}

// index fills names.
func (c *Catalog) index() {
	c.names = map[string][]string{}
	for s := range c.functions {
		if s.Name != anyMethod {
			c.names[s.Package] = append(c.names[s.Package], s.Name)
		}
	}
	for pkg, names := range c.names {
		slices.Sort(names)
		c.names[pkg] = slices.Compact(names)
	}
}

// Function returns the meaning of a function or method.
func (c *Catalog) Function(s Symbol) (Entry, bool) {
	e, ok := c.functions[s]
	if ok || s.Type == "" {
		return e, ok
	}
	e, ok = c.functions[Symbol{s.Package, s.Type, anyMethod}]
	e.Symbol = s
	return e, ok
}

// Type returns what a type is.
func (c *Catalog) Type(pkg, name string) (TypeEntry, bool) {
	t, ok := c.types[typeName{pkg, name}]
	return t, ok
}

// Handlers returns the handler types, the user's first.
func (c *Catalog) Handlers() []HandlerType {
	return slices.Clone(c.handlers)
}

// HasPackage tells whether a package is of a catalogued library: a listed one,
// or one inside a library's module.
func (c *Catalog) HasPackage(importPath string) bool {
	if c.packages[importPath] || c.modules[importPath] {
		return true
	}
	for i := strings.LastIndexByte(importPath, '/'); i > 0; i = strings.LastIndexByte(importPath[:i], '/') {
		if c.modules[importPath[:i]] {
			return true
		}
	}
	return false
}

// Packages returns the listed packages of the libraries, sorted.
func (c *Catalog) Packages() []string {
	return slices.Sorted(maps.Keys(c.packages))
}

// Declared returns the packages, sorted, of which only the user's file says
// something; they are no libraries, their code is read like any other.
func (c *Catalog) Declared() []string {
	found := map[string]bool{}
	for s := range c.functions {
		found[s.Package] = true
	}
	for t := range c.types {
		found[t.pkg] = true
	}
	maps.DeleteFunc(found, func(pkg string, _ bool) bool { return c.HasPackage(pkg) })
	return slices.Sorted(maps.Keys(found))
}

// Entries returns all entries, sorted by symbol.
func (c *Catalog) Entries() []Entry {
	return slices.SortedFunc(maps.Values(c.functions), func(a, b Entry) int { return compareSymbols(a.Symbol, b.Symbol) })
}

// Types returns all type entries, sorted by package and name.
func (c *Catalog) Types() []TypeEntry {
	return slices.SortedFunc(maps.Values(c.types), func(a, b TypeEntry) int {
		return compareSymbols(Symbol{Package: a.Package, Name: a.Name}, Symbol{Package: b.Package, Name: b.Name})
	})
}

// MethodNames returns the catalogued function and method names of a package,
// sorted, each once, without those that only "*" stands for.
func (c *Catalog) MethodNames(pkg string) []string {
	return slices.Clone(c.names[pkg])
}

func compareSymbols(a, b Symbol) int {
	return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Type, b.Type), strings.Compare(a.Name, b.Name))
}
