package sqltext

// text is one statement's tokens and how they nest.
type text struct {
	toks []token
	// match has for each opener the index of what closes it, the end if nothing
	// does; for others their own index. Openers are brackets and CASE.
	match []int
	// parent is the opener that a token stands in, -1 at the top.
	parent []int
	// data is the nearest opener, the token itself included, whose first word
	// changes rows; -1 if there is none.
	data []int
	// level counts the queries around a token.
	level []int

	refs    []ref
	places  []int // where a nested query or a function stands for a table
	ctes    []cte
	from    map[int]int       // the first FROM of each group
	reads   map[int]ref       // see read
	sources map[string]source // see derive
	aliases map[string]string // of CTEs among the sources
}

// span is a range of tokens.
type span struct{ lo, hi int }

func (s span) empty() bool { return s.lo >= s.hi }

// nest finds what closes what.
func nest(toks []token) *text {
	n := len(toks)
	t := &text{toks: toks, match: make([]int, n), parent: make([]int, n), data: make([]int, n), level: make([]int, n)}
	var stack []int
	open := map[string]int{}
	for i, tok := range toks {
		for c := closer(tok.up); c != "" && open[c] > 0; {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			t.match[top] = i
			open[opens(toks[top])]--
			if opens(toks[top]) == c {
				break
			}
		}
		t.match[i], t.parent[i], t.data[i] = i, -1, -1
		if len(stack) > 0 {
			up := stack[len(stack)-1]
			t.parent[i], t.data[i], t.level[i] = up, t.data[up], t.level[up]
		}
		if o := opens(tok); o != "" {
			t.match[i] = n
			open[o]++
			stack = append(stack, i)
			t.opened(i)
		}
	}
	return t
}

// opened looks at what an opener begins.
func (t *text) opened(i int) {
	if t.toks[i].up != "(" || !t.query(i+1) {
		return
	}
	t.level[i]++
	if dataVerb(t.at(i+1).up) && t.at(i+2).up != "(" {
		t.data[i] = i
	}
}

// opens gives the opener that a token is.
func opens(t token) string {
	switch t.up {
	case "(", "[", "{":
		return t.up
	case "CASE":
		return "CASE"
	}
	return ""
}

// closer gives the opener that a token closes.
func closer(up string) string {
	switch up {
	case ")":
		return "("
	case "]":
		return "["
	case "}":
		return "{"
	case "END":
		return "CASE"
	}
	return ""
}

// at gives the token at i, and an empty one outside the text.
func (t *text) at(i int) token {
	if i < 0 || i >= len(t.toks) {
		return token{}
	}
	return t.toks[i]
}

// is tells whether the tokens at i are these words.
func (t *text) is(i int, words ...string) bool {
	for k, w := range words {
		if t.at(i+k).up != w {
			return false
		}
	}
	return true
}

// next steps over a token, and over all of a group.
func (t *text) next(i int) int { return t.match[i] + 1 }

// group gives what stands inside the opener at i.
func (t *text) group(i int) span { return span{i + 1, min(t.match[i], len(t.toks))} }

// whole tells whether a span is one pair of parentheses.
func (t *text) whole(s span) bool {
	return s.hi-s.lo >= 2 && t.toks[s.lo].up == "(" && t.match[s.lo] >= s.hi-1
}

// bare takes the parentheses around a span away.
func (t *text) bare(s span) span {
	for t.whole(s) {
		hi := s.hi
		if t.match[s.lo] == s.hi-1 {
			hi--
		}
		s = span{s.lo + 1, hi}
	}
	return s
}

// find gives the first token of a span, outside of groups, that is one of the
// words, or s.hi.
func (t *text) find(s span, words ...string) int {
	for i := s.lo; i < s.hi; i = t.next(i) {
		for _, w := range words {
			if t.toks[i].up == w {
				return i
			}
		}
	}
	return s.hi
}

// until gives the end of the clause whose body begins at lo.
func (t *text) until(s span) int {
	for i := s.lo; i < s.hi; i = t.next(i) {
		if t.ends(i) {
			return i
		}
	}
	return s.hi
}

// ends tells whether a clause begins at i. A keyword that is compared, assigned
// or qualified is a column: offset = ?.
func (t *text) ends(i int) bool {
	tok, after := t.toks[i], t.at(i+1)
	if tok.kind != isWord || t.at(i-1).up == "." || after.up == "." {
		return false
	}
	if after.kind == isOp && after.up != "*" && after.up != "@" {
		return false
	}
	switch tok.up {
	case "FROM":
		return t.at(i-1).up != "DISTINCT"
	case "IF": // Cassandra's condition
		return after.up != "("
	case "LOCK":
		return after.up == "IN"
	}
	return clause(tok.up)
}

// commas splits a span at its commas outside of groups.
func (t *text) commas(s span) []span {
	var out []span
	lo := s.lo
	for i := s.lo; i < s.hi; i = t.next(i) {
		if t.toks[i].up == "," {
			out = append(out, span{lo, i})
			lo = i + 1
		}
	}
	if lo < s.hi {
		out = append(out, span{lo, s.hi})
	}
	return out
}
