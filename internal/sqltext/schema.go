package sqltext

import (
	"slices"
	"strings"
)

// Table is what a schema's text says of a table: by which columns its rows are
// one of a kind. Of several texts all keys count, also one that another text
// drops: who asks wants to know what can't be inserted twice.
type Table struct {
	// Name is lower-case, unquoted and without its schema.
	Name string
	// Created says that the text creates the table, so that it lists its columns.
	Created bool
	// Keys are the primary key and the unique ones. The columns of an expression
	// stand for it: lower(email) is email.
	Keys [][]string
	// Open: there may be keys that aren't read (LIKE, AS SELECT, EXCLUDE).
	Open bool
	// Fixed are columns that are the same in every row that doesn't set them.
	Fixed []string
}

// Schema reads the tables, unique keys and indexes that a text creates or adds.
// What it drops stays.
func Schema(s string) []Table {
	var out []Table
	for _, toks := range cut(lex(join([]Part{Text(s)}))) {
		r := schemaReader{toks: toks}
		if t, ok := r.statement(); ok {
			out = append(out, t)
		}
	}
	return out
}

// schemaReader reads one statement of a schema.
type schemaReader struct {
	toks []token
	i    int
	out  Table
}

func (r *schemaReader) up() string {
	if r.i < len(r.toks) {
		return r.toks[r.i].up
	}
	return ""
}

// skip moves past words that may stand here.
func (r *schemaReader) skip(words ...string) {
	for slices.Contains(words, r.up()) && r.i < len(r.toks) {
		r.i++
	}
}

// name reads a name and drops what qualifies it.
func (r *schemaReader) name() string {
	name := ""
	for r.i < len(r.toks) && r.toks[r.i].name() {
		name = strings.ToLower(r.toks[r.i].text)
		if r.i++; r.up() != "." {
			break
		}
		r.i++
	}
	return name
}

func (r *schemaReader) statement() (Table, bool) {
	switch r.up() {
	case "CREATE":
		r.i++
		unique := false
		for slices.Contains([]string{"GLOBAL", "LOCAL", "TEMP", "TEMPORARY", "UNLOGGED", "FOREIGN", "UNIQUE", "CLUSTERED", "NONCLUSTERED"}, r.up()) {
			unique = unique || r.up() == "UNIQUE"
			r.i++
		}
		switch {
		case r.up() == "TABLE":
			r.i++
			return r.table()
		case r.up() == "INDEX" && unique:
			r.i++
			return r.index()
		}
	case "ALTER":
		r.i++
		if r.up() == "TABLE" {
			r.i++
			return r.alter()
		}
	}
	return Table{}, false
}

func (r *schemaReader) table() (Table, bool) {
	r.skip("IF", "NOT", "EXISTS")
	r.out.Name, r.out.Created = r.name(), true
	if r.out.Name == "" {
		return Table{}, false
	}
	if r.up() != "(" {
		r.out.Open = true // AS SELECT, PARTITION OF, LIKE
		return r.out, true
	}
	end := r.closing(r.i)
	for _, item := range r.items(r.i+1, end) {
		r.item(item)
	}
	for _, t := range r.toks[min(end+1, len(r.toks)):] {
		r.out.Open = r.out.Open || t.up == "INHERITS" || t.up == "SELECT"
	}
	return r.out, true
}

func (r *schemaReader) index() (Table, bool) {
	r.skip("CONCURRENTLY", "IF", "NOT", "EXISTS")
	if r.up() != "ON" {
		r.name()
	}
	if r.up() != "ON" {
		return Table{}, false
	}
	r.i++
	r.skip("ONLY")
	r.out.Name = r.name()
	if r.up() == "USING" {
		r.i += 2
	}
	r.key(r.toks[r.i:])
	return r.out, r.out.Name != ""
}

func (r *schemaReader) alter() (Table, bool) {
	r.skip("IF", "EXISTS", "ONLY")
	r.out.Name = r.name()
	for _, item := range r.items(r.i, len(r.toks)) {
		if len(item) < 2 || item[0].up != "ADD" {
			continue
		}
		item = item[1:]
		for len(item) > 1 && slices.Contains([]string{"COLUMN", "IF", "NOT", "EXISTS"}, item[0].up) {
			item = item[1:]
		}
		if item[0].up == "(" { // ADD (a int, b int)
			item = item[1:]
		}
		r.item(item)
	}
	return r.out, r.out.Name != ""
}

// closing is the place of the parenthesis that closes the one at i.
func (r *schemaReader) closing(i int) int {
	depth := 0
	for ; i < len(r.toks); i++ {
		switch r.toks[i].up {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(r.toks)
}

// items are what commas part.
func (r *schemaReader) items(lo, hi int) [][]token {
	var out [][]token
	depth, from := 0, lo
	for i := lo; i < hi; i++ {
		switch r.toks[i].up {
		case "(":
			depth++
		case ")":
			depth--
		case ",":
			if depth == 0 {
				out = append(out, r.toks[from:i])
				from = i + 1
			}
		}
	}
	if from < hi {
		out = append(out, r.toks[from:hi])
	}
	return out
}

// item reads a column or a constraint.
func (r *schemaReader) item(item []token) {
	if len(item) > 2 && item[0].up == "CONSTRAINT" {
		item = item[2:]
	}
	if len(item) == 0 {
		return
	}
	switch item[0].up {
	case "PRIMARY", "UNIQUE":
		r.key(item)
	case "CHECK", "FOREIGN", "KEY", "INDEX", "FULLTEXT", "SPATIAL", "PERIOD":
	case "LIKE", "EXCLUDE":
		r.out.Open = true
	default:
		r.column(item)
	}
}

// key reads the columns in the first parentheses.
func (r *schemaReader) key(item []token) {
	open := slices.IndexFunc(item, func(t token) bool { return t.up == "(" })
	if open < 0 { // USING INDEX
		r.out.Open = true
		return
	}
	var cols []string
	depth := 0
	for i := open; i < len(item); i++ {
		switch t := item[i]; {
		case t.up == "(":
			depth++
		case t.up == ")":
			depth--
		case t.name() && (i+1 == len(item) || item[i+1].up != "(" || i+2 < len(item) && item[i+2].kind == isNumber) && !slices.Contains(orderWords(), t.up):
			cols = append(cols, strings.ToLower(t.text))
		}
		if depth == 0 {
			break
		}
	}
	r.out.Keys = append(r.out.Keys, cols)
}

func orderWords() []string { return []string{"ASC", "DESC", "NULLS", "FIRST", "LAST"} }

// column reads a column with the constraints behind it.
func (r *schemaReader) column(item []token) {
	if !item[0].name() || len(item) < 2 {
		return
	}
	name := strings.ToLower(item[0].text)
	depth := 0
	for i, t := range item[1:] {
		switch t.up {
		case "(":
			depth++
		case ")":
			depth--
		case "PRIMARY", "UNIQUE":
			if depth == 0 {
				r.out.Keys = append(r.out.Keys, []string{name})
			}
		case "DEFAULT":
			if next := i + 2; depth == 0 && next < len(item) && (item[next].kind == isString || item[next].kind == isNumber || item[next].up == "TRUE" || item[next].up == "FALSE") {
				r.out.Fixed = append(r.out.Fixed, name)
			}
		case "AS": // a generated column is made from others
			r.out.Open = r.out.Open || depth == 0 && item[len(item)-1].up != "IDENTITY" && !slices.ContainsFunc(item, func(t token) bool { return t.up == "IDENTITY" })
		}
	}
}
