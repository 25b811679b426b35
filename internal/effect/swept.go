package effect

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// markSwept finds the tables that a sweeper works off: a loop on a timer that
// reads many rows and hands each to code that a handler runs too. It does itself
// what the message would have brought about, so that one which is lost is made
// good. Which rows it looks for is not compared with what was written.
func (p *Program) markSwept() {
	for _, s := range p.Order {
		f := p.Funcs[s]
		if f.Test || p.Handling[s] || !p.Reach[s].Has(Reads) || p.Reach[s]&(Writes|Transacts) == 0 {
			continue
		}
		for _, head := range f.loopHeads() {
			p.markSweptIn(f, head)
		}
	}
}

func (p *Program) markSweptIn(f *Func, head int) {
	inside, before := f.around(head)
	for _, n := range before {
		reads := p.tables([]*Node{n}, manyRows, 2)
		if len(reads) == 0 || !p.timed(f.Symbol, 6, map[string]bool{}) {
			continue
		}
		for _, t := range p.handsOut(n) {
			if slices.ContainsFunc(inside, func(m *Node) bool { return m.isGiven(t) && p.reworks(m, t, 5) }) {
				p.noteSwept(reads, t)
			}
		}
	}
}

func (p *Program) noteSwept(tables map[string]bool, rowType string) {
	for t := range tables {
		if p.Swept[t] == nil {
			p.Swept[t] = map[string]bool{}
		}
		p.Swept[t][rowType] = true
	}
}

// handsOut are the types of what a call returns.
func (p *Program) handsOut(n *Node) []string {
	var out []string
	for _, s := range p.Resolve(n).Symbols {
		for _, t := range p.Funcs[s].Results {
			if t != "" && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// isGiven reports whether a call is given a value of a type.
func (n *Node) isGiven(rowType string) bool {
	for i, a := range n.Args {
		if (i > 0 || !n.Recv) && a != nil && a.Class == "" && a.Type == rowType {
			return true
		}
	}
	return false
}

// reworks reports whether a call comes to a function that takes a value of the
// type, changes state, and is one that handlers run.
func (p *Program) reworks(n *Node, rowType string, depth int) bool {
	found := false
	p.below([]*Node{n}, depth, func(f *Func) bool {
		if found || p.Reach[f.Symbol]&(Writes|Transacts) == 0 {
			return false
		}
		if p.Handling[f.Symbol] {
			found = f.takes(rowType)
			return false
		}
		return true
	})
	return found
}

// below visits once each function that calls may lead to, nearest first, down to a
// depth; visit says whether to go on below it.
func (p *Program) below(nodes []*Node, depth int, visit func(*Func) bool) {
	seen := map[string]bool{}
	for ; depth > 0 && len(nodes) > 0; depth-- {
		var next []*Node
		for _, n := range nodes {
			if n == nil || n.Kind > NodeDefer || n.Entry != nil {
				continue
			}
			for _, s := range p.Resolve(n).Symbols {
				if !seen[s] {
					seen[s] = true
					if visit(p.Funcs[s]) {
						next = append(next, p.Funcs[s].Nodes...)
					}
				}
			}
		}
		nodes = next
	}
}

// takes: ids are of no use here, since much is named by one; a row is a struct.
func (f *Func) takes(rowType string) bool {
	for i, q := range f.Params {
		if q.Type == rowType && q.Record && q.Class == "" && (i > 0 || !f.Method) {
			return true
		}
	}
	return false
}

// Timed reports whether a function is run again and again as time passes.
func (p *Program) Timed(symbol string) bool { return p.timed(symbol, 6, map[string]bool{}) }

// timed reports whether a function is run again and again as time passes: a loop
// in it, or in what calls it, waits for a timer.
func (p *Program) timed(symbol string, depth int, seen map[string]bool) bool {
	f := p.Funcs[symbol]
	if f == nil || depth == 0 || seen[symbol] {
		return false
	}
	seen[symbol] = true
	if slices.ContainsFunc(f.Nodes, func(n *Node) bool { return n != nil && n.Ticks && n.InLoop }) {
		return true
	}
	return slices.ContainsFunc(p.Callers[symbol], func(c string) bool { return p.timed(c, depth-1, seen) })
}

// Sweeps reports whether a sweeper finds the rows that some calls write, themselves
// or further down, and does with them what a message that is such a row would have
// brought about.
func (p *Program) Sweeps(calls []*Node, types []string) bool {
	tables := map[string]bool{}
	for table, rows := range p.Swept {
		if slices.ContainsFunc(types, func(t string) bool { return rows[t] }) {
			tables[table] = true
		}
	}
	if len(tables) == 0 {
		return false
	}
	found := stores(calls, tables)
	p.below(calls, 5, func(f *Func) bool {
		found = found || p.Reach[f.Symbol].Has(Writes) && stores(f.Nodes, tables)
		return !found && p.Reach[f.Symbol].Has(Writes)
	})
	return found
}

// stores reports whether one of the calls inserts into or updates one of the tables.
func stores(nodes []*Node, tables map[string]bool) bool {
	for _, n := range nodes {
		if n == nil {
			continue
		}
		for i := range n.Effects {
			e := &n.Effects[i]
			if e.Kind == catalog.Write && e.Op != catalog.Delete && slices.ContainsFunc(e.Names(), func(t string) bool { return tables[t] }) {
				return true
			}
		}
	}
	return false
}
