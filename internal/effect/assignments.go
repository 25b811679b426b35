package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// PartAsker also answers what the fields of a struct are made from.
type PartAsker interface {
	Asker
	Parts(o *Lineage) ([]Assignment, Sources)
	Consts(o *Lineage) []string
	Fresh(o *Lineage) []string
}

// Assignment is a column or field that gets a value.
type Assignment struct {
	Name string
	// From is what the value is made from; what the rest of a struct is made from is no
	// part of it.
	From Sources
	// Consts are the constants that it may be, where it is nothing else.
	Consts []string
	// Func is the function and At the place of it that assigns a field of an entity,
	// nil where the write itself names the value.
	Func *Func
	At   *Assign
	// Fresh are the functions in which the value is made anew, in the first place the one
	// next to the write.
	Fresh []string
}

// Overwrite is what a write makes of a row that may be there.
type Overwrite struct {
	Sets []Assignment
	// Compared are the columns that the statement asks for before it writes, Set those
	// that it sets, as it says so; Keys the names in a condition that is no text.
	Compared, Set []sqltext.Column
	Keys          []string
	// Loaded: an entity that was read is written back with other values in some fields.
	Loaded bool
	// Upsert: a row that is not there is made.
	Upsert bool
	// lineage finds what a compared column is compared with.
	lineage func(c sqltext.Column) *Lineage
}

// ComparedWith is what a compared column is compared with.
func (o *Overwrite) ComparedWith(c sqltext.Column) *Lineage { return o.lineage(c) }

// Overwrites says which columns of a row that may be there a write sets, nil for
// writes that only insert, add or delete, and where that is not known.
func (e *Effect) Overwrites(a PartAsker) *Overwrite {
	if e.Kind != catalog.Write || e.ByName || e.Declared && !e.described() || e.passing() {
		return nil
	}
	out := e.overwrites(a)
	if out != nil && out.Loaded { // got or created: what is made is new
		out.Sets = slices.DeleteFunc(out.Sets, func(x Assignment) bool { return x.At != nil && x.At.Made })
	}
	if out == nil || len(out.Sets) == 0 {
		return nil
	}
	return out
}

// passing: what is written is a cache's, a log's or a sign of life. Rows of another
// service's that are kept in a table are none of these, whatever the type is called.
func (e *Effect) passing() bool {
	if e.Statement == nil || e.Statement.Verb == sqltext.VerbUnknown {
		return e.Cache || keepsDeliveries(e.Table)
	}
	return isJournal([]string{e.Table}) || keepsDeliveries(e.Table) || e.Statement.Verb == sqltext.VerbUpdate && signsOfLife(e.Statement.Set)
}

// keepsDeliveries: the rows of a table are deliveries of messages or jobs, and tell how
// their own handling went. What is delivered to a door is an entity like any other.
func keepsDeliveries(table string) bool {
	name := strings.ToLower(table[strings.LastIndexByte(table, '.')+1:])
	if strings.TrimSuffix(name, "s") == "notification" || strings.Contains(name, "deliver") && hasAny(name, "message", "event", "notif", "mail", "sms", "push") {
		return true
	}
	return hasAny(strings.ToLower(table), "inbox", "outbox", "processed", "dedup", "idempot", "attempt", "job", "task_queue", "webhook_event", "hook", "dead_letter", "retry", "retries")
}

func (e *Effect) overwrites(a PartAsker) *Overwrite {
	s, lineage := e.Statement, e.LineageOf
	if s == nil && e.Data.Whole == nil {
		s, lineage = e.chained()
	}
	if s != nil && s.Verb != sqltext.VerbUnknown {
		return e.overwritesRow(s, lineage, a)
	}
	switch {
	case e.Statement != nil:
		return nil
	case e.Op == catalog.Update && len(e.Data.Operators) > 0:
		return e.overwritesDocument(a)
	case e.Op == catalog.Upsert && e.Data.Settled && !e.Data.Overwrites:
		return nil // a row that is there stays as it is
	case e.Op == catalog.Save, e.Op == catalog.Update, e.Op == catalog.Upsert && !e.Data.Listed, e.Op == catalog.Insert && e.Data.Overwrites:
		return e.overwritesEntity(a)
	}
	return nil
}

// overwritesRow reads a statement.
func (e *Effect) overwritesRow(s *sqltext.Statement, lineage func(sqltext.Column) *Lineage, a PartAsker) *Overwrite {
	out := &Overwrite{Compared: s.Compared, Set: s.Set, Keys: e.conditionKeys(), lineage: lineage}
	switch {
	case s.Verb == sqltext.VerbUpdate:
	case s.Verb == sqltext.VerbInsert && s.Conflict == sqltext.ConflictUpdate:
		out.Set, out.Compared, out.Upsert = proposed(s), s.ConflictCompared, true
	case s.Verb == sqltext.VerbInsert && s.Conflict == sqltext.ConflictReplace:
		out.Compared, out.Upsert = nil, true
	default:
		return nil
	}
	for _, c := range out.Set {
		set := assigned(c, lineage, a)
		if set == nil {
			continue
		}
		if parts := parted(c, lineage, a); len(parts) > 0 {
			out.Sets, out.Loaded = append(out.Sets, parts...), out.Loaded || set.From.Has(FromStored)
			continue
		}
		out.Sets = append(out.Sets, *set)
	}
	return out
}

// proposed are the columns that an upsert sets, EXCLUDED.x told as what x is inserted
// with.
func proposed(s *sqltext.Statement) []sqltext.Column {
	out := slices.Clone(s.ConflictSet)
	for i, c := range out {
		if c.From != sqltext.FromExcluded {
			continue
		}
		for _, x := range s.Set {
			if x.Name == c.Ref {
				x.Name = c.Name
				out[i] = x
			}
		}
	}
	return out
}

// parted are the fields that are assigned in an entity which was read, or in the message
// itself, and is stored again, in columns or as a document in one.
func parted(c sqltext.Column, lineage func(sqltext.Column) *Lineage, a PartAsker) []Assignment {
	if c.From != sqltext.FromParam {
		return nil
	}
	parts, whole := a.Parts(lineage(c))
	if whole&(FromStored|FromMessage) == 0 {
		return nil
	}
	var out []Assignment
	for _, x := range parts {
		if !isDocument(c.Name) {
			if !namesColumn(x.Name, c.Name) {
				continue
			}
			x.Name = c.Name
		}
		out = append(out, x)
	}
	return out
}

// namesColumn: a field is stored in a column, by their names.
func namesColumn(field, column string) bool {
	f, c := plainName(field[strings.LastIndexByte(field, '.')+1:]), plainName(column)
	return strings.HasSuffix(f, c) || strings.HasSuffix(c, f)
}

func assigned(c sqltext.Column, lineage func(sqltext.Column) *Lineage, a PartAsker) *Assignment {
	set := &Assignment{Name: c.Name}
	switch c.From {
	case sqltext.FromDelta, sqltext.FromColumnRef, sqltext.FromUnknown:
		return nil
	case sqltext.FromLiteral:
		set.From, set.Consts = FromConst, []string{c.Literal}
	case sqltext.FromNull:
		set.From, set.Consts = FromConst, []string{"null"}
	case sqltext.FromNow:
		set.From = FromFresh
	case sqltext.FromExpr:
		if c.Param == 0 || slices.Contains([]string{"greatest", "least", "max", "min", "case"}, c.Ref) {
			return nil // the order makes no difference, or the row decides
		}
		fallthrough
	default:
		o := lineage(c)
		switch set.From = a.Sources(o); {
		case set.From == FromConst:
			set.Consts = a.Consts(o)
		case set.From.Has(FromFresh):
			set.Fresh = a.Fresh(o)
		}
		if len(a.Sums(o)) > 0 {
			return nil
		}
	}
	return set
}

// overwritesDocument reads a document that tells what to change.
func (e *Effect) overwritesDocument(a PartAsker) *Overwrite {
	if !slices.Contains(e.Data.Operators, "$set") || slices.Contains(e.Data.Operators, "$inc") || slices.Contains(e.Data.Operators, "$push") {
		return nil
	}
	from, consts := a.Sources(e.Data.Whole), a.Consts(e.Data.Whole)
	out := &Overwrite{Keys: e.conditionKeys(), lineage: e.LineageOf}
	value := e.Data.Whole
	if slices.ContainsFunc(value.fieldNames(), func(s string) bool { return s == "$set" }) {
		value = value.Field("$set")
	}
	parts, _ := a.Parts(value)
	for _, x := range parts {
		if x.Name != "Key" && x.Name != "Value" && !strings.HasPrefix(x.Name, "$") {
			out.Sets = append(out.Sets, x)
		}
	}
	if len(out.Sets) > 0 {
		return out
	}
	for _, name := range e.Data.Operators {
		if !strings.HasPrefix(name, "$") && !strings.ContainsAny(name, " /:") && !slices.Contains(consts, name) {
			out.Sets = append(out.Sets, Assignment{Name: name, From: from})
		}
	}
	if len(out.Sets) == 0 {
		out.Sets = []Assignment{{From: from}}
	}
	return out
}

// overwritesEntity reads a struct or map that is stored as a whole, or whose fields
// are.
func (e *Effect) overwritesEntity(a PartAsker) *Overwrite {
	keys := e.conditionKeys()
	value := e.Data.Whole
	if e.Data.Item && e.Op == catalog.Update {
		return expressed(a, value)
	}
	if e.Data.Item {
		keys = conditionOf(a, value)
		value = value.Field("Item")
	}
	parts, whole := a.Parts(value)
	if slices.ContainsFunc(parts, func(x Assignment) bool { return strings.HasPrefix(x.Name, "$") }) {
		return nil // a document of operators that are not known one by one
	}
	if e.newRow(parts, whole) {
		return nil
	}
	out := &Overwrite{Keys: keys, lineage: e.LineageOf, Loaded: whole.Has(FromStored), Upsert: e.Op != catalog.Update}
	sums := a.Sums(value)
	for _, x := range parts {
		if slices.ContainsFunc(sums, func(s Sum) bool { return s.Field == x.Name }) || e.Data.Many && (x.At == nil || x.At.Made) {
			continue // of several, only those that were there are told apart
		}
		if e.setsExpression(x.Name) {
			continue
		}
		if len(e.Data.Only) > 0 && !slices.ContainsFunc(e.Data.Only, func(c string) bool { return namesColumn(x.Name, c) }) {
			continue
		}
		out.Sets = append(out.Sets, x)
	}
	if len(parts) == 0 && whole&(FromMessage|FromStored) == FromMessage {
		out.Sets = []Assignment{{From: whole}}
	}
	for _, cl := range e.Data.Clauses {
		if cl.Kind == "set" && !strings.Contains(cl.Text, "=") && len(cl.Params) == 1 && cl.Text != "" && !e.setsExpression(cl.Text) {
			out.Sets = append(out.Sets, Assignment{Name: cl.Text, From: a.Sources(cl.Params[0]), Consts: a.Consts(cl.Params[0])})
		}
	}
	if s, lineage := e.chained(); s != nil {
		out.Compared, out.lineage = s.Compared, lineage
	}
	return out
}

// newRow: a struct is saved without a primary key, which the database gives, or with one that
// neither the message nor a row has.
func (e *Effect) newRow(parts []Assignment, whole Sources) bool {
	if e.Entity == nil || e.Data.Settled || e.Entity.Put || e.Entity.Document || len(e.Entity.Primary) == 0 || whole&(FromStored|FromMessage|FromElsewhere) != 0 || e.Op != catalog.Save {
		return false
	}
	return !slices.ContainsFunc(parts, func(x Assignment) bool {
		return x.From&(FromStored|FromMessage) != 0 && slices.ContainsFunc(e.Entity.Primary, func(k string) bool { return k == x.Name || strings.HasSuffix(x.Name, "."+k) })
	})
}

// expressed reads the request of an update whose expression is known: "SET a = :a".
func expressed(a PartAsker, request *Lineage) *Overwrite {
	texts := a.Consts(request.Field("UpdateExpression"))
	if len(texts) != 1 || !strings.HasPrefix(strings.ToUpper(texts[0]), "SET ") {
		return nil
	}
	out := &Overwrite{Keys: conditionOf(a, request)}
	from := a.Sources(request.Field("ExpressionAttributeValues"))
	for _, part := range strings.Split(texts[0][len("SET "):], ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok || strings.ContainsAny(value, "+-(") {
			return nil
		}
		out.Sets = append(out.Sets, Assignment{Name: strings.TrimLeft(strings.TrimSpace(name), "#"), From: from})
	}
	return out
}

// conditionOf are the names in the condition of a request, "condition" where it is not
// known. That the version is still the one that was loaded is none.
func conditionOf(a PartAsker, request *Lineage) []string {
	o := request.Field("ConditionExpression")
	if a.Sources(o)&^FromConst == 0 && len(a.Consts(o)) == 0 {
		return nil
	}
	var out []string
	for _, c := range a.Consts(o) {
		left, right, ok := strings.Cut(c, "=")
		if ok && !strings.ContainsAny(left+right, "<>=") && strings.HasSuffix(plainName(strings.TrimSpace(left)), "version") {
			continue
		}
		out = append(out, "condition")
	}
	return out
}

func (e *Effect) conditionKeys() []string {
	var out []string
	for _, c := range e.Data.Clauses {
		if c.Kind == "where" {
			out = append(out, c.Keys...)
		}
	}
	return out
}

// setsExpression: a column is set to what SQL computes.
func (e *Effect) setsExpression(column string) bool {
	return slices.ContainsFunc(e.Data.Clauses, func(c Clause) bool {
		return c.Kind == "set" && strings.HasPrefix(c.Text, column+" = ")
	})
}

// chained is the statement of a builder's chain, with what its placeholders are given;
// nil where there are no clauses.
func (e *Effect) chained() (*sqltext.Statement, func(sqltext.Column) *Lineage) {
	set, where := "", ""
	var sets, wheres []*Lineage
	for _, c := range e.Data.Clauses {
		text := c.Text
		switch {
		case text == "":
		case c.Kind == "set":
			if !strings.Contains(text, "=") {
				if len(c.Params) != 1 || e.setsExpression(text) {
					continue
				}
				text += " = ?"
			}
			set, sets = joined(set, text, ", "), append(sets, c.Params...)
		case c.Kind == "where":
			if !strings.ContainsAny(text, "=<>? ") && len(c.Params) == 1 {
				text += " = ?"
			}
			where, wheres = joined(where, text, " AND "), append(wheres, c.Params...)
		}
	}
	if set == "" && where == "" || e.Op != catalog.Update && e.Op != catalog.Save {
		return nil, nil
	}
	if set == "" {
		set = "id = id"
	}
	if where != "" {
		where = " WHERE " + where
	}
	s := sqltext.ParseText("UPDATE t SET " + set + where)
	params := append(sets, wheres...)
	return &s[0], func(c sqltext.Column) *Lineage {
		if c.Param > 0 && c.Param <= len(params) {
			return params[c.Param-1]
		}
		return e.LineageOf(c)
	}
}
