package sqltext

import "strings"

// value tells where a value comes from. own is the column that it is for, ""
// if that doesn't matter.
func (r *reader) value(s span, own string) Column {
	s = r.trim(s)
	if s.empty() {
		return Column{From: FromUnknown}
	}
	if c, ok := r.atom(s); ok {
		return c
	}
	if r.at(s.lo).name() {
		if p, end := r.path(s.lo); end == s.hi {
			return r.reference(p, 1)
		}
	}
	if r.is(s.lo, "VALUES", "(") && r.next(s.lo+1) == s.hi {
		p, _ := r.path(s.lo + 2)
		return Column{From: FromExcluded, Ref: p.name}
	}
	if c, ok := r.fallback(s); ok {
		return c
	}
	if rest, ok := r.delta(s, own); ok {
		l := r.leaves(rest)
		c := l.source()
		return Column{From: FromDelta, Param: c.Param, ParamName: c.ParamName, Literal: l.only()}
	}
	l := r.leaves(s)
	c := l.source()
	if own != "" && r.grows(s, own, deepest) {
		return Column{From: FromDelta, Param: c.Param, ParamName: c.ParamName}
	}
	if c.From == FromExpr && c.Ref == "" {
		c.Ref = r.maker(s)
	}
	return c
}

// fallback reads COALESCE of a placeholder and something that is no column: the
// placeholder is what counts.
func (r *reader) fallback(s span) (Column, bool) {
	if !r.coalesces(s) {
		return Column{}, false
	}
	args := r.commas(r.group(s.lo + 1))
	if len(args) < 2 {
		return Column{}, false
	}
	c := r.plainValue(args[0], 1)
	if c.From != FromParam {
		return Column{}, false
	}
	l := r.leaves(span{args[1].lo, args[len(args)-1].hi})
	return c, len(l.cols) == 0 && !l.query && l.impure == ""
}

func (t *text) coalesces(s span) bool {
	switch t.at(s.lo).up {
	case "COALESCE", "IFNULL", "ISNULL", "NVL":
		return t.at(s.lo+1).up == "(" && t.next(s.lo+1) >= s.hi
	}
	return false
}

// maker names what an expression is made by.
func (r *reader) maker(s span) string {
	switch first := r.at(s.lo); {
	case first.up == "CASE":
		return "case"
	case r.at(s.lo+1).up == "(" && r.next(s.lo+1) >= s.hi && first.kind == isWord, first.up == "NOT" || first.up == "DEFAULT":
		return strings.ToLower(first.up)
	}
	return ""
}

// atom reads a value of one token, or of a number and its sign.
func (r *reader) atom(s span) (Column, bool) {
	tok := r.at(s.lo)
	if s.hi-s.lo == 2 && (tok.up == "-" || tok.up == "+") && r.at(s.lo+1).kind == isNumber {
		return Column{From: FromLiteral, Literal: strings.TrimPrefix(tok.up, "+") + r.at(s.lo+1).text}, true
	}
	if s.hi-s.lo != 1 {
		return Column{}, false
	}
	switch {
	case tok.kind == isParam:
		return Column{From: FromParam, Param: tok.ord, ParamName: tok.text}, true
	case hasGap(tok.text):
		return Column{From: FromUnknown}, true
	case tok.kind == isString, tok.kind == isNumber:
		return Column{From: FromLiteral, Literal: tok.text}, true
	case tok.up == "TRUE", tok.up == "FALSE":
		return Column{From: FromLiteral, Literal: strings.ToLower(tok.up)}, true
	case tok.up == "NULL":
		return Column{From: FromNull}, true
	case clockWord(tok.up):
		return Column{From: FromNow}, true
	case tok.up == "DEFAULT":
		return Column{From: FromExpr, Ref: "default"}, true
	}
	return Column{}, false
}

// reference reads a column as a value. One of a derived table stands for what
// that holds, up to some steps.
func (r *reader) reference(p path, steps int) Column {
	if p.name == "" {
		return Column{From: FromUnknown}
	}
	if r.excluded(p.qualifier) {
		return Column{From: FromExcluded, Ref: p.name}
	}
	if s, ok := r.lookup(p); ok && steps > 0 {
		c := r.plainValue(s, steps-1)
		if c.From == FromParam || c.From == FromLiteral || c.From == FromNow || c.From == FromNull {
			return c
		}
	}
	return Column{From: FromColumnRef, Ref: p.full()}
}

// plainValue reads a value of a derived table.
func (r *reader) plainValue(s span, steps int) Column {
	s = r.trim(s)
	if s.empty() {
		return Column{From: FromUnknown}
	}
	if c, ok := r.atom(s); ok {
		return c
	}
	if p, end := r.path(s.lo); r.at(s.lo).name() && end == s.hi {
		return r.reference(p, steps)
	}
	return r.leaves(s).source()
}

func (r *reader) excluded(qualifier string) bool {
	return qualifier == "excluded" || qualifier != "" && qualifier == r.proposed
}

// trim takes away what leaves a value as it is: parentheses, casts, the type
// before a literal, and a gap behind a whole value.
func (r *reader) trim(s span) span {
	for {
		before := s
		s = r.bare(s)
		if n := s.hi - s.lo; n > 1 && r.at(s.hi-1).kind == isWord && strings.ContainsRune(r.at(s.hi-1).text, openGap) &&
			r.at(s.hi-2).kind != isOp && r.at(s.hi-2).up != "." {
			s.hi--
		}
		if r.at(s.lo).kind == isWord && r.at(s.lo+1).kind == isString && s.hi-s.lo == 2 {
			s.lo++
		}
		if end := r.primary(s.lo); end < s.hi && r.at(end).up == "::" && r.castEnd(end) >= s.hi {
			s.hi = end
		}
		if r.castCall(s) {
			g := r.group(s.lo + 1)
			s = span{g.lo, r.find(g, "AS")}
		}
		if s == before {
			return s
		}
	}
}

// castCall tells whether a span is CAST(x AS type).
func (r *reader) castCall(s span) bool {
	switch r.at(s.lo).up {
	case "CAST", "TRY_CAST", "SAFE_CAST":
		return r.at(s.lo+1).up == "(" && r.next(s.lo+1) >= s.hi
	}
	return false
}

// primary gives the end of the name, call, group or single token at i.
func (t *text) primary(i int) int {
	tok := t.at(i)
	if tok.kind == isEnd {
		return i
	}
	if !tok.name() {
		return t.next(i)
	}
	_, end := t.path(i)
	for t.at(end).up == "(" || t.at(end).up == "[" {
		end = t.next(end)
	}
	return end
}

// castEnd gives the end of the casts that begin at i.
func (t *text) castEnd(i int) int {
	for t.at(i).up == "::" {
		_, i = t.path(i + 1)
		for t.at(i).up == "PRECISION" || t.at(i).up == "VARYING" {
			i++
		}
		for t.at(i).up == "(" || t.at(i).up == "[" {
			i = t.next(i)
		}
		if t.is(i+1, "TIME", "ZONE") {
			i += 3
		}
	}
	return i
}

// delta tells whether a value is a column's own one with something added, and
// gives what is added.
func (r *reader) delta(s span, own string) (rest span, ok bool) {
	if own == "" {
		return s, false
	}
	op := r.find(s, "+", "-", "*", "/")
	if op == s.hi || op == s.lo {
		return s, false
	}
	if r.own(span{s.lo, op}, own) {
		rest = span{op + 1, s.hi}
		return rest, !r.key(rest)
	}
	for last := op; ; { // x + col
		after := r.find(span{last + 1, s.hi}, "+", "-", "*", "/")
		if after == s.hi {
			return span{s.lo, last}, r.own(span{last + 1, s.hi}, own)
		}
		last = after
	}
}

// key tells whether a span is a string that is no number: document - 'key'.
func (t *text) key(s span) bool {
	tok := t.at(s.lo)
	return s.hi-s.lo == 1 && tok.kind == isString && strings.Trim(tok.text, "0123456789.-") != ""
}

// own tells whether an operand is the column itself, or zero where it is null.
func (r *reader) own(s span, own string) bool {
	s = r.trim(s)
	if r.coalesces(s) {
		g := r.group(s.lo + 1)
		s = r.trim(span{g.lo, r.find(g, ",")})
	}
	p, end := r.path(s.lo)
	return end == s.hi && (p.name == own || strings.HasPrefix(p.name, own+".")) && !r.foreign(p.qualifier)
}
