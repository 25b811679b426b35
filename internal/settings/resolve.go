package settings

import (
	"cmp"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Resolve checks that the functions and types of the user's file exist in what
// was loaded, so that a misspelt name doesn't silently mean nothing. Packages
// that the run didn't reach are left unchecked.
func (s *Settings) Resolve(loaded map[string]*types.Package) error {
	if s.Config == nil {
		return nil
	}
	var missing []catalog.NamedSymbol
	for _, n := range s.named() {
		if pkg := loaded[n.Symbol.Package]; pkg != nil && !declares(pkg, n.Symbol) {
			missing = append(missing, n)
		}
	}
	return missingError(missing, loaded)
}

// Unread are the names in the user's file of packages that a run didn't reach, so
// that nobody knows whether they are right.
func (s *Settings) Unread(loaded map[string]*types.Package) []catalog.NamedSymbol {
	if s.Config == nil {
		return nil
	}
	list := slices.DeleteFunc(s.named(), func(n catalog.NamedSymbol) bool { return loaded[n.Symbol.Package] != nil })
	slices.SortStableFunc(list, func(a, b catalog.NamedSymbol) int { return cmp.Compare(line(a.Source), line(b.Source)) })
	return list
}

// named are the functions and types that the user's file names.
func (s *Settings) named() []catalog.NamedSymbol {
	var list []catalog.NamedSymbol
	check := func(sym catalog.Symbol, source string) {
		list = append(list, catalog.NamedSymbol{Symbol: sym, Source: source})
	}
	ours := func(source string) bool { return strings.HasPrefix(source, s.Config.File+":") }
	for _, e := range s.Catalog.OwnEntries() {
		if ours(e.Source) {
			check(e.Symbol, e.Source)
		}
	}
	for _, t := range s.Catalog.OwnTypes() {
		if ours(t.Source) {
			check(catalog.Symbol{Package: t.Package, Name: t.Name}, t.Source)
		}
	}
	for _, h := range s.Catalog.OwnHandlers() {
		if h.Interface != "" {
			check(catalog.Symbol{Package: h.Package, Type: h.Interface, Name: h.Method}, h.Source)
		}
		if dot := strings.LastIndexByte(h.Param, '.'); dot > 0 {
			check(catalog.Symbol{Package: h.Param[:dot], Name: h.Param[dot+1:]}, h.Source)
		}
	}
	for _, names := range []catalog.Names{s.Config.Outbox, s.Config.Inbox} {
		for _, f := range names.Functions {
			check(f.Symbol, f.Source)
		}
	}
	return list
}

// missingError lists what doesn't exist, in the order of the file.
func missingError(list []catalog.NamedSymbol, loaded map[string]*types.Package) error {
	slices.SortFunc(list, func(a, b catalog.NamedSymbol) int { return cmp.Compare(line(a.Source), line(b.Source)) })
	var errs []error
	for _, m := range slices.Compact(list) {
		errs = append(errs, fmt.Errorf("%s: there is no %s (%s)", m.Source, m.Symbol, hint(loaded[m.Symbol.Package], m.Symbol)))
	}
	return errors.Join(errs...)
}

// line is the number at the end of file:line.
func line(source string) int {
	n, err := strconv.Atoi(source[strings.LastIndexByte(source, ':')+1:])
	if err != nil {
		return 0
	}
	return n
}

// declares reports whether a package has the function, type or method.
func declares(pkg *types.Package, sym catalog.Symbol) bool {
	if sym.Type == "" {
		return pkg.Scope().Lookup(sym.Name) != nil
	}
	obj, ok := pkg.Scope().Lookup(sym.Type).(*types.TypeName)
	if !ok {
		return false
	}
	member, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg, sym.Name)
	return member != nil
}
