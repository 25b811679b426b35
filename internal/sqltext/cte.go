package sqltext

// cte is a named statement of WITH.
type cte struct {
	name      string
	cols      []string
	open      int // its parenthesis
	recursive bool
}

// with reads the CTEs of the WITH at i, and gives what follows them.
func (t *text) with(i int) (list []cte, end int) {
	recursive := t.at(i+1).up == "RECURSIVE"
	if i++; recursive {
		i++
	}
	for t.at(i).name() {
		c := cte{name: t.ident(i), recursive: recursive}
		if i++; t.at(i).up == "(" {
			c.cols = t.idents(t.group(i))
			i = t.next(i)
		}
		if t.at(i).up != "AS" {
			break
		}
		if t.at(i+1).kind == isParam { // squirrel's WITH c AS ?
			i += 2
			break
		}
		for i++; t.at(i).up == "NOT" || t.at(i).up == "MATERIALIZED"; i++ {
		}
		if t.at(i).up != "(" {
			break
		}
		c.open = i
		list = append(list, c)
		if i = t.next(i); t.at(i).up != "," {
			break
		}
		i++
	}
	return list, i
}

// resolve finds what the names stand for: CTEs, and aliases of tables.
func (t *text) resolve() {
	ctes := map[string]int{}
	for k := len(t.ctes) - 1; k >= 0; k-- {
		ctes[t.ctes[k].name] = k
	}
	type alias struct {
		group int
		name  string
	}
	aliases := map[alias]ref{}
	for k := range t.refs {
		r := &t.refs[k]
		r.cte = -1
		if c, ok := ctes[r.name]; ok && r.schema == "" && r.name != "" && t.visible(t.ctes[c], r.at) {
			r.cte = c
		}
		if r.alias != "" && r.alias != r.name {
			aliases[alias{t.parent[r.at], r.alias}] = *r
		}
	}
	for k, r := range t.refs {
		if a, ok := aliases[alias{t.parent[r.at], r.name}]; ok && r.target && r.schema == "" {
			t.refs[k].name, t.refs[k].schema, t.refs[k].alias, t.refs[k].cte = a.name, a.schema, a.alias, a.cte
		}
	}
}

// visible tells whether a CTE's name means the CTE at a place. Inside one that
// doesn't refer to itself, its name is a table's.
func (t *text) visible(c cte, at int) bool {
	return c.recursive || at < c.open || at > t.match[c.open]
}
