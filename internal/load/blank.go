package load

import "bytes"

// blankBodies overwrites the bodies of functions declared at the beginning of a
// line with spaces, so that the parser passes over them. Lines and offsets stay.
// What it can't make out is left to the parser.
func blankBodies(src []byte) {
	depth := 0
	for i := 0; i < len(src); {
		switch c := src[i]; c {
		case '"', '\'', '`', '/':
			i = skipLiteral(src, i)
			continue
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case 'f':
			if depth == 0 && startsFunc(src, i) {
				i = blankFunc(src, i+len("func"))
				continue
			}
		}
		i++
	}
}

func startsFunc(src []byte, i int) bool {
	rest := src[i:]
	return (i == 0 || src[i-1] == '\n') && len(rest) > 5 && string(rest[:4]) == "func" && (rest[4] == ' ' || rest[4] == '(')
}

// blankFunc blanks the body of the function whose signature begins at i and
// returns where to go on.
func blankFunc(src []byte, i int) int {
	depth := 0
	typeLiteral := false // the last word was "interface" or "struct"
	for i < len(src) {
		switch c := src[i]; {
		case c == '"' || c == '\'' || c == '`' || c == '/':
			i = skipLiteral(src, i)
			continue
		case c == '\n' && depth == 0:
			return i
		case c == '{' && depth == 0 && !typeLiteral:
			end := closingBrace(src, i)
			if end == len(src) {
				return end
			}
			blank(src[i+1 : end])
			return end + 1
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case isLetter(c):
			end := i + 1
			for end < len(src) && isLetter(src[end]) {
				end++
			}
			word := string(src[i:end])
			typeLiteral = word == "interface" || word == "struct"
			i = end
			continue
		}
		typeLiteral = typeLiteral && (src[i] == ' ' || src[i] == '\t')
		i++
	}
	return i
}

// closingBrace returns the index of the brace that closes the one at i, or
// len(src) if there is none.
func closingBrace(src []byte, i int) int {
	depth := 0
	for i < len(src) {
		switch src[i] {
		case '"', '\'', '`', '/':
			i = skipLiteral(src, i)
			continue
		case '{':
			depth++
		case '}':
			depth--
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

func blank(body []byte) {
	for i, c := range body {
		if c != '\n' {
			body[i] = ' '
		}
	}
}

// skipLiteral returns the index after the string, rune or comment at i. A slash
// may also be an operator.
func skipLiteral(src []byte, i int) int {
	rest := src[i:]
	switch {
	case rest[0] == '`':
		return after(src, i+1, "`")
	case rest[0] == '/' && len(rest) > 1 && rest[1] == '/':
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			return i + end
		}
		return len(src)
	case rest[0] == '/' && len(rest) > 1 && rest[1] == '*':
		return after(src, i+2, "*/")
	case rest[0] == '/':
		return i + 1
	}
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j++
		case '\n', rest[0]:
			return j + 1
		}
	}
	return len(src)
}

// after returns the index after the next end at or after i.
func after(src []byte, i int, end string) int {
	if j := bytes.Index(src[i:], []byte(end)); j >= 0 {
		return i + j + len(end)
	}
	return len(src)
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c >= 0x80
}
