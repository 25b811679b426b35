package effect

import (
	"maps"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// markPolled finds the tables that a poller publishes from: a function that
// reads many rows of a table and then, in a loop, publishes and marks or deletes
// rows of the same table. A lost publish of such a row is made good by the
// poller. A loop that takes deliveries is none: what it reads of the table
// belongs to the delivery, and no other delivery finds the row again. Nor is one
// that marks first: a row whose publish was lost is marked, and not found again.
func (p *Program) markPolled() {
	for _, s := range p.Order {
		f := p.Funcs[s]
		if f.Test || !p.Reach[s].Has(Publishes|Writes) {
			continue
		}
		for _, head := range f.loopHeads() {
			p.markPolledIn(f, head)
		}
	}
}

func (p *Program) markPolledIn(f *Func, head int) {
	inside, before := f.around(head)
	first := slices.IndexFunc(inside, func(n *Node) bool { return p.doAny([]*Node{n}, Publishes, 3) })
	if first < 0 || p.doAny(inside, Receives, 3) {
		return
	}
	reads := p.tables(before, manyRows, 2)
	maps.Copy(reads, p.tables(inside, claims, 2))
	for t := range p.tables(inside[first:], marksRows, 2) {
		if reads[t] {
			p.Polled[t] = append(p.Polled[t], f.Package)
		}
	}
}

// loopHeads are the heads of a function's loops.
func (f *Func) loopHeads() []int {
	var out []int
	for i := range f.Blocks {
		if slices.Contains(f.Blocks[i].Loops, i) {
			out = append(out, i)
		}
	}
	return out
}

// around are the calls in a loop and those that may run before it, in the order of the
// source.
func (f *Func) around(head int) (inside, before []*Node) {
	for i := range f.Blocks {
		for _, id := range f.Blocks[i].Nodes {
			n := f.Nodes[id]
			switch {
			case n == nil || n.Kind > NodeDefer:
			case slices.Contains(f.Blocks[i].Loops, head):
				inside = append(inside, n)
			default:
				before = append(before, n)
			}
		}
	}
	return inside, before
}

// doAny reports whether one of the calls has an effect of a kind, itself or
// through calls of a given depth.
func (p *Program) doAny(nodes []*Node, want Kinds, depth int) bool {
	for _, n := range nodes {
		if n == nil || n.Kind > NodeDefer {
			continue
		}
		for i := range n.Effects {
			if KindOf(&n.Effects[i]).Has(want) {
				return true
			}
		}
		for _, c := range p.Resolve(n).Symbols {
			if p.Reach[c].Has(want) && (depth == 0 || p.doAny(p.Funcs[c].Nodes, want, depth-1)) {
				return true
			}
		}
	}
	return false
}

// claims tells statements that take whatever row is due.
func claims(_ *Node, e *Effect) bool { return e.SkipLocked }

// manyRows tells reads of any number of rows by the method that makes them.
func manyRows(n *Node, e *Effect) bool {
	if e.SkipLocked {
		return true
	}
	if e.Kind != catalog.Read || n.Entry == nil {
		return false
	}
	return !startsWith(n.Entry.Symbol.Name, oneRow()...) || startsWith(n.Entry.Symbol.Name, "GetAll", "GetMulti")
}

// oneRow are the beginnings of methods that read one row, or a number.
func oneRow() []string {
	return []string{
		"QueryRow", "QueryRowx", "QueryOne", "ReadRow", "Get", "First", "Take", "Last", "FindOne", "FindAndCount", "One", "Row",
		"Count", "Sum", "Sums", "Exist", "Exists", "ScanVal", "ScanStruct",
	}
}

// marksRows tells writes that change or delete what is there.
func marksRows(_ *Node, e *Effect) bool {
	return e.Kind == catalog.Write && (e.Op == catalog.Update || e.Op == catalog.Delete || e.Op == OutboxMark || e.Op == catalog.Conditional)
}

// tables are those that the calls read or change as asked, themselves or
// through calls of a given depth.
func (p *Program) tables(nodes []*Node, which func(*Node, *Effect) bool, depth int) map[string]bool {
	out := map[string]bool{}
	for _, n := range nodes {
		if n == nil || n.Kind > NodeDefer {
			continue
		}
		for i := range n.Effects {
			if e := &n.Effects[i]; which(n, e) {
				for _, t := range e.Names() {
					out[t] = true
				}
			}
		}
		if depth == 0 {
			continue
		}
		for _, c := range p.Resolve(n).Symbols {
			maps.Copy(out, p.tables(p.Funcs[c].Nodes, which, depth-1))
		}
	}
	return out
}

// Names are the names that an effect's table or entity goes by. What a query is built
// with (bson.M, an option) names nothing.
func (e *Effect) Names() []string {
	var out []string
	for _, h := range append([]string{e.Table}, e.Hints...) {
		h = strings.ToLower(h)
		if len(h) > 1 && h != "string" && h != "db" && !strings.HasSuffix(h, "options") && !strings.ContainsAny(h, " ?=*,()") {
			out = append(out, h)
		}
	}
	return out
}
