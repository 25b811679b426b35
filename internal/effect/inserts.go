package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// keyed says how the columns of a unique key relate two inserts for one delivery.
type keyed byte

const (
	keyUnknown keyed = iota
	// keySame: the second insert has the same key, and meets the first row.
	keySame
	// keyMissing: the row gives no value for a column of it: it is generated, or
	// null.
	keyMissing
	// keyFresh: a column is made anew in every attempt.
	keyFresh
)

// ofSources is how a value from somewhere relates two attempts.
func ofSources(s Sources) keyed {
	switch s &^= FromConst; {
	case s == FromFresh:
		return keyFresh
	case s.Has(FromFresh), s.Has(FromElsewhere):
		return keyUnknown
	}
	return keySame
}

// insert: a row that meets no unique key a second time.
func (p *Program) insert(e *Effect, s *sqltext.Statement, a Asker) *Repeat {
	if s.Conflict != "" {
		return p.upsert(e, s, a)
	}
	t := p.Schema().Table(s.Table)
	if t == nil || len(s.Compared) > 0 || len(s.Tables) > 1 || !e.carriesMessage(s, a) {
		return nil
	}
	for _, key := range t.Keys {
		if k, _ := e.key(s, t, key, a); k == keySame || k == keyUnknown {
			return nil
		}
	}
	if column := e.spoiled(s, t, a); column != "" && !e.bookkeeping() {
		return &Repeat{Kind: RepeatKey, Column: column}
	}
	return &Repeat{Kind: RepeatInsert}
}

// spoiled is the column of a unique key that is made anew in every attempt, beside others
// that the delivery tells.
func (e *Effect) spoiled(s *sqltext.Statement, t *sqltext.Table, a Asker) string {
	for _, key := range t.Keys {
		k, column := e.key(s, t, key, a)
		if k == keyFresh && slices.ContainsFunc(s.Set, func(c sqltext.Column) bool {
			return slices.Contains(key, c.Name) && c.From == sqltext.FromParam && e.column(c, a) == keySame
		}) {
			return column
		}
	}
	return ""
}

// upsert: one that adds to the row that is there, or whose key never is.
func (p *Program) upsert(e *Effect, s *sqltext.Statement, a Asker) *Repeat {
	for _, c := range s.ConflictSet {
		if c.From == sqltext.FromDelta && !counts(c.Name) && !guarded(s.ConflictSet, s.ConflictCompared) {
			return &Repeat{Kind: RepeatAdd, Column: c.Name}
		}
	}
	t := p.Schema().Table(s.Table)
	keys := [][]string{s.ConflictColumns}
	if len(s.ConflictColumns) == 0 {
		if t == nil || len(t.Keys) == 0 {
			return nil
		}
		keys = t.Keys
	}
	column := ""
	for _, key := range keys {
		k, name := e.key(s, t, key, a)
		switch k {
		case keyFresh:
			column = name
		case keyMissing:
		default:
			return nil
		}
	}
	if column == "" || !e.carriesMessage(s, a) {
		return nil
	}
	return &Repeat{Kind: RepeatKey, Column: column}
}

// key is how a unique key of a table relates two inserts, and the column that says so.
func (e *Effect) key(s *sqltext.Statement, t *sqltext.Table, key []string, a Asker) (keyed, string) {
	out, column := keySame, ""
	for _, name := range key {
		i := slices.IndexFunc(s.Set, func(c sqltext.Column) bool { return c.Name == name })
		k := keyMissing
		switch {
		case slices.ContainsFunc(s.Set, func(c sqltext.Column) bool { return c.Name == "" }):
			return keyUnknown, ""
		case i >= 0:
			k = e.column(s.Set[i], a)
		case t != nil && slices.Contains(t.Fixed, name):
			k = keySame
		}
		switch {
		case k == keyFresh:
			out, column = keyFresh, name
		case k == keyMissing && out != keyFresh:
			out, column = keyMissing, name
		case k == keyUnknown && out == keySame:
			out = keyUnknown
		}
	}
	return out, column
}

func (e *Effect) column(c sqltext.Column, a Asker) keyed {
	switch c.From {
	case sqltext.FromNow:
		return keyFresh
	case sqltext.FromLiteral:
		return keySame
	case sqltext.FromNull:
		return keyMissing
	case sqltext.FromExpr:
		if strings.Contains(c.Ref, "uuid") {
			return keyFresh
		}
		return keyUnknown
	case sqltext.FromParam:
		return ofSources(a.Sources(e.LineageOf(c)))
	}
	return keyUnknown
}

// carriesMessage: something in the row tells of the delivery, or of what was read
// for it.
func (e *Effect) carriesMessage(s *sqltext.Statement, a Asker) bool {
	return slices.ContainsFunc(s.Set, func(c sqltext.Column) bool {
		return c.From == sqltext.FromParam && a.Sources(e.LineageOf(c))&(FromMessage|FromStored) != 0
	})
}

// entityInsert: the same of a struct that an ORM stores.
func (p *Program) entityInsert(e *Effect, a Asker) *Repeat {
	if e.Data.Whole == nil || !a.Sources(e.Data.Whole).Has(FromMessage) {
		return nil
	}
	t, found := p.Schema().Of(e.Table)
	switch {
	case e.Entity.Document:
		if !e.Entity.Put && p.indexesDocuments() {
			return nil
		}
		t = nil // a table of another store that has the same name
	case found && t == nil, !found && !p.makesTables():
		return nil
	}
	keys := slices.Clone(e.Entity.Keys)
	if t != nil {
		for _, k := range t.Keys {
			keys = append(keys, e.Entity.fields(k))
		}
	}
	for _, key := range keys {
		if !e.meetsNone(key, a) {
			return nil
		}
	}
	return &Repeat{Kind: RepeatInsert}
}

// meetsNone: a unique key of a struct is generated or made anew.
func (e *Effect) meetsNone(key []string, a Asker) bool {
	for _, field := range key {
		s := a.Sources(e.Data.Whole.Field(field)) &^ FromConst
		if s == FromFresh || s == 0 && !e.Entity.Put && slices.Equal(key, e.Entity.Primary) {
			return true
		}
	}
	return false
}

// fields are the fields of columns.
func (t *Entity) fields(columns []string) []string {
	out := slices.Clone(columns)
	for i, c := range out {
		for _, x := range t.Columns {
			if plainName(x.Column) == plainName(c) {
				out[i] = x.Field
			}
		}
	}
	return out
}

// calls reports whether any code but tests calls what has a name.
func (p *Program) calls(name string) bool {
	for _, s := range p.Order {
		for _, n := range p.Funcs[s].Nodes {
			if n != nil && !p.Funcs[s].Test && strings.HasSuffix(n.Text, name) {
				return true
			}
		}
	}
	return false
}

// Unique reports whether an insert meets a unique key when it is run a second time
// for a delivery. Where the keys of its table are not known, an id from the message
// is taken for one.
func (p *Program) Unique(e *Effect, a Asker) bool {
	if s := e.Statement; s != nil {
		t := p.Schema().Table(s.Table)
		if t == nil {
			return slices.ContainsFunc(s.Set, func(c sqltext.Column) bool {
				if c.From != sqltext.FromParam || c.Name != "" && !namesID(c.Name) {
					return false
				}
				from := a.Sources(e.LineageOf(c)) &^ FromConst
				return from == 0 || ofSources(from) == keySame && from.Has(FromMessage)
			})
		}
		return slices.ContainsFunc(t.Keys, func(key []string) bool {
			k, _ := e.key(s, t, key, a)
			return k == keySame || k == keyUnknown
		})
	}
	if e.Entity == nil || e.Entity.Put {
		return e.Entity == nil && e.Data.Whole != nil && a.Sources(e.Data.Whole).Has(FromMessage)
	}
	return slices.ContainsFunc(e.Entity.Keys, func(key []string) bool { return !e.meetsNone(key, a) })
}

func namesID(column string) bool {
	return strings.HasSuffix(column, "id") || hasAny(column, "key", "uuid", "ref", "hash", "number", "code", "token", "nonce")
}
