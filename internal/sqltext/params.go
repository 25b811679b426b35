package sqltext

import (
	"strconv"
	"strings"
)

// param adds a placeholder: sign and digits ($3, ?0, :1, @p3), sign and name,
// or a bare question mark.
func (l *lexer) param(sign byte, name string, n int) {
	t := token{kind: isParam, text: name, up: string(sign), off: l.pos}
	digits := name
	if sign == '@' {
		digits = strings.TrimLeft(name[:1], "pP") + name[1:]
	}
	if ord, err := strconv.Atoi(digits); err == nil && ord >= 0 {
		t.ord = ord
		if sign != '?' {
			t.text = ""
		}
	}
	l.out = append(l.out, t)
	l.pos += n
}

// countParams gives each ? its ordinal, and makes operators of those that test
// a JSON key. ?0 is what go-pg calls the first argument; where there is none,
// ?1 is SQLite's name of it.
func countParams(toks []token) {
	base := 0
	dollars := false
	for _, t := range toks {
		if t.kind == isParam && t.up == "$" {
			dollars = true
		}
		if t.kind == isParam && t.up == "?" && t.text == "0" {
			base = 1
		}
	}
	n, sure := 0, true
	for i := range toks {
		t := &toks[i]
		switch {
		case t.kind == isWord && strings.ContainsRune(t.text, openGap):
			sure = sure && hidesNoParam(toks, i)
		case t.kind != isParam || t.up != "?":
		case t.text != "":
			numbered(t, base)
		case dollars || testsKey(toks, i):
			t.kind = isOp
		default:
			n++
			if sure {
				t.ord = n
			}
		}
	}
}

func numbered(t *token, base int) {
	if t.text[0] >= '0' && t.text[0] <= '9' {
		t.ord, t.text = t.ord+base, ""
	}
}

// testsKey tells whether a question mark is the operator of `data ? 'key'`.
func testsKey(toks []token, i int) bool {
	if i == 0 || i+1 >= len(toks) || toks[i+1].kind != isString {
		return false
	}
	p := toks[i-1]
	return p.name() && !reserved(p.up) || p.kind == isString || p.up == ")"
}

// hidesNoParam tells whether the gap stands where a name or a list of columns
// goes, so that the question marks behind it can still be counted.
func hidesNoParam(toks []token, i int) bool {
	if i == 0 {
		return false
	}
	if i+1 < len(toks) && toks[i+1].up == "." {
		return true
	}
	switch toks[i-1].up {
	case "FROM", "INTO", "UPDATE", "JOIN", "TABLE", "ONLY", "AS", ".", "SELECT", "DISTINCT", "BY", "RETURNING":
		return true
	case "(": // INSERT INTO t (gap)
		return i > 2 && toks[i-2].name() && toks[i-3].up == "INTO"
	}
	return len(toks[i].text) > len(string(openGap)) // a part of a name
}

// nameArgs makes a placeholder of sqlc.arg(name) and its kin.
func nameArgs(toks []token) []token {
	out := toks[:0]
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if i+5 < len(toks) && (t.up == "SQLC" || t.up == "PGGEN") && toks[i+1].up == "." && toks[i+3].up == "(" && toks[i+5].up == ")" {
			t = token{kind: isParam, up: "@", text: toks[i+4].text, off: t.off}
			i += 5
		}
		out = append(out, t)
	}
	return out
}
