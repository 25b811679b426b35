package sqltext

import "strings"

func lower(s string) string { return strings.ToLower(s) }

// negated gives the operator of NOT (a op b).
func negated(op string) string {
	switch op {
	case "=":
		return "<>"
	case "<>":
		return "="
	case "<":
		return ">="
	case ">=":
		return "<"
	case ">":
		return "<="
	case "<=":
		return ">"
	case "is":
		return "is not"
	case "is not":
		return "is"
	}
	if rest, ok := strings.CutPrefix(op, "not "); ok {
		return rest
	}
	return "not " + op
}

// flipped gives the operator of b op a.
func flipped(op string) string {
	switch op {
	case "<":
		return ">"
	case ">":
		return "<"
	case "<=":
		return ">="
	case ">=":
		return "<="
	}
	return op
}

// pair reads a comparison of two values, or of two rows of values.
func (c *conditions) pair(left, right span, op string, not bool) {
	if ls := c.rowOf(left); ls != nil {
		if rs := c.rowOf(right); len(rs) == len(ls) {
			for k := range ls {
				c.pair(ls[k], rs[k], op, not)
			}
			return
		}
	}
	if not {
		op = negated(op)
	}
	lc, lok := c.column(left)
	rc, rok := c.column(right)
	if rok && (!lok || c.foreign(lc.qualifier) && !c.foreign(rc.qualifier)) {
		left, right, op = right, left, flipped(op)
		lc, lok = rc, true
	}
	if !lok || c.excluded(lc.qualifier) {
		return
	}
	v := c.value(right, "")
	v.Name, v.Op = lc.name, op
	c.out = append(c.out, v)
}

// rowOf gives the values of (a, b).
func (c *conditions) rowOf(s span) []span {
	if c.at(s.lo).up == "ROW" {
		s.lo++
	}
	if !c.whole(s) || c.query(s.lo+1) {
		return nil
	}
	items := c.commas(c.group(s.lo))
	if len(items) < 2 {
		return nil
	}
	return items
}

// inList reads a IN (...), a value at a time.
func (c *conditions) inList(left, right span, not bool) {
	if c.whole(right) && !c.query(right.lo+1) {
		for _, item := range c.commas(c.group(right.lo)) {
			c.pair(left, item, "in", not)
		}
		return
	}
	if c.at(right.lo).up == "UNNEST" && c.at(right.lo+1).up == "(" {
		right = c.group(right.lo + 1)
	}
	for _, l := range c.leftColumns(left) {
		c.pair(l, right, "in", not)
	}
}

// leftColumns gives the columns of (a, b) IN ..., or the one.
func (c *conditions) leftColumns(s span) []span {
	if items := c.rowOf(s); items != nil {
		return items
	}
	return []span{s}
}

// quantified reads a = ANY (x) and a <> ALL (x).
func (c *conditions) quantified(left, right span, op string, not bool) {
	all := c.at(right.lo).up == "ALL"
	right = c.trim(c.group(right.lo + 1))
	items := []span{right}
	if c.is(right.lo, "ARRAY", "[") && c.next(right.lo+1) >= right.hi {
		items = c.commas(c.group(right.lo + 1))
	}
	switch {
	case op == "=" && !all:
		op = "in"
	case op == "<>" && all:
		op = "not in"
	}
	for _, item := range items {
		c.pair(left, item, op, not)
	}
}

// isTest reads IS [NOT] NULL and IS [NOT] DISTINCT FROM.
func (c *conditions) isTest(left, right span, not bool) {
	if c.at(left.hi).up == "ISNULL" || c.at(left.hi).up == "NOTNULL" {
		not = not != (c.at(left.hi).up == "NOTNULL")
		c.test(left, Column{From: FromNull}, "is", not)
		return
	}
	if c.at(right.lo).up == "NOT" {
		not, right.lo = !not, right.lo+1
	}
	if c.is(right.lo, "DISTINCT", "FROM") {
		right.lo += 2
		c.pair(left, right, "<>", not)
		return
	}
	c.test(left, c.value(right, ""), "is", not)
}

// truth reads a column that stands for itself: WHERE NOT processed.
func (c *conditions) truth(s span, not bool) {
	s = c.trim(s)
	if _, end := c.path(s.lo); end != s.hi || c.at(s.lo).kind == isWord && reserved(c.at(s.lo).up) {
		return
	}
	v := Column{From: FromLiteral, Literal: "true"}
	if not {
		v.Literal = "false"
	}
	c.test(s, v, "=", false)
}

// test adds a comparison with a value that is no side of its own.
func (c *conditions) test(left span, v Column, op string, not bool) {
	p, ok := c.column(left)
	if !ok || c.excluded(p.qualifier) {
		return
	}
	if not {
		op = negated(op)
	}
	v.Name, v.Op = p.name, op
	c.out = append(c.out, v)
}
