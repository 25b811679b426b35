package catalog

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Catalog answers what a library's functions and types mean. It doesn't change
// once it is built, and may be asked by several goroutines at once.
type Catalog struct {
	// shelf are the libraries, own the user's entries, which win.
	shelf *shelf
	own   *book
	// outbox names the user's.
	outbox Names
}

// Builtin returns the libraries that deliverylint knows. The file of a library
// is read when one of its packages is first asked for: most programs need few.
func Builtin() (*Catalog, error) {
	s, err := openShelf(libraries)
	if err != nil {
		return nil, err
	}
	return &Catalog{shelf: s, own: newBook()}, nil
}

func newCatalog() *Catalog {
	return &Catalog{shelf: newShelf(), own: newBook()}
}

// With adds a user's file, whose entries win, and returns the new catalog and
// the file's settings.
func (c *Catalog) With(file string, data []byte) (*Catalog, *Config, error) {
	lib, cfg, err := readConfig(file, data)
	if err != nil {
		return nil, nil, err
	}
	own := newBook()
	if err := own.add(lib); err != nil {
		return nil, nil, err
	}
	own.index()
	for _, f := range cfg.Outbox.Functions {
		if _, ok := own.functions[f.Symbol]; !ok {
			own.functions[f.Symbol] = outboxEntry(f)
		}
	}
	names := Names{
		Tables:    slices.Concat(c.outbox.Tables, cfg.Outbox.Tables),
		Functions: slices.Concat(c.outbox.Functions, cfg.Outbox.Functions),
	}
	return &Catalog{shelf: c.shelf, own: own.over(c.own), outbox: names}, cfg, nil
}

// outboxEntry is the meaning of a function that is named as one that stores events:
// its handle is told by the types of what it is given.
func outboxEntry(f NamedSymbol) Entry {
	e := NewEntry(f.Symbol)
	e.Kind, e.Op, e.Source = OutboxWrite, Insert, f.Source
	return e
}

// Outbox are the tables and functions that the user's file names.
func (c *Catalog) Outbox() Names { return c.outbox }

// OutboxTable reports whether the user's file names a table, or the type of its rows,
// as one of events to be sent; a schema before it and underscores don't count.
func (c *Catalog) OutboxTable(name string) bool {
	return name != "" && slices.ContainsFunc(c.outbox.Tables, func(t Named) bool { return bare(t.Name) == bare(name) })
}

func bare(table string) string {
	table = strings.Trim(table[strings.LastIndexByte(table, '.')+1:], "\"`[]")
	return strings.ToLower(strings.ReplaceAll(table, "_", ""))
}

// Function returns the meaning of a function or method.
func (c *Catalog) Function(s Symbol) (Entry, bool) {
	e, ok := c.lookup(s)
	if ok || s.Type == "" {
		return e, ok
	}
	e, ok = c.lookup(Symbol{s.Package, s.Type, anyMethod})
	e.Symbol = s
	return e, ok
}

func (c *Catalog) lookup(s Symbol) (Entry, bool) {
	if e, ok := c.own.functions[s]; ok {
		return e, true
	}
	for _, v := range c.shelf.of(s.Package) {
		if e, ok := v.book().functions[s]; ok {
			return e, true
		}
	}
	return Entry{}, false
}

// Type returns what a type is.
func (c *Catalog) Type(pkg, name string) (TypeEntry, bool) {
	key := typeName{pkg, name}
	if t, ok := c.own.types[key]; ok {
		return t, true
	}
	for _, v := range c.shelf.of(pkg) {
		if t, ok := v.book().types[key]; ok {
			return t, true
		}
	}
	return TypeEntry{}, false
}

// Handlers returns the handler types, the user's first.
func (c *Catalog) Handlers() []HandlerType {
	return c.all().handlers
}

// HandlersOf returns the handler types that a program can have, the user's
// first: those of the libraries of which it has a listed package.
func (c *Catalog) HandlersOf(has func(importPath string) bool) []HandlerType {
	out := slices.Clone(c.own.handlers)
	for _, v := range c.shelf.volumes {
		if slices.ContainsFunc(v.packages, has) {
			out = append(out, v.book().handlers...)
		}
	}
	return out
}

// HasPackage tells whether a package is of a catalogued library: a listed one,
// or one inside a library's module.
func (c *Catalog) HasPackage(importPath string) bool {
	return c.shelf.has(importPath)
}

// Packages returns the listed packages of the libraries, sorted.
func (c *Catalog) Packages() []string {
	return slices.Sorted(maps.Keys(c.shelf.packages))
}

// Declared returns the packages, sorted, of which only the user's file says
// something; they are no libraries, their code is read like any other.
func (c *Catalog) Declared() []string {
	found := map[string]bool{}
	for s := range c.own.functions {
		found[s.Package] = true
	}
	for t := range c.own.types {
		found[t.pkg] = true
	}
	maps.DeleteFunc(found, func(pkg string, _ bool) bool { return c.HasPackage(pkg) })
	return slices.Sorted(maps.Keys(found))
}

// Entries returns all entries, sorted by symbol.
func (c *Catalog) Entries() []Entry { return c.all().sortedEntries() }

// Types returns all type entries, sorted by package and name.
func (c *Catalog) Types() []TypeEntry { return c.all().sortedTypes() }

// OwnEntries returns the user's entries, sorted by symbol.
func (c *Catalog) OwnEntries() []Entry { return c.own.sortedEntries() }

// OwnTypes returns the user's type entries, sorted by package and name.
func (c *Catalog) OwnTypes() []TypeEntry { return c.own.sortedTypes() }

// OwnHandlers returns the user's handler types, in the order of the file.
func (c *Catalog) OwnHandlers() []HandlerType { return slices.Clone(c.own.handlers) }

// all is everything in one book.
func (c *Catalog) all() *book {
	b, _ := c.shelf.all()
	return c.own.over(b)
}

// MethodNames returns the catalogued function and method names of a package,
// sorted, each once, without those that only "*" stands for.
func (c *Catalog) MethodNames(pkg string) []string {
	names := slices.Clone(c.own.names[pkg])
	for _, v := range c.shelf.of(pkg) {
		names = append(names, v.book().names[pkg]...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func compareSymbols(a, b Symbol) int {
	return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Type, b.Type), strings.Compare(a.Name, b.Name))
}
