package sqltext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A gap is carried through the lexer as a letter that no SQL text uses, so that
// one inside a name or a string stays part of it.
const (
	openGap  = 'ꙮ' // anything: a name, a value, whole clauses
	valueGap = 'Ꙁ' // one value, as %d gives: it hides no clause and no placeholder
	gaps     = "ꙮꙀ"
)

// hasGap tells whether some of a token's text is unknown.
func hasGap(s string) bool { return strings.ContainsAny(s, gaps) }

// join makes one text of the parts, with a gap for what is unknown: holes,
// Sprintf verbs and template actions.
func join(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Known {
			b.WriteString(clean(p.Text))
		} else {
			b.WriteRune(openGap)
		}
	}
	return openTemplates(openVerbs(b.String()))
}

// clean drops what would end the lexer early or be taken for a gap.
func clean(s string) string {
	if strings.ContainsAny(s, gaps+"\x00") {
		s = strings.Map(func(r rune) rune {
			switch r {
			case 0:
				return ' '
			case openGap, valueGap:
				return 'ж'
			}
			return r
		}, s)
	}
	return strings.ToValidUTF8(s, " ")
}

// openVerbs replaces Sprintf verbs by gaps.
func openVerbs(s string) string {
	if strings.Contains(s, "%Y") && !strings.Contains(s, "%%Y") {
		return s // a date's format, which Sprintf would spoil
	}
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); {
		if s[i] != '%' {
			i++
			continue
		}
		n, gap := verb(s, i)
		if gap != 0 {
			b.WriteString(s[done:i])
			b.WriteRune(gap)
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return strings.ReplaceAll(b.String(), "%%", "%")
}

// verb measures the Sprintf verb at a percent sign, and gives 0 if it is none
// but a modulo, a pattern of LIKE or an escaped sign.
func verb(s string, at int) (length int, gap rune) {
	i := at + 1
	for i < len(s) && strings.IndexByte("+-#.*[]0123456789", s[i]) >= 0 {
		i++
	}
	if i >= len(s) {
		return i - at, 0
	}
	switch s[i] {
	case 's', 'v', 'w':
		gap = openGap
	case 'd', 'q', 't', 'f', 'x', 'X', 'c':
		gap = valueGap
	case '%':
		return i + 1 - at, 0
	default:
		return 1, 0
	}
	i++
	glued := i < len(s) && nameByte(s[i])
	if glued && at > 0 && (nameByte(s[at-1]) || strings.IndexByte("'%)]", s[at-1]) >= 0) {
		return 1, 0
	}
	return i - at, gap
}

// openTemplates replaces the actions of text/template by gaps.
func openTemplates(s string) string {
	if !strings.Contains(s, "{{") {
		return s
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "{{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		action, after, _ := strings.Cut(rest, "}}")
		s = after
		switch word, _, _ := strings.Cut(strings.TrimLeft(action, "- "), " "); word {
		case "if", "else", "end", "range", "with":
			b.WriteString(" " + string(openGap) + " ")
		default:
			b.WriteRune(openGap)
		}
	}
}

func nameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// nameLen measures the name at the start of s.
func nameLen(s string) int {
	n := 0
	for n < len(s) {
		if nameByte(s[n]) || s[n] == '$' {
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		if r < utf8.RuneSelf || !unicode.IsLetter(r) {
			break
		}
		n += size
	}
	return n
}
