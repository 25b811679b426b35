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
	reads := p.tables(before, manyRows, 2)
	if len(reads) == 0 || !p.timed(f.Symbol, 6, map[string]bool{}) {
		return
	}
	for _, n := range inside {
		for _, t := range rowTypes(n) {
			if !p.reworks(n, t, 5) {
				continue
			}
			for table := range reads {
				if p.Swept[table] == nil {
					p.Swept[table] = map[string]bool{}
				}
				p.Swept[table][t] = true
			}
		}
	}
}

// rowTypes are the types of what a call is given beside contexts and handles.
func rowTypes(n *Node) []string {
	var out []string
	for i, a := range n.Args {
		if (i > 0 || !n.Recv) && a != nil && a.Class == "" && isRowType(a.Type) && a.Kind != ValueConst {
			out = append(out, a.Type)
		}
	}
	return out
}

func isRowType(t string) bool { return t != "" && t != "Context" && t != "Time" && t != "Duration" }

// reworks reports whether a call comes to a function that takes a value of the
// type, changes state, and is one that handlers run.
func (p *Program) reworks(n *Node, rowType string, depth int) bool {
	if depth == 0 || n == nil || n.Kind > NodeDefer || n.Entry != nil {
		return false
	}
	for _, s := range p.Resolve(n).Symbols {
		f := p.Funcs[s]
		if p.Reach[s]&(Writes|Transacts) == 0 {
			continue
		}
		if p.Handling[s] {
			if f.takes(rowType) {
				return true
			}
			continue
		}
		if slices.ContainsFunc(f.Nodes, func(m *Node) bool { return p.reworks(m, rowType, depth-1) }) {
			return true
		}
	}
	return false
}

func (f *Func) takes(rowType string) bool {
	for i, q := range f.Params {
		if q.Type == rowType && q.Class == "" && (i > 0 || !f.Method) {
			return true
		}
	}
	return false
}

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

// Sweeps reports whether a sweeper finds the rows that a call has written or
// committed, and does with them what a message of the given types would have
// brought about.
func (p *Program) Sweeps(written map[string]bool, types []string) bool {
	for table, rows := range p.Swept {
		if written[table] && slices.ContainsFunc(types, func(t string) bool { return rows[t] }) {
			return true
		}
	}
	return false
}

// Written are the tables that the calls insert into or update, themselves or
// further down.
func (p *Program) Written(nodes []*Node) map[string]bool {
	return p.tables(nodes, func(_ *Node, e *Effect) bool {
		return e.Kind == catalog.Write && e.Op != catalog.Delete
	}, 4)
}
