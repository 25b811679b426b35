package sqltext

import (
	"slices"
	"strings"
)

// leaves is what an expression is made from.
type leaves struct {
	cols     []path   // distinct
	params   []token  // distinct
	literals []string // all
	now      bool     // it reads the clock
	query    bool     // it has a subquery
	gap      bool
	impure   string // the first function that may give anything
}

// leaves collects what an expression is made from.
func (r *reader) leaves(s span) leaves {
	var l leaves
	for i := s.lo; i < s.hi; {
		i = max(i+1, r.leaf(&l, i))
	}
	return l
}

// leaf reads the token at i, and gives the next one that matters.
func (r *reader) leaf(l *leaves, i int) int {
	switch tok := r.at(i); {
	case tok.kind == isParam:
		same := func(p token) bool {
			return p.up == tok.up && p.ord == tok.ord && p.text == tok.text && tok.ord+len(tok.text) > 0
		}
		if !slices.ContainsFunc(l.params, same) {
			l.params = append(l.params, tok)
		}
	case tok.kind == isString || tok.kind == isNumber:
		l.gap = l.gap || hasGap(tok.text)
		l.literals = append(l.literals, tok.text)
	case tok.up == "::":
		return r.castEnd(i)
	case tok.kind == isQuoted:
		return r.columnLeaf(l, i)
	case tok.kind == isWord:
		return r.wordLeaf(l, i)
	}
	return i + 1
}

// wordLeaf reads a word: a keyword, a call or a column.
func (r *reader) wordLeaf(l *leaves, i int) int {
	tok, after := r.at(i), r.at(i+1)
	switch {
	case hasGap(tok.text):
		l.gap = true
		return i + 1
	case tok.up == "SELECT":
		l.query = true
	case tok.up == "TRUE" || tok.up == "FALSE":
		l.literals = append(l.literals, strings.ToLower(tok.up))
	case tok.up == "INTERVAL":
		return r.interval(l, i+1)
	case tok.up == "AT" && r.is(i, "AT", "TIME", "ZONE"):
		return i + 3
	case tok.up == "AS" && r.parent[i] > 0 && r.castCall(span{r.parent[i] - 1, r.parent[i] + 1}):
		return min(r.match[r.parent[i]], len(r.toks))
	case after.up == "=>":
		return i + 2 // the name of an argument
	case after.kind == isString && !reserved(tok.up):
		return i + 1 // the type of a literal
	case clockWord(tok.up) && after.up != "." && r.at(i-1).up != ".":
		l.now = true
	case after.up == "(" && !reserved(tok.up):
		return r.callLeaf(l, i)
	case !reserved(tok.up):
		return r.columnLeaf(l, i)
	}
	return i + 1
}

// interval reads what follows INTERVAL: an amount, and a unit that is no column.
func (r *reader) interval(l *leaves, i int) int {
	i = max(r.leaf(l, i), i+1)
	if r.at(i).kind == isWord && !reserved(r.at(i).up) {
		i++
	}
	return i
}

// callLeaf reads the name of a function.
func (r *reader) callLeaf(l *leaves, i int) int {
	name, arg := r.at(i).up, r.at(i+2)
	switch {
	case r.at(i-1).up == ".", !clockCall(name) && !clockFormat(name) && !conversion(name):
		if l.impure == "" {
			l.impure = strings.ToLower(name)
		}
	case clockCall(name), clockFormat(name) && r.readsClock(i+1):
		l.now = true
	}
	switch name {
	case "EXTRACT", "DATEADD", "DATEDIFF", "TIMESTAMPADD", "TIMESTAMPDIFF", "DATEPART", "DATETRUNC":
		if arg.kind == isWord {
			return i + 3 // a unit
		}
	case "CONVERT":
		return r.convert(i + 2)
	}
	return i + 2
}

// readsClock tells whether the arguments of datetime('now') and the like leave
// it to the clock.
func (r *reader) readsClock(open int) bool {
	args := r.commas(r.group(open))
	if len(args) == 0 {
		return true
	}
	for _, a := range args {
		if strings.EqualFold(r.at(a.lo).text, "now") && r.at(a.lo).kind == isString {
			return true
		}
	}
	return false
}

// convert steps over the type of SQL Server's CONVERT(type, x).
func (r *reader) convert(i int) int {
	if r.at(i).kind != isWord {
		return i
	}
	end := i + 1
	if r.at(end).up == "(" {
		end = r.next(end)
	}
	if r.at(end).up == "," && r.at(end+1).kind != isWord {
		return end
	}
	return i
}

func (r *reader) columnLeaf(l *leaves, i int) int {
	p, end := r.path(i)
	if r.at(end).up == "(" { // schema.function(
		_, name, _ := r.qualified(i)
		if l.impure == "" {
			l.impure = name
		}
		return end
	}
	if p.name == "" {
		l.gap = true
	} else if !slices.Contains(l.cols, p) && len(l.cols) < 4 {
		l.cols = append(l.cols, p)
	}
	return end
}

// only gives the one literal that there is.
func (l leaves) only() string {
	if len(l.literals) != 1 || len(l.params) > 0 {
		return ""
	}
	return l.literals[0]
}

// source tells where an expression's value comes from. What is converted keeps
// its source.
func (l leaves) source() Column {
	c := Column{From: FromExpr}
	if len(l.params) == 1 {
		c.Param, c.ParamName = l.params[0].ord, l.params[0].text
	}
	switch pure := l.impure == "" && len(l.cols) == 0; {
	case l.query:
		c = Column{From: FromExpr, Ref: "select"}
	case pure && l.now:
		c.From = FromNow
	case l.gap:
		c.From = FromUnknown
	case !pure:
	case len(l.params) == 1:
		c.From = FromParam
	case len(l.params) == 0 && len(l.literals) > 0:
		c.From = FromLiteral
		c.Literal = l.only()
	}
	return c
}
