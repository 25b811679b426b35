package sqltext

import "slices"

// Parse tells what the statements of a text do, in their order; there is at
// least one. A statement inside another one that changes rows (in a CTE) shows
// in the outer one's Writes, and follows it as one of its own.
//
// The ordinals of placeholders count through all of the text, as drivers do.
func Parse(parts ...Part) []Statement {
	var out []Statement
	for _, toks := range peel(cut(lex(join(parts)))) {
		out = append(out, parse(toks)...)
	}
	if len(out) == 0 {
		out = []Statement{{Verb: VerbUnknown}}
	}
	return out
}

// deepest is how many statements inside each other are read.
const deepest = 8

// parse reads one statement and those inside it.
func parse(toks []token) []Statement {
	t := nest(toks)
	t.tables()
	out := []Statement{t.statement(-1)}
	for i := range toks {
		if t.data[i] == i && t.depth(i) <= deepest {
			inner := t.statement(i)
			out[0].Writes = out[0].Writes || inner.Writes && out[0].Verb == VerbSelect
			out = append(out, inner)
		}
	}
	return out
}

// depth counts the statements that change rows around the group at i.
func (t *text) depth(i int) int {
	n := 0
	for ; i >= 0 && n <= deepest; n++ {
		if i = t.parent[i]; i >= 0 {
			i = t.data[i]
		}
	}
	return n
}

// reader reads one statement of a text.
type reader struct {
	*text
	s        span // all of it
	paren    int  // the parenthesis that it stands in, -1 at the top
	st       Statement
	target   ref
	proposed string // the alias of the row that an upsert proposed
	// conflict and skipped are the WHERE of an upsert: the one that guards the
	// update, and the one that only picks the index.
	conflict, skipped int
	foreigners        map[string]bool // see names
	others            *bool           // see otherTables
}

// statement reads the statement in the group at g, -1 for all of the text.
func (t *text) statement(g int) Statement {
	r := &reader{text: t, s: span{0, len(t.toks)}, paren: g, conflict: -1, skipped: -1}
	if g >= 0 {
		r.s = t.group(g)
	}
	r.st.Tables = t.named(r.s)
	r.st.Partial = r.partial()
	i := r.verbAt()
	r.verb(i)
	r.clauses()
	if r.st.Verb != VerbDDL && r.st.Verb != VerbOther && r.st.Verb != VerbUnknown {
		r.where()
	}
	return r.st
}

// verbAt gives the place of the verb, behind WITH, parentheses and the IF NOT
// EXISTS of SQL Server.
func (r *reader) verbAt() int {
	condition := r.at(r.s.lo).up == "IF"
	for i := r.s.lo; i < r.s.hi; {
		switch up := r.toks[i].up; up {
		case "(":
			i++
		case "IF", "NOT", "EXISTS":
			if !condition {
				return i
			}
			i++
		case "WITH":
			_, end := r.with(i)
			if end <= i+1 {
				return i
			}
			i = end
		default:
			if condition && up != "SELECT" {
				return r.s.lo
			}
			return i
		}
	}
	return r.s.lo
}

// verb reads the body of the statement whose verb stands at i.
func (r *reader) verb(i int) {
	switch up := r.at(i).up; up {
	case "SELECT":
		r.st.Verb = VerbSelect
		r.setTarget(r.selects(i))
		_, r.st.Selected = r.items(i)
	case "INSERT", "REPLACE", "UPSERT":
		r.insert(i)
	case "UPDATE":
		r.update(i)
	case "DELETE":
		r.delete(i)
	case "MERGE":
		r.merge(i)
	case "TRUNCATE":
		r.truncate(i)
	case "COPY", "LOAD":
		r.copyInto(i)
	default:
		r.st.Verb = r.plain(i)
	}
	switch r.st.Verb {
	case VerbInsert, VerbUpdate, VerbDelete, VerbMerge, VerbTruncate:
		r.st.Writes = true
	}
}

func (r *reader) setTarget(to ref) {
	if to.cte >= 0 && to.name != "" { // SQL Server updates a table through a CTE
		to = r.first(r.group(r.ctes[to.cte].open))
	}
	r.target = to
	r.st.Table, r.st.Schema = to.name, to.schema
}

// reject says that the words only look like SQL.
func (r *reader) reject() {
	r.st = Statement{Verb: VerbOther, Partial: r.st.Partial}
}

// selects gives the table that the SELECT at i reads; without a FROM of its own,
// that of the queries in its list: SELECT EXISTS (SELECT ...).
func (r *reader) selects(i int) ref {
	if _, ok := r.from[r.parent[i]]; ok {
		return r.read(r.parent[i])
	}
	return r.first(r.selectList(i))
}

// tableAt reads the target that stands behind the verb at i, and gives what
// follows its name and alias.
func (r *reader) tableAt(i int) (end int, ok bool) {
	i = r.skipModifiers(i + 1)
	if r.at(i).up == "FROM" {
		i = r.skipModifiers(i + 1)
	}
	k, found := slices.BinarySearchFunc(r.refs, i, func(x ref, at int) int { return x.at - at })
	if !found || i >= r.s.hi {
		return i, false
	}
	r.setTarget(r.refs[k])
	if r.at(i).kind == isParam {
		return i + 1, true
	}
	_, _, end = r.qualified(i)
	if r.at(end).up == "AS" {
		return end + 2, true
	}
	if r.alias(end) != "" {
		end++
	}
	return end, true
}
