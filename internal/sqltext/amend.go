package sqltext

import "strings"

// Insertion is a piece of text and the byte of a statement's text that it goes before, in
// the place of as many bytes.
type Insertion struct {
	At, Instead int
	Text        string
}

// AndWhere adds a condition to the WHERE of an UPDATE, or to the update of an upsert, where
// it may be without one. False where the statement has no such place, asks for one of
// several conditions, reads other tables or hands rows back: who reads them would miss one.
// The condition names the column with what on gives for the table's name, "" for none.
func AndWhere(s string, condition func(table string) string) (Insertion, bool) {
	a, ok := amended(s)
	if !ok || a.has("RETURNING") {
		return Insertion{}, false
	}
	switch where := a.last("WHERE"); {
	case a.upsert >= 0:
		if where > a.upsert {
			return a.behind(" AND ", condition(a.table))
		}
		return a.behind(" WHERE ", condition(a.table))
	case where >= 0 && !a.has("FROM"):
		return a.behind(" AND ", condition(""))
	}
	return Insertion{}, false
}

// KeepWhere makes an UPDATE leave a column as it is where a condition holds: the row is
// found, and counts, all the same. False where it sets more than that and when the row was
// changed.
func KeepWhere(s, column, condition string) (Insertion, bool) {
	a, ok := amended(s)
	if !ok || a.upsert >= 0 || a.has("FROM") || a.last("WHERE") < 0 {
		return Insertion{}, false
	}
	sets := ParseText(s)[0].Set
	for _, c := range sets {
		if c.Name != column && c.From != FromNow && !strings.Contains(c.Name, "updated") && !strings.Contains(c.Name, "modified") {
			return Insertion{}, false
		}
	}
	for i := range a.toks[:a.last("WHERE")] {
		if !a.top(i) || a.toks[i].kind != isWord || !strings.EqualFold(a.toks[i].text, column) || a.up(i+1) != "=" || i+3 >= len(a.toks) {
			continue
		}
		if next := a.up(i + 3); next != "," && next != "WHERE" || a.toks[i+2].kind != isParam {
			return Insertion{}, false
		}
		from := a.toks[i+2].off
		to := from + len(strings.TrimRight(s[from:a.toks[i+3].off], " \t\r\n"))
		name := s[a.toks[i].off : a.toks[i].off+len(column)]
		return Insertion{from, to - from, "CASE WHEN " + condition + " THEN " + name + " ELSE " + s[from:to] + " END"}, true
	}
	return Insertion{}, false
}

// amendable is a statement that conditions may be added to.
type amendable struct {
	*text
	s string
	// upsert is the place of the DO UPDATE, -1 in an UPDATE; table the name there.
	upsert int
	table  string
}

// amended reads one UPDATE, or one INSERT that updates on a conflict.
func amended(s string) (*amendable, bool) {
	toks := lex(s)
	if n := len(toks); n > 0 && toks[n-1].up == ";" {
		toks = toks[:n-1]
	}
	a := &amendable{text: nest(toks), s: s, upsert: -1}
	if len(toks) < 4 || a.has(";") || a.has("OR") && toks[0].up == "UPDATE" {
		return nil, false
	}
	for _, word := range []string{"ORDER", "LIMIT", "JOIN", "UNION", "DUPLICATE"} {
		if a.has(word) {
			return nil, false
		}
	}
	switch toks[0].up {
	case "UPDATE":
		return a, a.first("SET") > 0
	case "INSERT":
		a.upsert = a.first("DO")
		if a.upsert < 0 || a.up(a.upsert+1) != "UPDATE" || a.up(1) != "INTO" || !toks[2].name() {
			return nil, false
		}
		end := 3
		if a.up(3) == "." {
			end = 5
		}
		if a.up(end) != "(" {
			return nil, false
		}
		a.table = strings.TrimSpace(s[toks[2].off:toks[end].off])
		for i := a.upsert; i < len(toks); i++ {
			if a.top(i) && toks[i].up == "OR" {
				return nil, false
			}
		}
		return a, !strings.ContainsAny(a.table, "%{")
	}
	return nil, false
}

func (a *amendable) up(i int) string {
	if i < len(a.toks) {
		return a.toks[i].up
	}
	return ""
}

func (a *amendable) top(i int) bool { return a.parent[i] < 0 }

func (a *amendable) has(word string) bool { return a.first(word) >= 0 }

// first is the place of the first word at the top, -1 for none.
func (a *amendable) first(word string) int {
	for i, t := range a.toks {
		if t.up == word && a.top(i) {
			return i
		}
	}
	return -1
}

func (a *amendable) last(word string) int {
	for i := len(a.toks) - 1; i >= 0; i-- {
		if a.toks[i].up == word && a.top(i) {
			return i
		}
	}
	return -1
}

// behind puts a condition behind the statement: on a line of its own where the last one
// stands on such.
func (a *amendable) behind(glue, condition string) (Insertion, bool) {
	tail := a.s[a.toks[len(a.toks)-1].off:]
	tail = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(tail, " \t\r\n"), ";"), " \t\r\n")
	if strings.Contains(tail, "--") || strings.Contains(tail, "/*") || strings.Contains(tail, "#") {
		return Insertion{}, false
	}
	at := len(a.s[:a.toks[len(a.toks)-1].off]) + len(tail)
	begin := strings.LastIndexByte(a.s[:at], '\n') + 1
	line := a.s[begin:at]
	rest := strings.TrimLeft(line, " \t")
	word := strings.TrimSpace(glue)
	if begin > 0 && (strings.HasPrefix(strings.ToUpper(rest), word) || len(line)+len(condition) > 110 || word == "WHERE") {
		glue = "\n" + line[:len(line)-len(rest)] + strings.TrimLeft(glue, " ")
	}
	return Insertion{at, 0, glue + condition}, true
}
