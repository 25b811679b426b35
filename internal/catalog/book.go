package catalog

import (
	"errors"
	"maps"
	"slices"
)

// book is what one or more files say of functions and types.
type book struct {
	functions map[Symbol]Entry
	types     map[typeName]TypeEntry
	handlers  []HandlerType
	// names are the function and method names of each package, sorted.
	names map[string][]string
}

type typeName struct{ pkg, name string }

func newBook() *book {
	return &book{functions: map[Symbol]Entry{}, types: map[typeName]TypeEntry{}, names: map[string][]string{}}
}

// add takes in a library; what another file says already is an error. Call index
// when all are in.
func (b *book) add(lib *library) error {
	var errs []error
	for _, e := range lib.functions {
		if first, dup := b.functions[e.Symbol]; dup {
			errs = append(errs, errorAt(e.Source, "%s stands twice, first at %s", e.Symbol, first.Source))
			continue
		}
		b.functions[e.Symbol] = e
	}
	for _, t := range lib.types {
		name := typeName{t.Package, t.Name}
		if first, dup := b.types[name]; dup {
			errs = append(errs, errorAt(t.Source, "%s.%s stands twice, first at %s", t.Package, t.Name, first.Source))
			continue
		}
		b.types[name] = t
	}
	b.handlers = append(b.handlers, lib.handlers...)
	return errors.Join(errs...)
}

// over is a book with the entries of both, in which those of b win.
func (b *book) over(below *book) *book {
	n := &book{
		functions: maps.Clone(below.functions),
		types:     maps.Clone(below.types),
		handlers:  slices.Concat(b.handlers, below.handlers),
	}
	maps.Copy(n.functions, b.functions)
	maps.Copy(n.types, b.types)
	n.index()
	return n
}

// index fills names.
func (b *book) index() {
	b.names = map[string][]string{}
	for s := range b.functions {
		if s.Name != anyMethod {
			b.names[s.Package] = append(b.names[s.Package], s.Name)
		}
	}
	for pkg, names := range b.names {
		slices.Sort(names)
		b.names[pkg] = slices.Compact(names)
	}
}

func (b *book) sortedEntries() []Entry {
	return slices.SortedFunc(maps.Values(b.functions), func(a, b Entry) int { return compareSymbols(a.Symbol, b.Symbol) })
}

func (b *book) sortedTypes() []TypeEntry {
	return slices.SortedFunc(maps.Values(b.types), func(a, b TypeEntry) int {
		return compareSymbols(Symbol{Package: a.Package, Name: a.Name}, Symbol{Package: b.Package, Name: b.Name})
	})
}
