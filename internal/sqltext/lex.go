package sqltext

import (
	"strings"

	sqllexer "github.com/DataDog/go-sqllexer"
)

type kind uint8

const (
	isEnd    kind = iota
	isWord        // a keyword or a bare name
	isQuoted      // a quoted name
	isString
	isNumber
	isParam
	isOp
	isPunct
)

// token is one piece of SQL.
type token struct {
	kind kind
	text string // unquoted; of a parameter, its name
	// up is the upper-case text of words, operators and punctuation, so that a
	// quoted name or a string is never taken for a keyword; of a parameter, the
	// sign that it begins with.
	up  string
	ord int // of a parameter: its ordinal, 0 if it has a name
	off int // where it begins
}

func (t token) name() bool { return t.kind == isWord || t.kind == isQuoted }

// lexer splits a text into tokens. The library finds strings, comments, numbers
// and words in all dialects; its words and operators run on (`a.b`, `x!`, `=:`,
// `=/*`), so they are split here, and what depends on the dialect too much
// ($, #, backticks) is read here.
type lexer struct {
	src     string
	pos     int
	lib     *sqllexer.Lexer
	libPos  int
	dialect dialect
	out     []token
}

func lex(src string) []token {
	l := &lexer{src: src, dialect: sniff(src)}
	for l.pos < len(src) {
		l.step()
	}
	countParams(l.out)
	return nameArgs(l.out)
}

// step reads at least one byte.
func (l *lexer) step() {
	rest := l.src[l.pos:]
	switch c := rest[0]; {
	case c == '`':
		body, _, closed := strings.Cut(rest[1:], "`")
		l.add(isQuoted, body, len(body)+1)
		if closed {
			l.pos++
		}
	case c == '$' && (len(rest) == 1 || rest[1] < '0' || rest[1] > '9'):
		l.dollar(rest)
	case c == '#' && l.hashComment(rest):
		line, _, _ := strings.Cut(rest, "\n")
		l.pos += len(line)
	case c == '#' && nameLen(rest[1:]) > 0: // a temporary table of SQL Server
		n := nameLen(rest[1:]) + 1
		l.add(isWord, rest[:n], n)
	default:
		l.scan()
	}
}

// add puts a token at the position and moves on by n bytes.
func (l *lexer) add(k kind, text string, n int) {
	t := token{kind: k, text: text, off: l.pos}
	if k == isWord || k == isOp || k == isPunct {
		t.up = strings.ToUpper(text)
	}
	l.out = append(l.out, t)
	l.pos += n
}

// dollar reads a dollar-quoted string, which runs to the end if it isn't closed.
func (l *lexer) dollar(rest string) {
	n := 1
	for n < len(rest) && nameByte(rest[n]) {
		n++
	}
	if n >= len(rest) || rest[n] != '$' {
		if n > 1 { // $action of MERGE
			l.add(isWord, rest[:n], n)
		} else {
			l.add(isOp, "$", 1)
		}
		return
	}
	tag := rest[:n+1]
	body, _, closed := strings.Cut(rest[len(tag):], tag)
	l.add(isString, body, len(tag)+len(body))
	if closed {
		l.pos += len(tag)
	}
}

// hashComment tells a comment of MySQL from an operator of Postgres (#>) and a
// temporary table of SQL Server.
func (l *lexer) hashComment(rest string) bool {
	before := strings.TrimRight(l.src[max(0, l.pos-80):l.pos], " \t")
	switch {
	case len(rest) == 1 || before == "" || strings.HasSuffix(before, "\n"):
		return true
	case rest[1] == '>' || rest[1] == '-':
		return false
	}
	return l.dialect.mysql || rest[1] == ' '
}

// scan takes one token of the library's.
func (l *lexer) scan() {
	if l.lib == nil || l.libPos != l.pos {
		l.lib, l.libPos = sqllexer.New(l.src[l.pos:], sqllexer.WithDBMS(l.dialect.dbms)), l.pos
	}
	t := l.lib.Scan()
	v := t.Value
	if v == "" {
		l.pos, l.lib = l.pos+1, nil
		return
	}
	l.libPos += len(v)
	switch t.Type {
	case sqllexer.SPACE, sqllexer.COMMENT, sqllexer.MULTILINE_COMMENT:
		l.pos += len(v)
	case sqllexer.STRING, sqllexer.INCOMPLETE_STRING:
		l.str(v)
	case sqllexer.SYSTEM_VARIABLE:
		l.add(isWord, v, len(v))
	case sqllexer.NUMBER:
		l.number(v)
	case sqllexer.QUOTED_IDENT:
		l.quoted(v)
	case sqllexer.POSITIONAL_PARAMETER, sqllexer.BIND_PARAMETER:
		l.param(v[0], v[1:], len(v))
	case sqllexer.OPERATOR, sqllexer.JSON_OP, sqllexer.WILDCARD, sqllexer.UNKNOWN:
		l.operators(v)
	case sqllexer.PUNCTUATION:
		l.add(isPunct, v, len(v))
	case sqllexer.ERROR:
		l.unclosed(v)
	default:
		l.word(v)
	}
}

// str reads a string. A backslash escapes its quote in MySQL.
func (l *lexer) str(v string) {
	s := unquote(v, '\'')
	if l.dialect.dbms == "" {
		s = strings.ReplaceAll(s, `\'`, `'`)
	}
	l.add(isString, s, len(v))
}

func unquote(v string, q byte) string {
	v = v[1:]
	if n := len(v); n > 0 && v[n-1] == q {
		v = v[:n-1]
	}
	return strings.ReplaceAll(v, string([]byte{q, q}), string(q))
}

// number reads a number; the library takes the sign of a - 1 for a part of it.
func (l *lexer) number(v string) {
	if v[0] == '+' || v[0] == '-' {
		l.add(isOp, v[:1], 1)
		v = v[1:]
	}
	l.add(isNumber, v, len(v))
	l.libPos = l.pos
}

// quoted splits "a"."b" and [a].[b].
func (l *lexer) quoted(v string) {
	end := v[0]
	if end == '[' {
		end = ']'
	}
	if v[0] == '"' && l.dialect.mysql {
		l.add(isString, unquote(v, '"'), len(v))
		return
	}
	parts := strings.Split(v[1:len(v)-1], string([]byte{end, '.', v[0]}))
	for i, p := range parts {
		if i > 0 {
			l.add(isPunct, ".", 1)
		}
		l.add(isQuoted, p, len(p)+2)
	}
}

// unclosed reads what runs to the end of the text.
func (l *lexer) unclosed(v string) {
	if v[0] == '"' || v[0] == '[' {
		l.add(isQuoted, v[1:], len(v))
		return
	}
	l.pos += len(v)
}
