package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Within is what a value at the last of the calls of a path is made from by the
// functions that the first of them enters; what is handed to these is from
// elsewhere.
func (a *Provenance) Within(path []Call, o *Lineage) Sources {
	a.steps = 0
	c := chain(path)
	for up := c; up != nil; up = up.up {
		up.alone = true
	}
	return a.eval(c, o, 0)
}

// Remade is the column of an inserted row's key that is made anew within the calls
// of a path, "" for none. A key that callers may give counts only if nobody is
// known to give one.
func (p *Program) Remade(a *Provenance, path []Call, e *Effect) string {
	s := e.Statement
	if e.Kind != catalog.Write || s == nil || s.Verb != sqltext.VerbInsert || s.Partial || len(s.Tables) > 1 || e.bookkeeping() {
		return ""
	}
	column := ""
	for _, c := range s.Set {
		if isKey(c.Name) && remade(a, path, e.LineageOf(c)) {
			column = c.Name
		}
	}
	if column == "" || p.meets(e, column) {
		return ""
	}
	return column
}

func remade(a *Provenance, path []Call, o *Lineage) bool {
	within := a.Within(path, o) &^ FromConst
	if within == FromFresh {
		return true
	}
	if o == nil || !o.Bits.Has(FromFresh) {
		return false
	}
	given := o.clone()
	given.Bits &^= FromFresh
	return within == FromFresh|FromElsewhere && a.At(path, given)&^(FromConst|FromElsewhere) == 0
}

// meets: the second row has another unique key that is the same, or the conflict is
// on other columns.
func (p *Program) meets(e *Effect, column string) bool {
	keys := [][]string{}
	if len(e.Statement.ConflictColumns) > 0 {
		keys = append(keys, e.Statement.ConflictColumns)
	}
	if t := p.Schema().Table(e.Statement.Table); t != nil {
		keys = append(keys, t.Keys...)
	}
	return slices.ContainsFunc(keys, func(key []string) bool { return !slices.Contains(key, column) })
}

// isKey: by its name a column is what a second insert would meet.
func isKey(column string) bool {
	l := strings.ToLower(column)
	return slices.Contains([]string{"id", "uuid", "message_id", "event_id", "delivery_id", "msg_id", "request_id"}, l) || hasAny(l, "idempot", "dedup")
}
