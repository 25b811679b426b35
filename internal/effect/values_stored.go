package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// StoredValues are the constants that the code of a program stores in columns and fields of
// what is there already.
type StoredValues struct {
	of map[string][]storedValue
	// flags are the fields of a type that each function sets to true.
	flags map[string]map[string][]string
}

type storedValue struct{ table, value, pkg string }

// StoredValues collects them.
func (a *Provenance) StoredValues() *StoredValues {
	out := &StoredValues{of: map[string][]storedValue{}, flags: map[string]map[string][]string{}}
	for _, s := range a.prog.Order {
		f := a.prog.Funcs[s]
		if f.Test {
			continue
		}
		for _, x := range f.Assigns {
			if !x.Made && x.Const != "" {
				out.add(f, x.Owner, x.Field, x.Const)
				if x.Const == "true" {
					out.flag(x.Owner, f.Symbol, x.Field)
				}
			}
		}
		for _, n := range f.Nodes {
			if n == nil || n.Kind > NodeDefer {
				continue
			}
			for i := range n.Effects {
				if e := &n.Effects[i]; e.Kind == catalog.Write {
					out.update(a, f, e)
				}
			}
			for _, v := range n.Args {
				if v == nil || v.Kind != ValueText || n.List == nil {
					continue
				}
				es := n.Given(&Effect{Data: Data{Params: n.List}}, v.Name)
				for i := range es {
					out.update(a, f, &es[i])
				}
			}
		}
	}
	return out
}

func (v *StoredValues) update(a *Provenance, f *Func, e *Effect) {
	if e.Statement == nil || e.Statement.Verb != sqltext.VerbUpdate {
		return
	}
	for _, c := range e.Statement.Set {
		switch c.From {
		case sqltext.FromLiteral:
			v.add(f, e.Table, c.Name, c.Literal)
		case sqltext.FromParam:
			for _, x := range a.constsOf(&calling{f: f}, e.LineageOf(c)) {
				v.add(f, e.Table, c.Name, x)
			}
		}
	}
}

func (v *StoredValues) add(f *Func, table, column, value string) {
	key, x := plainName(column), storedValue{plainName(table), value, f.Package}
	if !slices.Contains(v.of[key], x) {
		v.of[key] = append(v.of[key], x)
	}
}

// Others are the constants that some code stores in a column beside the given ones. Tables
// and types are of one entity if one's name has the other's in it.
func (v *StoredValues) Others(table, column string, consts []string) []string {
	name := strings.TrimSuffix(plainName(table), "s")
	var out []string
	for _, x := range v.of[plainName(column)] {
		of := strings.TrimSuffix(x.table, "s")
		if name != "" && of != "" && !strings.Contains(of, name) && !strings.Contains(name, of) {
			continue
		}
		if !slices.Contains(consts, x.value) {
			out = append(out, x.value)
		}
	}
	return out
}

// In are the constants that the code of some packages stores in a column of a table, or in
// a field of the type that is called like a row of it.
func (v *StoredValues) In(table, column string, of func(pkg string) bool) []string {
	name := strings.TrimSuffix(plainName(table), "s")
	var out []string
	for _, x := range v.of[plainName(column)] {
		if name != "" && strings.TrimSuffix(x.table, "s") == name && of(x.pkg) && !slices.Contains(out, x.value) {
			out = append(out, x.value)
		}
	}
	return out
}

func (v *StoredValues) flag(owner, symbol, field string) {
	if v.flags[owner] == nil {
		v.flags[owner] = map[string][]string{}
	}
	list := append(v.flags[owner][symbol], field)
	slices.Sort(list)
	v.flags[owner][symbol] = slices.Compact(list)
}

// Contradicted reports whether another function sets other flags of a type than one
// does: one says finished, the other failed. isState tells which flags say where an
// entity is in its life.
func (v *StoredValues) Contradicted(owner string, f *Func, isState func(field string) bool) bool {
	only := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !isState(s) })
	}
	mine := only(v.flags[owner][f.Symbol])
	for symbol, list := range v.flags[owner] {
		if other := only(list); symbol != f.Symbol && len(other) > 0 && !slices.Equal(mine, other) {
			return true
		}
	}
	return false
}
