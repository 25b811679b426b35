package sqltext

// where reads the conditions of the statement: those of its own WHERE, and of
// queries inside it that read the same table.
func (r *reader) where() {
	data := -1
	if r.paren >= 0 {
		data = r.data[r.paren]
	}
	for i := r.s.lo; i < r.s.hi; i++ {
		g := r.parent[i]
		if r.toks[i].up != "WHERE" || i == r.skipped || i+1 >= r.s.hi {
			continue
		}
		if g != r.paren && (g < 0 || r.level[i] > deepest || r.data[g] != data || !r.sameTable(g)) {
			continue
		}
		s := span{i + 1, r.s.hi}
		if g >= 0 {
			s.hi = r.group(g).hi
		}
		s.hi = r.until(s)
		found := r.compared(s)
		if i == r.conflict {
			r.st.ConflictCompared = found
		}
		if r.at(s.hi).up == "IF" {
			found = append(found, r.compared(span{s.hi + 1, r.s.hi})...)
		}
		r.st.Compared = append(r.st.Compared, found...)
	}
}

// sameTable tells whether the query in a group reads the statement's table.
func (r *reader) sameTable(g int) bool {
	if up := r.at(g + 1).up; up != "SELECT" && up != "WITH" {
		return false
	}
	from := r.read(g)
	return from.name != "" && from.name == r.st.Table
}

// compared reads the comparisons of a condition.
func (r *reader) compared(s span) []Column {
	c := &conditions{reader: r}
	c.terms(s, false, 0)
	return c.out
}

// conditions collects comparisons.
type conditions struct {
	*reader
	out []Column
}

// tooDeep is how many parentheses around conditions are looked through.
const tooDeep = 100

// terms reads what AND and OR join. not: the whole is negated.
func (c *conditions) terms(s span, not bool, depth int) {
	if depth > tooDeep {
		return
	}
	lo, between := s.lo, 0
	for i := s.lo; i < s.hi; i = c.next(i) {
		switch c.toks[i].up {
		case "BETWEEN":
			between++
			continue
		case "AND":
			if between > 0 {
				between--
				continue
			}
		case "OR", "XOR":
		default:
			continue
		}
		c.term(span{lo, i}, not, depth)
		lo = i + 1
	}
	c.term(span{lo, s.hi}, not, depth)
}

// term reads one comparison, or several in parentheses.
func (c *conditions) term(s span, not bool, depth int) {
	for {
		if c.at(s.lo).up == "NOT" && !s.empty() {
			not, s.lo = !not, s.lo+1
		} else if inner := c.bare(s); inner != s {
			s = inner
		} else {
			break
		}
	}
	switch {
	case s.empty(), c.at(s.lo).up == "EXISTS", c.query(s.lo):
	case c.find(s, "AND", "OR", "XOR") < s.hi && c.comparisonIsBetween(s):
		c.comparison(s, not)
	case c.find(s, "AND", "OR", "XOR") < s.hi:
		c.terms(s, not, depth+1)
	default:
		c.comparison(s, not)
	}
}

// comparisonIsBetween tells whether the first AND of a span belongs to BETWEEN
// and is the only one.
func (c *conditions) comparisonIsBetween(s span) bool {
	between := c.find(s, "BETWEEN")
	and := c.find(s, "AND", "OR", "XOR")
	return between < and && c.find(span{and + 1, s.hi}, "AND", "OR", "XOR") == s.hi
}

// comparison reads a op b.
func (c *conditions) comparison(s span, not bool) {
	i, op := c.operator(s)
	left := span{s.lo, i}
	if c.at(i).up == "NOT" {
		not, i = !not, i+1
	}
	right := span{min(i+1, s.hi), s.hi}
	switch op {
	case "":
		c.truth(s, not)
	case "is":
		c.isTest(left, right, not)
	case "between":
		and := c.find(right, "AND")
		c.pair(left, span{right.lo, and}, ">=", not)
		c.pair(left, span{min(and+1, s.hi), s.hi}, "<=", not)
	case "in":
		c.inList(left, right, not)
	default:
		if up := c.at(right.lo).up; (up == "ANY" || up == "ALL" || up == "SOME") && c.at(right.lo+1).up == "(" {
			c.quantified(left, right, op, not)
			return
		}
		c.pair(left, right, op, not)
	}
}

// operator finds what compares: its place and what it is called; "" if nothing
// does.
func (c *conditions) operator(s span) (at int, op string) {
	for i := s.lo; i < s.hi; i = c.next(i) {
		word := c.toks[i].up
		if word == "NOT" {
			word = c.at(i + 1).up
		}
		switch word {
		case "=", "<", "<=", ">", ">=":
			return i, word
		case "<>", "!=", "^=":
			return i, "<>"
		case "==", "<=>":
			return i, "="
		case "IS", "IN", "BETWEEN":
			return i, lower(word)
		case "LIKE", "ILIKE", "RLIKE", "REGEXP", "GLOB", "~", "~*":
			return i, "like"
		case "SIMILAR":
			return i + 1, "like"
		case "!~", "!~*":
			return i, "not like"
		case "ISNULL", "NOTNULL":
			return i, "is"
		}
	}
	return s.hi, ""
}
