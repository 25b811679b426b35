package sqltext

import (
	"slices"
	"strings"
)

// ref is a table named in a text.
type ref struct {
	at     int    // where its name begins
	name   string // "" if it is unknown
	schema string
	alias  string
	cte    int  // the CTE that it names, else -1
	target bool // it may be the alias of one named later: UPDATE o ... FROM orders o
}

// tables collects the tables and CTEs that a text names. One pass over all
// groups does it: each group is in a list of tables, or it isn't.
func (t *text) tables() {
	t.from, t.reads = map[int]int{}, map[int]ref{}
	listing := map[int]bool{}
	for i, tok := range t.toks {
		g := t.parent[i]
		switch {
		case tok.up == "," && listing[g]:
			t.table(i+1, false)
		case tok.kind != isWord || t.at(i-1).up == ".":
		case tok.up == "WITH":
			list, _ := t.with(i)
			t.ctes = append(t.ctes, list...)
		case t.introduces(i):
			if _, known := t.from[g]; tok.up == "FROM" && !known {
				t.from[g] = i
			}
			listing[g] = tok.up != "INTO" && tok.up != "INSERT" && tok.up != "ON" && tok.up != "COPY"
			t.table(i+1, strict(tok.up))
		case listing[g] && tok.up != "ON" && tok.up != "USING" && tok.up != "FOR" && t.ends(i):
			listing[g] = false
		}
	}
	t.resolve()
}

// strict tells whether what follows a table in parentheses is a list of columns,
// and not the arguments of a function.
func strict(up string) bool { return up != "FROM" && up != "JOIN" && up != "USING" }

// introduces tells whether the word at i stands before a table.
func (t *text) introduces(i int) bool {
	before, after := t.at(i-1).up, t.at(i+1).up
	switch t.toks[i].up {
	case "FROM":
		return t.fromTable(i)
	case "JOIN", "STRAIGHT_JOIN":
		return true
	case "INTO":
		return storesInto(before)
	case "USING":
		return t.usingTable(i)
	case "UPDATE", "DELETE", "MERGE", "INSERT", "REPLACE", "UPSERT":
		return t.begins(i) && after != "FROM" && after != "INTO" && after != "("
	case "COPY", "LOCK", "TRUNCATE":
		return i == 0 && after != "TABLE" && after != "TABLES" && after != "("
	case "TABLE":
		return t.at(i-1).kind == isWord && before != "RETURNS" && before != "AS"
	case "ON":
		return t.parent[i] < 0 && t.indexes()
	}
	return false
}

// storesInto tells the INTO of a statement that stores rows, by the word before
// it, from one that names a variable.
func storesInto(before string) bool {
	switch before {
	case "INSERT", "MERGE", "REPLACE", "UPSERT", "IGNORE", "DELAYED", "LOW_PRIORITY", "HIGH_PRIORITY", "OVERWRITE",
		"UPDATE", "ABORT", "FAIL", "ROLLBACK", ")":
		return true
	}
	return false
}

// begins tells whether the verb at i begins a statement: it is the first word of
// the text or of a group, or follows a CTE.
func (t *text) begins(i int) bool {
	switch t.at(i - 1).up {
	case "(", ")", ";", "BEGIN", "EXPLAIN", "ANALYZE", "AS":
		return true
	}
	return i == 0
}

// indexes tells whether a text makes something on a table.
func (t *text) indexes() bool {
	for i := 1; i < 6; i++ {
		switch t.at(i).up {
		case "INDEX", "TRIGGER", "POLICY", "RULE":
			return ddlVerb(t.at(0).up)
		}
	}
	return false
}

func ddlVerb(up string) bool {
	return up == "CREATE" || up == "ALTER" || up == "DROP"
}

// fromTable tells the FROM of a statement from that of an expression.
func (t *text) fromTable(i int) bool {
	if t.at(i-1).up == "DISTINCT" && (t.at(i-2).up == "IS" || t.at(i-2).up == "NOT") {
		return false
	}
	switch t.at(0).up {
	case "COPY", "REVOKE", "FETCH":
		return t.parent[i] >= 0
	}
	if g := t.parent[i]; g > 0 {
		switch t.at(g - 1).up {
		case "EXTRACT", "SUBSTRING", "TRIM", "OVERLAY", "DATE_PART", "SUBSTR":
			return false
		}
	}
	return true
}

// usingTable tells the USING of DELETE and MERGE from that of a join and others.
func (t *text) usingTable(i int) bool {
	if up := t.at(i + 1).up; up == "(" && !t.query(i+2) || up == "TTL" || up == "TIMESTAMP" {
		return false
	}
	if g := t.parent[i]; g >= 0 {
		return dataVerb(t.at(g + 1).up)
	}
	return !ddlVerb(t.at(0).up) && t.at(0).up != "SELECT"
}

// table reads the table at i, if one stands there.
func (t *text) table(i int, strict bool) {
	verb := t.at(i - 1).up
	i = t.skipModifiers(i)
	for t.at(i).up == "(" && !t.query(i+1) {
		i = t.skipModifiers(i + 1)
	}
	tok := t.at(i)
	r := ref{at: i, target: verb == "UPDATE" || verb == "DELETE"}
	switch {
	case tok.kind == isParam:
	case tok.up == "(":
		t.places = append(t.places, i)
		return
	case !tok.name() && tok.kind != isString, tok.kind == isWord && reserved(tok.up):
		return
	default:
		r.schema, r.name, i = t.qualified(i)
		if t.at(i).up == "(" && !strict && !t.hints(i) {
			t.places = append(t.places, i)
			return // a function
		}
		r.alias = t.alias(i)
	}
	t.refs = append(t.refs, r)
}

// query tells whether the group that begins at i is a statement.
func (t *text) query(i int) bool {
	up := t.at(i).up
	return up == "SELECT" || up == "WITH" || up == "VALUES" || dataVerb(up)
}

// hints tells whether the group at i holds hints of SQL Server.
func (t *text) hints(i int) bool {
	switch t.at(i + 1).up {
	case "NOLOCK", "UPDLOCK", "ROWLOCK", "HOLDLOCK", "READPAST", "XLOCK", "TABLOCK", "TABLOCKX":
		return true
	}
	return false
}

// skipModifiers steps over what may stand between a verb and its table.
func (t *text) skipModifiers(i int) int {
	for {
		switch t.at(i).up {
		case "ONLY", "LATERAL", "TABLE", "LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "QUICK", "IGNORE", "NOT", "EXISTS", "INTO",
			"CONCURRENTLY", "OVERWRITE":
			i++
		case "IF":
			i++
		case "OR": // INSERT OR IGNORE
			i += 2
		case "TOP":
			if i++; t.at(i).up == "(" {
				i = t.next(i)
			}
		default:
			return i
		}
	}
}

// qualified reads the name at i, and gives what stands behind it. Some of the
// name may be a gap.
func (t *text) qualified(i int) (schema, name string, end int) {
	name = t.ident(i)
	for t.at(i+1).up == "." && (t.at(i+2).name() || t.at(i+2).up == ".") {
		i += 2
		if t.at(i).up == "." { // db..table
			i++
		}
		schema, name = name, t.ident(i)
	}
	if k := strings.LastIndexByte(name, '.'); k >= 0 { // `project.data.table`
		schema, name = name[:k], name[k+1:]
	}
	return schema, name, i + 1
}

// ident gives the name at i, lower-case, and "" for one with a gap.
func (t *text) ident(i int) string {
	tok := t.at(i)
	if !tok.name() && tok.kind != isString || hasGap(tok.text) {
		return ""
	}
	return strings.ToLower(tok.text)
}

// idents gives the names of a list, each without its qualifier.
func (t *text) idents(s span) []string {
	var out []string
	for _, item := range t.commas(s) {
		_, name, _ := t.qualified(item.lo)
		out = append(out, name)
	}
	return out
}

// alias reads the alias behind a table's name.
func (t *text) alias(i int) string {
	if t.at(i).up == "AS" {
		return t.ident(i + 1)
	}
	if tok := t.at(i); tok.kind == isQuoted || tok.kind == isWord && !reserved(tok.up) {
		return t.ident(i)
	}
	return ""
}

// named gives the tables of a span that have a known name, sorted.
func (t *text) named(s span) []string {
	var out []string
	for _, r := range t.in(s) {
		if r.name != "" && r.cte < 0 && r.name != "dual" {
			out = append(out, r.name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// in gives the tables that a span names, CTEs too.
func (t *text) in(s span) []ref {
	lo, _ := slices.BinarySearchFunc(t.refs, s.lo, func(r ref, at int) int { return r.at - at })
	hi, _ := slices.BinarySearchFunc(t.refs, s.hi, func(r ref, at int) int { return r.at - at })
	return t.refs[lo:max(lo, hi)]
}

// first gives the table that a list of tables begins with, looking through CTEs
// and nested queries.
func (t *text) first(s span) ref {
	for range 8 {
		refs := t.in(s)
		if len(refs) == 0 {
			break
		}
		if refs[0].cte < 0 {
			return refs[0]
		}
		s = t.group(t.ctes[refs[0].cte].open)
	}
	return ref{}
}

// read gives the table that the SELECT of a group reads; -1 is the top.
func (t *text) read(g int) ref {
	if r, ok := t.reads[g]; ok {
		return r
	}
	var r ref
	if at, ok := t.from[g]; ok {
		s := span{at + 1, len(t.toks)}
		if g >= 0 {
			s.hi = t.group(g).hi
		}
		s.hi = t.until(s)
		r = t.first(s)
	}
	t.reads[g] = r
	return r
}
