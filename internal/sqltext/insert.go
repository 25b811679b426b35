package sqltext

// insert reads INSERT, REPLACE and UPSERT.
func (r *reader) insert(i int) {
	into := r.find(span{i, min(i+8, r.s.hi)}, "INTO", "OVERWRITE")
	end, ok := r.tableAt(i)
	if into >= min(i+8, r.s.hi) && (!ok || !r.insertBody(end)) {
		r.reject()
		return
	}
	r.st.Verb = VerbInsert
	if !ok {
		return
	}
	cols, body := r.insertColumns(end)
	r.st.Set = r.values(cols, body)
	r.conflictVerb(i)
	r.onConflict(end)
}

// insertBody tells whether what follows a table can be the rest of an INSERT.
func (r *reader) insertBody(i int) bool {
	switch r.at(i).up {
	case "(", "VALUES", "SELECT", "SET", "DEFAULT", "WITH", "EXEC":
		return true
	}
	return hasGap(r.at(i).text)
}

// insertColumns reads the list of columns at i, and gives what follows it.
func (r *reader) insertColumns(i int) (cols []string, body int) {
	if r.at(i).up == "PARTITION" {
		if i++; r.at(i).up == "(" {
			i = r.next(i)
		}
	}
	if r.at(i).up == "(" && !r.query(i+1) {
		return r.idents(r.group(i)), r.next(i)
	}
	return nil, i
}

// values reads what an INSERT stores: its first row, its assignments or what
// its query gives.
func (r *reader) values(cols []string, i int) []Column {
	at := min(i, r.s.hi)
	for at < r.s.hi && !r.insertBody(at) && r.at(at).up != "ON" {
		at = r.next(at)
	}
	if r.at(at).up == "WITH" {
		_, at = r.with(at)
	}
	for r.at(at).up == "(" && r.at(at+1).up == "SELECT" {
		at++
	}
	var items []span
	switch r.at(at).up {
	case "SET":
		end := r.find(span{at, r.s.hi}, "ON", "AS", "RETURNING")
		return r.assignments(span{at + 1, end})
	case "VALUES":
		items = r.row(at + 1)
		r.rowAlias(at + 1)
	case "SELECT":
		items = r.selected(at)
	}
	return r.zip(cols, items)
}

// row gives the values of the first row behind VALUES.
func (t *text) row(i int) []span {
	if t.at(i).up == "ROW" {
		i++
	}
	if t.at(i).up != "(" {
		return nil
	}
	return t.commas(t.group(i))
}

// rowAlias finds the name that MySQL gives to the new row: VALUES (...) AS new.
func (r *reader) rowAlias(i int) {
	if as := r.find(span{i, r.s.hi}, "AS", "ON"); r.at(as).up == "AS" {
		r.proposed = r.ident(as + 1)
	}
}

// zip gives each column its value. A column without one has an unknown value:
// the list of values has a gap.
func (r *reader) zip(cols []string, items []span) []Column {
	var out []Column
	if cols == nil {
		for _, item := range items {
			out = append(out, r.value(item, ""))
		}
		return out
	}
	for k, name := range cols {
		c := Column{From: FromUnknown}
		if k < len(items) {
			c = r.value(items[k], "")
		}
		if c.Name = name; name == "" {
			items = nil // a gap among the columns: nothing lines up any more
			continue
		}
		out = append(out, c)
	}
	return out
}

// conflictVerb reads what the words before INTO say of conflicts.
func (r *reader) conflictVerb(i int) {
	switch r.toks[i].up {
	case "REPLACE":
		r.st.Conflict = ConflictReplace
	case "UPSERT":
		r.upsert()
	}
	for k := i + 1; k < min(i+5, r.s.hi); k++ {
		switch {
		case r.toks[k].up == "INTO":
			return
		case r.toks[k].up == "IGNORE":
			r.st.Conflict = ConflictNothing
		case r.is(k, "OR", "REPLACE"):
			r.st.Conflict = ConflictReplace
		case r.is(k, "OR", "UPDATE"):
			r.upsert()
		}
	}
}

// upsert says that each column of the row that is there becomes the new one's.
func (r *reader) upsert() {
	r.st.Conflict = ConflictUpdate
	for _, c := range r.st.Set {
		r.st.ConflictSet = append(r.st.ConflictSet, Column{Name: c.Name, From: FromExcluded, Ref: c.Name})
	}
}

// onConflict reads the conflict clauses behind the table.
func (r *reader) onConflict(i int) {
	for ; i < r.s.hi; i = r.next(i) {
		switch {
		case r.is(i, "ON", "CONFLICT"):
			r.conflictClause(i + 2)
		case r.is(i, "ON", "DUPLICATE", "KEY", "UPDATE"):
			end := r.find(span{i + 4, r.s.hi}, "RETURNING")
			r.st.Conflict = ConflictUpdate
			r.st.ConflictSet = r.assignments(span{i + 4, end})
		case r.is(i, "IF", "NOT", "EXISTS"): // Cassandra
			r.st.Conflict = ConflictNothing
		}
	}
}

// conflictClause reads ON CONFLICT, whose key stands at i.
func (r *reader) conflictClause(i int) {
	if r.at(i).up == "(" {
		r.st.ConflictColumns = r.keyColumns(r.group(i))
		i = r.next(i)
	}
	do := r.find(span{i, r.s.hi}, "DO")
	if r.at(i).up == "WHERE" && do < r.s.hi {
		r.skipped = i
	}
	switch {
	case r.is(do, "DO", "NOTHING"):
		if r.st.Conflict == ConflictNone {
			r.st.Conflict = ConflictNothing
		}
	case r.is(do, "DO", "UPDATE"):
		set := span{do + 3, r.s.hi}
		set.hi = r.until(set)
		r.st.Conflict = ConflictUpdate
		r.st.ConflictSet = r.assignments(set)
		if r.at(set.hi).up == "WHERE" {
			r.conflict = set.hi
		}
	}
}

// keyColumns reads a unique key, which may have expressions in it.
func (r *reader) keyColumns(s span) []string {
	var out []string
	for _, item := range r.commas(s) {
		if c, ok := r.column(item); ok {
			out = append(out, c.name)
		}
	}
	return out
}
