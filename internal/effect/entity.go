package effect

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Entity is what the type of a written struct says of its table.
type Entity struct {
	// Keys are the primary key and the unique ones, by the names of fields.
	Keys [][]string
	// Primary is the primary key among them.
	Primary []string
	// Columns are all fields by their columns.
	Columns []EntityColumn
	// Document: it is kept in a document store, which may have other keys.
	Document bool
	// Put: a write with another key inserts, one with the same key overwrites.
	Put bool
}

// EntityColumn is a column and the field that holds it.
type EntityColumn struct{ Column, Field string }

// entityOf reads the struct that an ORM is given; nil where it is given no struct
// of a named type, or the library has no keys in tags.
func (b *builder) entityOf(e *catalog.Entry, c *ssa.CallCommon) *Entity {
	x := ssaArg(c, e.Entity)
	tag := tagOf(e.Library)
	if e.Entity < 0 || x == nil {
		return nil
	}
	if tag == "" {
		return b.keyedItem(e.Library, x)
	}
	t := entityType(x)
	if t == nil {
		return nil
	}
	r := entityReader{tag: tag, out: &Entity{}, named: map[string][]string{}}
	r.read(t, 3)
	if r.primary == nil && tag == "gorm" && r.hasID {
		r.primary = []string{"ID"}
	}
	if r.primary != nil {
		r.out.Keys, r.out.Primary = append(r.out.Keys, r.primary), r.primary
	}
	r.out.Document = tag == "bson"
	for _, name := range r.order {
		r.out.Keys = append(r.out.Keys, r.named[name])
	}
	if len(r.out.Keys) == 0 {
		return nil
	}
	return r.out
}

// tagOf is the key of the struct tags that a library reads.
func tagOf(library string) string {
	switch library {
	case "gorm", "gorm-gen":
		return "gorm"
	case "mongo-driver":
		return "bson"
	case "bun":
		return "bun"
	case "xorm":
		return "xorm"
	}
	return ""
}

// entityType is the struct behind pointers, lists and interfaces.
func entityType(v ssa.Value) *types.Struct {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	t := v.Type()
	for range 4 {
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Struct:
			return u
		}
	}
	return nil
}

type entityReader struct {
	tag     string
	out     *Entity
	primary []string
	hasID   bool
	named   map[string][]string
	order   []string
}

func (r *entityReader) read(t *types.Struct, depth int) {
	for i := range t.NumFields() {
		f := t.Field(i)
		tag := reflect.StructTag(t.Tag(i)).Get(r.tag)
		if tag == "-" {
			continue
		}
		if s, ok := f.Type().Underlying().(*types.Struct); ok && depth > 0 && (f.Embedded() || strings.Contains(tag, "embedded") || strings.Contains(tag, "inline")) {
			r.read(s, depth-1)
			continue
		}
		r.hasID = r.hasID || f.Name() == "ID"
		r.out.Columns = append(r.out.Columns, EntityColumn{f.Name(), f.Name()})
		switch r.tag {
		case "gorm":
			r.gorm(f.Name(), tag)
		case "bson":
			if name, _, _ := strings.Cut(tag, ","); name == "_id" {
				r.primary = []string{f.Name()}
			}
		default:
			r.words(f.Name(), tag)
		}
	}
}

// gorm: primaryKey, unique, uniqueIndex, uniqueIndex:name, index:name,unique.
func (r *entityReader) gorm(field, tag string) {
	for _, part := range strings.Split(tag, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(part), ":")
		name, options, _ := strings.Cut(value, ",")
		switch k := strings.ToLower(key); {
		case k == "primarykey" || k == "primary_key":
			r.primary = append(r.primary, field)
		case k == "unique":
			r.out.Keys = append(r.out.Keys, []string{field})
		case k == "uniqueindex" || k == "unique_index" || k == "index" && strings.Contains(strings.ToLower(options), "unique"):
			r.unique(name, field)
		case k == "column":
			r.out.Columns = append(r.out.Columns, EntityColumn{value, field})
		}
	}
}

// words: bun's "id,pk,unique" and xorm's "pk autoincr unique(name)".
func (r *entityReader) words(field, tag string) {
	for _, w := range strings.FieldsFunc(tag, func(c rune) bool { return c == ',' || c == ' ' }) {
		switch w := strings.ToLower(w); {
		case w == "pk":
			r.primary = append(r.primary, field)
		case w == "unique":
			r.out.Keys = append(r.out.Keys, []string{field})
		case strings.HasPrefix(w, "unique:") || strings.HasPrefix(w, "unique("):
			r.unique(strings.Trim(w[len("unique"):], ":()"), field)
		}
	}
}

// unique adds a field to an index; one without a name is its own.
func (r *entityReader) unique(name, field string) {
	if name == "" {
		r.out.Keys = append(r.out.Keys, []string{field})
		return
	}
	if !slices.Contains(r.order, name) {
		r.order = append(r.order, name)
	}
	r.named[name] = append(r.named[name], field)
}
