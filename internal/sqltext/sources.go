package sqltext

import "slices"

// source is a derived table: rows that the statement itself makes from its
// placeholders, as VALUES, unnest or a SELECT without a table do.
type source struct {
	cols []string
	vals []span
}

// derive collects the derived tables, by alias.
func (t *text) derive() {
	if t.sources != nil {
		return
	}
	t.sources, t.aliases = map[string]source{}, map[string]string{}
	for _, c := range t.ctes {
		t.derived(c.open, c.name, c.cols)
	}
	for _, i := range t.places {
		if t.match[i] < len(t.toks) {
			alias, cols := t.aliasAt(t.next(i))
			t.derived(i, alias, cols)
		}
	}
	for _, r := range t.refs {
		if r.cte >= 0 && r.alias != "" {
			t.aliases[r.alias] = t.ctes[r.cte].name
		}
	}
}

// derived keeps the derived table in the parenthesis at i.
func (t *text) derived(i int, alias string, cols []string) {
	if alias == "" {
		return
	}
	var s source
	switch {
	case t.at(i+1).up == "VALUES":
		s.vals = t.row(i + 2)
	case t.at(i+1).up == "SELECT":
		s.vals, s.cols = t.items(i + 1)
	case t.at(i-1).up == "UNNEST" && t.at(i-1).kind == isWord:
		if s.vals = t.commas(t.group(i)); cols == nil {
			cols = []string{alias}
		}
	}
	if up := t.at(i - 1).up; up == "JSON_TO_RECORDSET" || up == "JSONB_TO_RECORDSET" {
		for range cols {
			s.vals = append(s.vals, t.group(i))
		}
	}
	if cols != nil {
		s.cols = cols
	}
	if _, taken := t.sources[alias]; s.vals != nil && s.cols != nil && !taken {
		t.sources[alias] = s
	}
}

// aliasAt reads [AS] alias [(columns)] at i.
func (t *text) aliasAt(i int) (alias string, cols []string) {
	if t.is(i, "WITH", "ORDINALITY") {
		i += 2
	}
	if t.at(i).up == "AS" {
		i++
	}
	if alias = t.alias(i); alias == "" {
		return "", nil
	}
	if t.at(i+1).up == "(" {
		cols = t.idents(t.group(i + 1))
		for k, c := range t.commas(t.group(i + 1)) { // unnest(...) AS v(id bigint)
			if t.at(c.lo).name() {
				cols[k] = t.ident(c.lo)
			}
		}
	}
	return alias, cols
}

// selectList gives the list of the SELECT at i.
func (t *text) selectList(i int) span {
	end := len(t.toks)
	if g := t.parent[i]; g >= 0 {
		end = t.group(g).hi
	}
	i++
	for t.at(i).up == "DISTINCT" || t.at(i).up == "ALL" {
		i++
	}
	if t.at(i).up == "TOP" {
		i = t.primary(i + 1)
	}
	i = min(i, end)
	return span{i, t.until(span{i, end})}
}

// items gives the values of the SELECT at i and what they are called.
func (t *text) items(i int) (vals []span, names []string) {
	for _, item := range t.commas(t.selectList(i)) {
		name := ""
		switch as := t.find(item, "AS"); {
		case as < item.hi:
			item.hi, name = as, t.ident(as+1)
		case t.implicitAlias(item):
			item.hi--
			name = t.ident(item.hi)
		default:
			if p, end := t.path(item.lo); end == item.hi {
				name = p.name
			}
		}
		vals, names = append(vals, item), append(names, name)
	}
	return vals, names
}

// implicitAlias tells whether a value is followed by an alias without AS.
func (t *text) implicitAlias(s span) bool {
	if s.hi-s.lo < 2 || !t.at(s.hi-1).name() || reserved(t.at(s.hi-1).up) {
		return false
	}
	switch before := t.at(s.hi - 2); before.kind {
	case isParam, isString, isNumber, isQuoted:
		return true
	case isWord:
		return !reserved(before.up)
	default:
		return before.up == ")"
	}
}

// selected gives the values of the SELECT at i. A star stands for what a derived
// table without a real one beside it holds.
func (t *text) selected(i int) []span {
	vals, _ := t.items(i)
	if len(vals) != 1 || t.at(vals[0].hi-1).up != "*" || vals[0].hi-vals[0].lo > 3 {
		return vals
	}
	at := t.from[t.parent[i]] + 1
	switch {
	case t.is(at, "UNNEST", "("):
		return t.commas(t.group(at + 1))
	case t.is(at, "(", "VALUES"):
		return t.row(at + 2)
	}
	for _, r := range t.refs {
		if r.at == at && r.cte >= 0 {
			if open := t.ctes[r.cte].open; t.at(open+1).up == "VALUES" {
				return t.row(open + 2)
			}
		}
	}
	return nil
}

// lookup finds what a column of a derived table holds. One without a qualifier
// is looked for only where there is no other table that it can be in.
func (r *reader) lookup(p path) (span, bool) {
	r.derive()
	alias := p.qualifier
	if alias == "" {
		if len(r.sources) != 1 || r.otherTables() {
			return span{}, false
		}
		for alias = range r.sources {
		}
	}
	s, ok := r.sources[alias]
	if !ok {
		s = r.sources[r.aliases[alias]]
	}
	k := slices.Index(s.cols, p.name)
	if k < 0 || k >= len(s.vals) {
		return span{}, false
	}
	return s.vals[k], true
}

// otherTables tells whether a table other than an INSERT's target is read.
func (r *reader) otherTables() bool {
	if r.st.Verb != VerbInsert {
		return true
	}
	if r.others == nil {
		other := slices.ContainsFunc(r.refs, func(x ref) bool { return x.cte < 0 && x.at != r.target.at })
		r.others = &other
	}
	return *r.others
}
