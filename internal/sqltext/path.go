package sqltext

import "strings"

// path is a column as a text names it.
type path struct {
	qualifier string // the table or alias before it
	name      string // with the path into a document that follows it: data.version
}

func (p path) full() string {
	if p.qualifier == "" {
		return p.name
	}
	return p.qualifier + "." + p.name
}

// path reads the column at i, and gives what stands behind it; the name is ""
// if some of it is a gap.
func (t *text) path(i int) (path, int) {
	if !t.at(i).name() {
		return path{}, i
	}
	qualifier, name, end := t.qualified(i)
	p := path{qualifier, name}
	for t.at(end).kind == isOp {
		key := t.at(end + 1)
		if key.kind != isString && key.kind != isNumber {
			break
		}
		switch t.at(end).up {
		case "->", "->>", "#>", "#>>":
			p.name += documentKey(key)
		default:
			return p, end
		}
		end += 2
	}
	return p, end
}

// documentKey gives the key of ->> 'a', #>> '{a,b}' and ->> '$.a'.
func documentKey(key token) string {
	if key.kind == isNumber {
		return ""
	}
	k := strings.TrimPrefix(strings.Trim(key.text, "{}"), "$.")
	return "." + strings.ToLower(strings.ReplaceAll(k, ",", "."))
}

// foreign tells whether a qualifier names something other than the target.
func (r *reader) foreign(qualifier string) bool {
	if qualifier == "" || qualifier == r.target.name || qualifier == r.target.alias {
		return false
	}
	if r.excluded(qualifier) {
		return true
	}
	r.names()
	return r.foreigners[qualifier]
}

// names collects what tables and derived tables are called.
func (r *reader) names() {
	if r.foreigners != nil {
		return
	}
	r.foreigners = map[string]bool{}
	for _, x := range r.refs {
		r.foreigners[x.name] = true
		r.foreigners[x.alias] = true
	}
	r.derive()
	for alias := range r.sources {
		r.foreigners[alias] = true
	}
}

// column reads the one column of a side of a comparison or assignment, also
// inside a cast or a call: coalesce(version, 0).
func (r *reader) column(s span) (path, bool) {
	s = r.trim(s)
	if s.empty() {
		return path{}, false
	}
	p, end := r.path(s.lo)
	first := r.at(s.lo)
	if end == s.hi {
		word := first.kind == isWord && s.hi-s.lo == 1
		return p, p.name != "" && !(word && (clockWord(first.up) || constant(first.up)))
	}
	l := r.leaves(s)
	if len(l.cols) != 1 || l.query || len(l.params) > 0 {
		return path{}, false
	}
	return l.cols[0], true
}

func constant(up string) bool {
	return up == "TRUE" || up == "FALSE" || up == "NULL" || up == "DEFAULT"
}
