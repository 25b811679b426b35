package effect

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Data is what a write, read or statement is given.
type Data struct {
	// Params are the values of a statement's placeholders, in their order; nil
	// where the call hands on a list.
	Params []*Lineage
	// Whole is all that is given at once: an entity, a map, a struct with named
	// placeholders, a list that is handed on.
	Whole *Lineage
	// Clauses are those of a query builder's chain, the last call first.
	Clauses []Clause
	// Operators are those of a document that tells what to change ($set, $inc), and
	// the fields that they are applied to.
	Operators []string
	// Settled: the chain says what to do about a row that is already there.
	Settled bool
	// Listed: Whole are the call's arguments, and no entity.
	Listed bool
	// Item: Whole is a request, whose item is what is stored.
	Item bool
	// Many: Whole are several entities.
	Many bool
	// Only are the columns that are written, of all that Whole has; nil for all.
	Only []string
	// Overwrites: the chain says that the row that is already there gets the new values,
	// whatever they were.
	Overwrites bool
}

// Clause is a fragment of a statement with the values of its placeholders.
type Clause struct {
	// Kind is a catalog entry's: where, set, conflict, lock, suffix.
	Kind, Text string
	Params     []*Lineage
	// Keys are the names in a condition that is no text: the keys of a map, the fields
	// of a struct, and the constant texts of a document.
	Keys []string
}

// LineageOf says what a column of the effect's statement, or of one of its clauses,
// is set to or compared with; nil where that is not known.
func (e *Effect) LineageOf(c sqltext.Column) *Lineage {
	switch c.From {
	case sqltext.FromLiteral, sqltext.FromNull:
		return &Lineage{Bits: FromConst}
	case sqltext.FromNow:
		return &Lineage{Bits: FromFresh}
	case sqltext.FromExpr:
		if strings.Contains(c.Ref, "uuid") || c.Ref == "random" {
			return &Lineage{Bits: FromFresh}
		}
	case sqltext.FromColumnRef:
		return &Lineage{Bits: FromStored}
	}
	switch {
	case c.Param > 0 && c.Param <= len(e.Data.Params):
		return e.Data.Params[c.Param-1]
	case c.ParamName != "" && len(e.Data.Params) == 1: // pgx.NamedArgs
		return e.Data.Params[0].named(c.ParamName)
	case c.ParamName != "":
		return e.Data.Whole.named(c.ParamName)
	}
	return e.Data.Whole.flat()
}

// named is the field that a placeholder, or a column, names: order_id is OrderID.
// Names that tags give are not known; then all fields are meant.
func (o *Lineage) named(name string) *Lineage {
	if o == nil {
		return nil
	}
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	for _, f := range o.Fields {
		if plain(f.Name) == plain(name) {
			return o.Field(f.Name)
		}
	}
	return o.flat()
}

// Column is the field of an entity or map that a column is set from.
func (v *Data) Column(name string) *Lineage { return v.Whole.named(name) }

// data reads what a call is given.
func (b *builder) data(e *catalog.Entry, c *ssa.CallCommon) Data {
	var v Data
	switch e.Kind {
	case catalog.SQL:
		v.Params, v.Whole = b.params(c, e.SQL+1)
	case catalog.Write, catalog.Read, catalog.OutboxWrite:
		if e.Library == modelLibrary {
			b.modelData(c, &v)
			return v
		}
		if x := ssaArg(c, e.Entity); x != nil && e.Entity >= 0 {
			v.Whole = b.lineage(x)
			_, v.Many = x.Type().Underlying().(*types.Slice)
			v.Item = strings.HasPrefix(e.Library, "dynamodb") && (e.Op == catalog.Save || e.Op == catalog.Update)
		} else if e.Clause == "" {
			_, v.Whole = b.params(c, 0)
			v.Listed = true
		}
	default:
		return v
	}
	b.clauses(e, c, 8, &v)
	if e.Kind == catalog.Write {
		v.Clauses = append(b.expressions(e, c), v.Clauses...)
		v.Settled, v.Overwrites = b.conflict(c, 8)
		v.Clauses = append(v.Clauses, b.raises(c, 8)...)
		if x := ssaArg(c, e.Entity); e.Entity >= 0 && x != nil && e.Library == "mongo-driver" && e.Op == catalog.Update {
			v.Operators = b.operators(x)
		}
	}
	return v
}

// params are the arguments from an index on: one by one, and where they can't be
// told apart, together.
func (b *builder) params(c *ssa.CallCommon, from int) (list []*Lineage, whole *Lineage) {
	_, args := receiverAndArgs(c)
	if from > len(args) {
		return nil, nil
	}
	all := &Lineage{}
	apart := true
	for i, a := range args[from:] {
		if c.Signature().Variadic() && from+i == len(args)-1 {
			elements, ok := elementsOf(a)
			apart = apart && ok
			for _, x := range elements {
				list = append(list, b.lineage(x))
			}
			all.add(b.lineage(a).flat())
			continue
		}
		o := b.lineage(a)
		list = append(list, o)
		all.add(o)
	}
	if !apart {
		list = nil
	}
	if all.empty() {
		all = nil
	}
	return list, all
}

// elementsOf are the elements of a variadic argument that a call lists.
func elementsOf(v ssa.Value) ([]ssa.Value, bool) {
	if c, ok := v.(*ssa.Const); ok {
		return nil, c.Value == nil // none
	}
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil, false
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok || a.Comment != "varargs" {
		return nil, false
	}
	var out []ssa.Value
	for _, r := range *a.Referrers() {
		if x, ok := r.(*ssa.IndexAddr); ok {
			out = append(out, storedIn(x)...)
		}
	}
	return out, true
}

// clauses reads the fragments of a builder's chain, this call's first.
func (b *builder) clauses(e *catalog.Entry, c *ssa.CallCommon, depth int, v *Data) {
	if depth == 0 {
		return
	}
	if text := ssaArg(c, e.Text); e.Clause != "" && e.Text >= 0 && text != nil {
		params, _ := b.params(c, e.Text+1)
		if list, ok := elementsOf(text); ok && len(list) > 0 { // First(&x, "id = ?", id)
			text, params = list[0], b.lineages(list[1:])
		}
		cl := Clause{Kind: e.Clause, Params: params}
		for _, part := range b.text(text, textDepth) {
			cl.Text += part.Text
		}
		if cl.Text == "" {
			cl.Keys = b.keysOf(text)
		}
		v.Clauses = append(v.Clauses, cl)
	}
	recv, _ := receiverAndArgs(c)
	if call, ok := recv.(*ssa.Call); ok {
		if above := b.entryOf(call.Common()); above != nil && !slices.Contains([]catalog.Kind{catalog.SQL, catalog.Begin}, above.Kind) {
			b.clauses(above, call.Common(), depth-1, v)
		}
	}
}
