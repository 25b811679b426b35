package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Asker answers what values at an effect are made from.
type Asker interface {
	Sources(o *Lineage) Sources
	Sums(o *Lineage) []Sum
}

// RepeatKind says what a second delivery does once more.
type RepeatKind string

// The kinds of repeats.
const (
	RepeatAdd    RepeatKind = "adds"
	RepeatAppend RepeatKind = "appends"
	RepeatInsert RepeatKind = "inserts"
	// RepeatKey: there is a key that a second insert would meet, but it is made
	// anew in every attempt.
	RepeatKey RepeatKind = "key"
)

// Repeat is what an effect does to state when it is applied a second time.
type Repeat struct {
	Kind RepeatKind
	// Table is the table or entity, Column what is added to, or the key.
	Table, Column string
}

// Repeats says what a write does to state that it has changed before, nil for
// nothing, and where that is not known: absolute values by a key, deletes,
// conditional updates and inserts that meet a unique key are the same twice.
func (p *Program) Repeats(e *Effect, a Asker) *Repeat {
	if e.Kind != catalog.Write && e.Kind != catalog.OutboxWrite || e.ByName || e.Declared && !e.described() {
		return nil
	}
	out := p.repeats(e, a)
	if out == nil || out.Kind != RepeatKey && e.bookkeeping() {
		return nil
	}
	out.Table = e.Table
	return out
}

func (p *Program) repeats(e *Effect, a Asker) *Repeat {
	if s := e.statement(); s != nil {
		if s.Partial && e.Statement != nil && s.Verb != sqltext.VerbUpdate {
			return nil
		}
		switch s.Verb {
		case sqltext.VerbUpdate:
			return e.update(s, a)
		case sqltext.VerbInsert:
			return p.insert(e, s, a)
		}
		return nil
	}
	if r := e.raise(); r != nil {
		return r
	}
	switch {
	case len(e.Data.Operators) > 0:
		return e.document()
	case e.inserts() && !e.Data.Settled:
		return p.entityInsert(e, a)
	case e.Op == catalog.Save || e.Op == catalog.Update:
		return e.saved(a)
	}
	return nil
}

// inserts: a new row for a struct, or an item by a key of its own.
func (e *Effect) inserts() bool {
	return e.Entity != nil && (e.Op == catalog.Insert || e.Op == catalog.Save && e.Entity.Put)
}

// statement is what a builder's chain or a text does, as far as it is known.
func (e *Effect) statement() *sqltext.Statement {
	if e.Statement != nil {
		return e.Statement
	}
	set, where := "", ""
	for _, c := range e.Data.Clauses {
		switch c.Kind {
		case "set":
			if strings.Contains(c.Text, "=") {
				set = joined(set, c.Text, ", ")
			}
		case "where":
			where = joined(where, c.Text, " AND ")
		}
	}
	if e.Op != catalog.Update || set == "" {
		return nil
	}
	if where != "" {
		where = " WHERE " + where
	}
	s := sqltext.ParseText("UPDATE t SET " + set + where)
	return &s[0]
}

// Told is the statement of a text or of a builder's chain, nil where there is none.
func (e *Effect) Told() *sqltext.Statement {
	if s := e.statement(); s != nil {
		return s
	}
	if e.Data.Whole != nil {
		return nil
	}
	s, _ := e.chained()
	return s
}

func joined(list, s, sep string) string {
	if list == "" {
		return s
	}
	return list + sep + s
}

// bookkeeping: logs, histories and measures are kept of every attempt.
func (e *Effect) bookkeeping() bool {
	for _, n := range append([]string{e.Table}, e.Hints...) {
		if isJournal([]string{n}) || hasAny(strings.ToLower(n), "history", "histories", "activit", "metric", "telemetry", "statistic", "archive", "dead_letter", "deadletter", "dlq", "failed_", "attempt", "trace", "heartbeat", "analytic") {
			return true
		}
	}
	return false
}

// counts: a column that counts tries, what was sent or versions is meant to grow with each.
func counts(column string) bool {
	return hasAny(strings.ToLower(column), "attempt", "retr", "tries", "version", "revision", "lock", "generation", "hits", "views", "trigger", "total_sent", "total_failed", "total_delivered")
}

// update: an update that adds to a column, or stores a sum of its old value.
func (e *Effect) update(s *sqltext.Statement, a Asker) *Repeat {
	if guarded(s.Set, s.Compared) {
		return nil
	}
	for _, c := range s.Set {
		switch {
		case counts(c.Name):
		case c.From == sqltext.FromDelta:
			return &Repeat{Kind: RepeatAdd, Column: c.Name}
		case c.From == sqltext.FromParam:
			if sum := e.summed(c, a); sum != nil {
				return sum
			}
		}
	}
	return nil
}

// summed: the column's value is made from its old one.
func (e *Effect) summed(c sqltext.Column, a Asker) *Repeat {
	for _, s := range a.Sums(e.LineageOf(c)) {
		if plainName(s.Field) == plainName(c.Name) || isDocument(c.Name) && !counts(s.Field) {
			return &Repeat{Kind: RepeatAdd, Column: c.Name}
		}
	}
	return nil
}

func plainName(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }

// isDocument: by its name a column holds the whole of an entity.
func isDocument(column string) bool {
	return slices.Contains([]string{"payload", "data", "state", "document", "doc", "body", "json"}, column)
}

// guarded: the statement changes only a row that is in a state which it leaves,
// or that something newer has not been applied to. A limit (stock >= n) and the
// owner of a row are no guards.
func guarded(set, compared []sqltext.Column) bool {
	for _, c := range compared {
		changed := slices.ContainsFunc(set, func(x sqltext.Column) bool { return x.Name == c.Name && x.From != sqltext.FromDelta })
		added := slices.ContainsFunc(set, func(x sqltext.Column) bool { return x.Name == c.Name && x.From == sqltext.FromDelta })
		switch {
		case changed || hasAny(c.Name, "event", "message", "msg", "seq", "processed", "applied", "last_"):
			return true
		case added:
		case c.From == sqltext.FromLiteral || c.From == sqltext.FromNull:
			if hasAny(c.Name, "status", "state", "_at", "done", "paid", "settled", "is_") && !hasAny(c.Name, "delete", "active") {
				return true
			}
		case c.Op == "<" || c.Op == ">" || c.Op == "<=" || c.Op == ">=" || c.Op == "<>" || strings.HasPrefix(c.Op, "not") || strings.HasPrefix(c.Op, "is"):
			return true
		}
	}
	return false
}

// document: $inc and $push are not the same twice.
func (e *Effect) document() *Repeat {
	if slices.ContainsFunc(e.Data.Operators, counts) || slices.Contains(e.Data.Operators, "$setOnInsert") {
		return nil
	}
	switch {
	case slices.Contains(e.Data.Operators, "$inc"):
		return &Repeat{Kind: RepeatAdd}
	case slices.Contains(e.Data.Operators, "$push"):
		return &Repeat{Kind: RepeatAppend}
	}
	return nil
}

// saved: an entity is stored with a field that was made from its old value.
func (e *Effect) saved(a Asker) *Repeat {
	for _, s := range a.Sums(e.Data.Whole) {
		if !counts(s.Field) {
			return &Repeat{Kind: RepeatAdd, Column: s.Field}
		}
	}
	return nil
}
