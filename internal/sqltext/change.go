package sqltext

// update reads UPDATE.
func (r *reader) update(i int) {
	end, ok := r.tableAt(i)
	set := r.find(span{min(end, r.s.hi), r.s.hi}, "SET")
	if set == r.s.hi && !(ok && r.st.Partial) {
		r.reject()
		return
	}
	r.st.Verb = VerbUpdate
	if set < r.s.hi {
		s := span{set + 1, r.s.hi}
		s.hi = r.until(s)
		r.st.Set = r.assignments(s)
	}
}

// delete reads DELETE.
func (r *reader) delete(i int) {
	end, ok := r.tableAt(i)
	from := r.find(span{i, r.s.hi}, "FROM")
	if from == r.s.hi && (!ok || !r.st.Partial && r.at(end).up != "WHERE") {
		r.reject()
		return
	}
	r.st.Verb = VerbDelete
}

// assignments reads the items of a SET.
func (r *reader) assignments(s span) []Column {
	var out []Column
	for _, item := range r.commas(s) {
		eq := r.assignOp(item)
		if eq == item.hi {
			continue
		}
		left, right := span{item.lo, eq}, span{eq + 1, item.hi}
		if r.whole(left) {
			out = append(out, r.assignRow(left, right)...)
			continue
		}
		c, ok := r.column(left)
		if !ok {
			continue
		}
		v := r.value(right, c.name)
		if op := r.at(eq).up; op != "=" && op != ":=" && v.From != FromUnknown { // col += x
			v.From = FromDelta
		}
		v.Name = c.name
		out = append(out, v)
	}
	return out
}

// assignOp gives the place of the sign that assigns.
func (r *reader) assignOp(s span) int {
	return r.find(s, "=", "+=", "-=", "*=", "/=", ":=", "|=", "%=")
}

// assignRow reads (a, b) = (x, y).
func (r *reader) assignRow(left, right span) []Column {
	if r.at(right.lo).up == "ROW" {
		right.lo++
	}
	inner := r.bare(right)
	var items []span
	if !r.query(inner.lo) {
		items = r.commas(inner)
	}
	var out []Column
	for k, name := range r.idents(r.bare(left)) {
		v := Column{From: FromExpr, Ref: "select"}
		if k < len(items) {
			v = r.value(items[k], name)
		}
		if v.Name = name; name != "" {
			out = append(out, v)
		}
	}
	return out
}

// merge reads MERGE: what it inserts is Set, what it updates ConflictSet, and
// the condition of WHEN MATCHED guards it.
func (r *reader) merge(i int) {
	end, ok := r.tableAt(i)
	using := r.find(span{min(end, r.s.hi), r.s.hi}, "USING")
	if using == r.s.hi && !(ok && r.st.Partial) {
		r.reject() // the MERGE of a graph database, or no SQL
		return
	}
	r.st.Verb = VerbMerge
	r.proposed = r.sourceAlias(using + 1)
	on := r.find(span{min(using, r.s.hi), r.s.hi}, "ON")
	when := r.find(span{on, r.s.hi}, "WHEN")
	if on < r.s.hi {
		r.st.Compared = r.compared(span{on + 1, when})
		for _, c := range r.st.Compared {
			r.st.ConflictColumns = append(r.st.ConflictColumns, c.Name)
		}
	}
	for when < r.s.hi {
		after := r.find(span{when + 1, r.s.hi}, "WHEN")
		r.branch(span{when + 1, after})
		when = after
	}
	if r.st.Conflict == ConflictNone && r.st.Set != nil {
		r.st.Conflict = ConflictNothing
	}
}

// sourceAlias reads what USING calls its rows.
func (r *reader) sourceAlias(i int) string {
	if r.at(i).up == "(" {
		alias, _ := r.aliasAt(r.next(i))
		return alias
	}
	if !r.at(i).name() {
		return ""
	}
	_, name, end := r.qualified(i)
	if alias := r.alias(end); alias != "" {
		return alias
	}
	return name
}

// branch reads one WHEN of MERGE.
func (r *reader) branch(s span) {
	then := r.find(s, "THEN")
	body := span{min(then+1, s.hi), s.hi}
	if and := r.find(span{s.lo, then}, "AND"); and < then && r.at(body.lo).up == "UPDATE" {
		cond := r.compared(span{and + 1, then})
		r.st.ConflictCompared = append(r.st.ConflictCompared, cond...)
		r.st.Compared = append(r.st.Compared, cond...)
	}
	switch r.at(body.lo).up {
	case "INSERT":
		cols, at := r.insertColumns(body.lo + 1)
		if r.at(at).up == "VALUES" {
			r.st.Set = append(r.st.Set, r.mergeValues(cols, r.row(at+1))...)
		}
	case "UPDATE":
		r.st.Conflict = ConflictUpdate
		set := span{min(body.lo+2, s.hi), s.hi}
		set.hi = r.until(set)
		r.st.ConflictSet = append(r.st.ConflictSet, r.assignments(set)...)
	}
}

// mergeValues reads what MERGE inserts. The proposed row is what it stores, so
// its columns stand for what they hold.
func (r *reader) mergeValues(cols []string, items []span) []Column {
	proposed := r.proposed
	r.proposed = ""
	defer func() { r.proposed = proposed }()
	return r.zip(cols, items)
}
