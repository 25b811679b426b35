package sqltext

import "slices"

// cut splits tokens into statements. A semicolon inside a routine's body doesn't
// end it.
func cut(toks []token) [][]token {
	var out [][]token
	lo, depth, blocks := 0, 0, 0
	for i, tok := range toks {
		switch tok.up {
		case "(":
			depth++
		case ")":
			depth--
		case "BEGIN", "CASE":
			if routine(toks[lo:i]) {
				blocks++
			}
		case "END":
			if blocks > 0 && !control(toks, i+1) {
				blocks--
			}
		case ";":
			if blocks == 0 {
				out = append(out, toks[lo:i])
				lo, depth = i+1, 0
			}
		case "IF":
			if depth <= 0 && i > lo && condition(toks, i+1) {
				out = append(out, toks[lo:i])
				lo = i
			}
		}
	}
	return append(out, toks[lo:])
}

// routine tells whether a statement makes a trigger, a function or a procedure.
func routine(toks []token) bool {
	if len(toks) == 0 || !ddlVerb(toks[0].up) {
		return false
	}
	for _, t := range toks[:min(len(toks), 8)] {
		switch t.up {
		case "TRIGGER", "FUNCTION", "PROCEDURE", "PROC", "EVENT":
			return true
		}
	}
	return false
}

// control tells whether the END before i ends something that isn't counted.
func control(toks []token, i int) bool {
	if i >= len(toks) {
		return false
	}
	switch toks[i].up {
	case "IF", "LOOP", "WHILE", "REPEAT", "FOR":
		return true
	}
	return false
}

// condition tells whether the IF before i is one of SQL Server's, which begins a
// statement without a semicolon before it.
func condition(toks []token, i int) bool {
	if i < len(toks) && toks[i].up == "NOT" {
		i++
	}
	return i+1 < len(toks) && (toks[i].up == "@@ROWCOUNT" || toks[i].up == "EXISTS" && toks[i+1].up == "(")
}

// peel takes the control flow around statements away: IF, ELSE, BEGIN ... END
// and batches.
func peel(segments [][]token) [][]token {
	var out [][]token
	slices.Reverse(segments)
	blocks := 0
	for len(segments) > 0 {
		s := segments[len(segments)-1]
		segments = segments[:len(segments)-1]
		if len(s) == 0 {
			continue
		}
		n := 0
		switch s[0].up {
		case "ELSE":
			n = 1
		case "BEGIN":
			if n = block(s); n > 0 {
				blocks++
			}
		case "END":
			if blocks > 0 {
				n, blocks = endLen(s), blocks-1
			}
		case "IF":
			n = body(s)
			out = append(out, s[:n])
		}
		if n == 0 {
			out = append(out, s)
			continue
		}
		before, after := elseOf(s[n:])
		segments = append(segments, after, before)
	}
	return out
}

// endLen measures the end of a block.
func endLen(s []token) int {
	if len(s) > 1 && (s[1].up == "TRY" || s[1].up == "CATCH") {
		return 2
	}
	return 1
}

// block measures a BEGIN that begins no transaction.
func block(s []token) int {
	if len(s) < 2 {
		return 0
	}
	switch up := s[1].up; up {
	case "TRY", "CATCH", "BATCH":
		return 2
	case "UNLOGGED", "COUNTER":
		return min(3, len(s))
	case "SELECT", "SET", "DECLARE", "IF", "EXEC", "EXECUTE":
		return 1
	default:
		if dataVerb(up) {
			return 1
		}
	}
	return 0
}

// body gives the index of the statement that an IF guards.
func body(s []token) int {
	depth := 0
	for i, t := range s {
		switch t.up {
		case "(":
			depth++
		case ")":
			depth--
		case "THEN":
			if depth == 0 {
				return i + 1
			}
		case "BEGIN", "SELECT", "EXEC", "EXECUTE", "SET", "RETURN":
			if depth == 0 {
				return i
			}
		default:
			if depth == 0 && i > 0 && dataVerb(t.up) {
				return i
			}
		}
	}
	return len(s)
}

// elseOf splits a statement from the ELSE that follows it.
func elseOf(s []token) (before, after []token) {
	cases := 0
	for i, t := range s {
		switch t.up {
		case "CASE":
			cases++
		case "END":
			cases = max(0, cases-1)
		case "ELSE":
			if cases == 0 {
				return s[:i], s[i:]
			}
		}
	}
	return s, nil
}
