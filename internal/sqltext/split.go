package sqltext

import (
	"strings"
	"unicode/utf8"
)

// word splits a run of the library's that begins with a letter: names, dots,
// and the operators and placeholders that it takes for letters of a name.
func (l *lexer) word(v string) {
	start, end := l.pos, l.pos+len(v)
	for l.pos < end {
		rest := l.src[l.pos:end]
		if n := nameLen(rest); n > 0 {
			l.names(rest[:n])
			continue
		}
		if !l.inWord(rest, l.pos == start) {
			return // from here the text is read again
		}
	}
}

// inWord reads one piece that is no name; it declines what may go on behind
// the run, unless that is all of it.
func (l *lexer) inWord(rest string, first bool) bool {
	switch rest[0] {
	case '.':
		l.add(isPunct, ".", 1)
		return true
	case '"':
		body, _, closed := strings.Cut(rest[1:], `"`)
		if closed {
			l.quoted(rest[:len(body)+2])
		}
		return closed
	}
	n := nameLen(rest[1:])
	switch {
	case len(rest) == 1 && !first:
		return false
	case n > 0 && rest[0] == '#' && first: // a temporary table
		l.add(isWord, rest[:n+1], n+1)
		return true
	case n > 0 && (rest[0] == '@' || rest[0] == '?'):
		l.param(rest[0], rest[1:n+1], n+1)
		return true
	}
	_, size := utf8.DecodeRuneInString(rest)
	l.add(isOp, rest[:size], size)
	return true
}

// names reads one name. What follows a whole name without a space is taken for
// a clause (`FROM orders` + where), what follows `orders_` for the rest of it.
func (l *lexer) names(v string) {
	i, size := strings.IndexRune(v, openGap), len(string(openGap))
	switch {
	case i > 0 && v[i-1] != '_' && i+size == len(v):
		l.add(isWord, v[:i], i)
		v = v[i:]
	case i == 0 && reserved(strings.ToUpper(v[size:])): // where + `AND a = ?`
		l.add(isWord, v[:size], size)
		v = v[size:]
	}
	l.add(isWord, v, len(v))
}

// operators splits a run of operator signs. It stops where the run swallowed
// the beginning of a comment.
func (l *lexer) operators(v string) {
	end := l.pos + len(v)
	for l.pos < end {
		rest := l.src[l.pos:end]
		if l.pos > end-len(v) && (strings.HasPrefix(rest, "--") || strings.HasPrefix(rest, "/*")) {
			return
		}
		if l.placeholder(rest) {
			if strings.HasPrefix(l.src[l.pos:], "||") {
				return // the library read ?| here
			}
			continue
		}
		n := operatorLen(rest)
		l.add(isOp, rest[:n], n)
	}
}

// placeholder reads ?, ?0, ?name, :name and @name, and the operators on JSON
// that begin with a question mark. The name stands behind the run of signs.
func (l *lexer) placeholder(rest string) bool {
	after := l.src[l.pos+1:]
	n := nameLen(after)
	switch sign := rest[0]; {
	case sign == '?' && l.jsonOp(after):
		l.add(isOp, l.src[l.pos:l.pos+2], 2)
	case sign == '?':
		if hasGap(after[:n]) {
			n = 0
		}
		l.param(sign, after[:n], n+1)
	case n > 0 && (sign == '@' || sign == ':' && !l.inSlice()):
		for sign == ':' && n < len(after) && after[n] == '.' && nameLen(after[n+1:]) > 0 {
			n += 1 + nameLen(after[n+1:])
		}
		l.param(sign, after[:n], n+1)
	default:
		return false
	}
	return true
}

func (l *lexer) jsonOp(after string) bool {
	if after == "" {
		return false
	}
	return after[0] == '&' || after[0] == '?' || after[0] == '|' && !strings.HasPrefix(after, "||")
}

// inSlice tells whether a colon follows a value without a space, as in a[1:2].
func (l *lexer) inSlice() bool {
	if len(l.out) == 0 || l.pos == 0 || !nameByte(l.src[l.pos-1]) {
		return false
	}
	k := l.out[len(l.out)-1].kind
	return k == isNumber || k == isParam
}

func operatorLen(s string) int {
	for n := min(3, len(s)); n > 1; n-- {
		switch s[:n] {
		case "<=>", "->>", "#>>", "!~*",
			"::", ":=", "!=", "<>", "<=", ">=", "^=", "==", "||", "&&", "!~", "~*", "->", "#>", "#-", "@>", "<@",
			"@?", "@@", "=>", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "|=":
			return n
		}
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}
