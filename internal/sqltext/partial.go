package sqltext

import "strings"

// partial tells whether a gap may hide a clause. One that only a name, a number
// or some values fit in hides none.
func (r *reader) partial() bool {
	for i := r.s.lo; i < r.s.hi; i++ {
		if tok := r.toks[i]; tok.kind == isWord && strings.ContainsRune(tok.text, openGap) && r.mayHide(i) {
			return true
		}
	}
	return false
}

func (r *reader) mayHide(i int) bool {
	before, after := r.at(i-1), r.at(i+1)
	if len(r.toks[i].text) > len(string(openGap)) || after.up == "." {
		return false // a part of a name
	}
	switch before.up {
	case "SET":
		return after.up != "="
	case "FROM", "INTO", "UPDATE", "JOIN", "TABLE", ".":
		switch after.up {
		case "(", ")", "SET", "WHERE", "VALUES", "AS", "ON":
			return false
		}
	case "SELECT", "DISTINCT":
		return after.up != "FROM" && after.up != ","
	case "RETURNING", "LIMIT", "OFFSET":
		return false
	case "BY":
		return !r.clauseAt(i + 1)
	case "VALUES":
		return after.up != "ON"
	case "=", "<>", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/":
		return after.up != "AND" && after.up != "OR" && after.up != "," && !arithmetic(after.up) && !r.clauseAt(i+1)
	case ",":
		return after.up != "," && after.up != "FROM" && after.up != "=" && !r.listed(i)
	}
	return !r.listed(i)
}

func (r *reader) clauseAt(i int) bool { return i < r.s.hi && r.ends(i) }

// listed tells whether i stands in a list of values or columns.
func (r *reader) listed(i int) bool {
	g := r.parent[i]
	if g < 0 || r.toks[g].up != "(" || r.query(g+1) {
		return false
	}
	before := r.at(g - 1)
	switch before.up {
	case "IN", "VALUES", ",", "ANY", "ALL":
		return true
	}
	return before.name() && !reserved(before.up)
}

func arithmetic(up string) bool { return up == "+" || up == "-" || up == "*" || up == "/" }
