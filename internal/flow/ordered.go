package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Ordered says what keeps a message that comes late from overwriting what a newer one
// has stored, "" for nothing that is seen: a condition of the write, a branch on stored
// state that leaves before it, a function that refuses a transition, a read that finds
// only rows in a state that may be left. What calls the handler is looked at too. It is a
// may: of several implementations that guard, one is enough.
func (w *Ways) Ordered(way *Way, o *effect.Overwrite, table string) string {
	if w.private(way, o) {
		return "the row is one that was made just before"
	}
	if why := conditioned(way, o); why != "" {
		return why
	}
	if way.Handler.Guarded {
		return guardedAbove
	}
	q := &ordering{w, way, o, plainTable(table)}
	for i := range way.Path {
		if why := q.at(way, i); why != "" {
			return why
		}
	}
	if why := q.assigning(); why != "" {
		return why
	}
	return w.above(way, func(upper *Way) string { return q.at(upper, 0) })
}

// assigning looks at a function beside the way that assigns a field: a closure that changes
// what was loaded, a method of the entity's.
func (q *ordering) assigning() string {
	for i := range q.o.Sets {
		f := q.o.Sets[i].Func
		if f == nil || slices.ContainsFunc(q.way.Path, func(l Level) bool { return l.Func == f }) {
			continue
		}
		for c := range f.Blocks {
			b := &f.Blocks[c]
			if b.Fork != nil && len(b.Succs) == 2 && q.statesOf(f, b.Fork) && !q.becomesIn(f, b.Fork) {
				return fmt.Sprintf("the branch at line %d of %s compares what is stored", b.Fork.Pos.Line, f.Name)
			}
		}
	}
	return ""
}

// becomesIn: a branch of any function compares a field with what it becomes anyway.
func (q *ordering) becomesIn(f *effect.Func, fork *effect.Fork) bool {
	at := q.way.upTo(f)
	return slices.ContainsFunc(at.Reads(fork.From), func(r effect.Read) bool {
		set := q.set(r.Field)
		return set != nil && q.becomes(at, fork, set)
	})
}

// conditioned: the statement itself asks for the version or state of the row.
func conditioned(way *Way, o *effect.Overwrite) string {
	for _, c := range o.Compared {
		if orders(way, o, c) {
			return "it writes only where " + c.Name + " allows it"
		}
	}
	for _, k := range o.Keys {
		if !strings.HasSuffix(PlainName(k), "id") && slices.ContainsFunc(o.Sets, func(s effect.Assignment) bool { return s.Name != "" && PlainName(s.Name) == PlainName(k) }) {
			return "it writes only where " + k + " is what it was"
		}
		if k == "condition" || NamesState(k) || NamesOrder(k) || strings.HasPrefix(k, "$lt") || strings.HasPrefix(k, "$gt") || k == "$nin" || k == "$ne" {
			return "it writes only where " + k + " allows it"
		}
	}
	return ""
}

// orders: a compared column tells an older message from a newer one. An optimistic
// lock compares what was loaded a moment ago, which the late message loads too; the
// value that is set anyway tells nothing.
func orders(way *Way, o *effect.Overwrite, c sqltext.Column) bool {
	from := way.Sources(o.ComparedWith(c))
	at := slices.IndexFunc(o.Set, func(s sqltext.Column) bool { return s.Name == c.Name })
	switch {
	case c.Name == "" || namesDeleted(c.Name):
		return false
	case c.From == sqltext.FromDelta || c.From == sqltext.FromExpr && c.Param == 0:
		return NamesState(c.Name) || NamesOrder(c.Name) || at >= 0
	case NamesOrder(c.Name):
		return c.From != sqltext.FromParam || from&effect.FromMessage != 0 || from&effect.FromStored == 0
	case at >= 0:
		return !sameValue(way, o, c, o.Set[at])
	case NamesState(c.Name):
		return true
	}
	return c.Op == "<" || c.Op == ">" || c.Op == "<=" || c.Op == ">="
}

// sameValue: the column is compared with what it is set to.
func sameValue(way *Way, o *effect.Overwrite, c, set sqltext.Column) bool {
	if c.From != set.From || c.Op != "<>" && c.Op != "is not" {
		return false
	}
	if c.From == sqltext.FromLiteral {
		return c.Literal == set.Literal
	}
	x, y := way.Consts(o.ComparedWith(c)), way.Consts(o.ComparedWith(set))
	return c.Param > 0 && c.Param == set.Param || len(x) == 1 && slices.Equal(x, y) || len(x)+len(y) == 0
}

// ordering is the question for one write on one way.
type ordering struct {
	w     *Ways
	way   *Way
	o     *effect.Overwrite
	table string
}

// at looks at one function of a way.
func (q *ordering) at(way *Way, i int) string {
	l := way.Path[i]
	g := newReaching(l.Func)
	at := g.blockOf(l.Node)
	upper := Way{way.Handler, way.Path[:i+1], way.from}
	if fork := g.leaves(at, func(f *effect.Fork) bool { return q.compares(&upper, f) }); fork != nil {
		return fmt.Sprintf("the branch at line %d of %s compares what is stored", fork.Pos.Line, l.Func.Name)
	}
	for _, n := range l.Func.Nodes {
		if n == nil || n == l.Node || n.Kind > effect.NodeDefer || !g.before(n, l.Node) {
			continue
		}
		if q.selects(l.Func, n, 4) {
			return n.Text + " finds only rows in a state that may be left"
		}
		if q.refuses(l.Func, n, 4) {
			return n.Text + " may refuse it"
		}
	}
	return ""
}

// compares: a branch asks for the state or the age of what is stored; what it is about
// to become is no such question.
func (q *ordering) compares(way *Way, f *effect.Fork) bool {
	from := way.Sources(f.From)
	if !from.Has(effect.FromStored) {
		return f.Ordered && from.Has(effect.FromMessage|effect.FromElsewhere)
	}
	for _, r := range way.Reads(f.From) {
		same := plainTable(r.Table) == q.table || r.Table == "" || q.table == ""
		set := q.set(r.Field)
		switch {
		case set != nil && q.becomes(way, f, set):
		case NamesState(r.Field), NamesOrder(r.Field), f.Ordered:
			return true
		case set != nil, r.Field == "" && same && !asksWhether(f, &r):
			return true
		}
	}
	return len(way.Reads(f.From)) == 0
}

// asksWhether: the branch asks whether a row is there, which tells nothing of its age: by
// an error or what is empty, or by a statement that hands back no column.
func asksWhether(f *effect.Fork, r *effect.Read) bool {
	if f.Op == "" && f.Found != effect.SideEither {
		return true
	}
	s := r.Statement
	return s != nil && s.Verb == sqltext.VerbSelect && !slices.ContainsFunc(s.Selected, func(c string) bool { return c != "" }) &&
		!slices.ContainsFunc(s.Compared, func(c sqltext.Column) bool {
			return NamesState(c.Name) || NamesOrder(c.Name) || c.Op == "<" || c.Op == ">"
		})
}

func (q *ordering) set(field string) *effect.Assignment {
	for i := range q.o.Sets {
		if field != "" && sameField(q.o.Sets[i].Name, field) {
			return &q.o.Sets[i]
		}
	}
	return nil
}

// sameField: one is the other, or a part of it.
func sameField(x, y string) bool {
	x, y = plainTable(x), plainTable(y)
	return strings.HasSuffix("."+x, "."+y) || strings.HasSuffix("."+y, "."+x) || strings.HasPrefix(x, y+".") || strings.HasPrefix(y, x+".")
}

// becomes: the field is compared with what is stored in it anyway.
func (q *ordering) becomes(way *Way, f *effect.Fork, set *effect.Assignment) bool {
	if len(set.Consts) == 1 && set.Consts[0] == "true" && namesEnd(set.Name) {
		return false // once it is set nothing else comes, another outcome neither
	}
	consts := f.Consts
	if f.Op == "" { // a predicate tells what it compares with
		consts = way.Consts(f.From)
	}
	if len(consts) > 0 {
		return len(set.Consts) == 1 && slices.Equal(set.Consts, consts)
	}
	if f.Op != "==" && f.Op != "!=" {
		return false
	}
	return set.From.Has(effect.FromMessage) && way.Sources(f.From).Has(effect.FromMessage) && !NamesOrder(set.Name)
}

// selects: a call reads rows by their state.
func (q *ordering) selects(f *effect.Func, n *effect.Node, depth int) bool {
	for i := range n.Effects {
		e := &n.Effects[i]
		if e.Kind == catalog.Read && (e.Table == "" || plainTable(e.Table) == q.table || q.table == "") && byState(e) {
			return true
		}
	}
	if depth == 0 || n.Entry != nil || givenToRun(n) {
		return false
	}
	return slices.ContainsFunc(q.w.below(f, n), func(g *effect.Func) bool {
		return slices.ContainsFunc(g.Nodes, func(m *effect.Node) bool {
			return m != nil && m.Kind <= effect.NodeDefer && q.selects(g, m, depth-1)
		})
	})
}

// byState: a statement's condition, or a builder's, names a state.
func byState(e *effect.Effect) bool {
	if e.Statement != nil {
		return slices.ContainsFunc(e.Statement.Compared, func(c sqltext.Column) bool { return NamesState(c.Name) && !namesDeleted(c.Name) })
	}
	for _, c := range e.Data.Clauses {
		if c.Kind == "where" && (slices.ContainsFunc(strings.FieldsFunc(c.Text, notName), NamesState) || slices.ContainsFunc(c.Keys, NamesState)) {
			return true
		}
	}
	return false
}

func notName(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }

// refuses: a function that a call runs fails by itself when it finds another state.
func (q *ordering) refuses(f *effect.Func, n *effect.Node, depth int) bool {
	if isStateMachine(n.Static) {
		return true
	}
	if depth == 0 || n.Entry != nil || givenToRun(n) {
		return false
	}
	return slices.ContainsFunc(q.w.below(f, n), func(g *effect.Func) bool { return q.refusesIn(g, depth) })
}

func (q *ordering) refusesIn(g *effect.Func, depth int) bool {
	if failsWhere(g, func(f *effect.Fork) bool { return q.statesOf(g, f) }) {
		return true
	}
	return slices.ContainsFunc(g.Nodes, func(n *effect.Node) bool {
		return n != nil && n.Kind == effect.NodeCall && (n.ErrResult || isStateMachine(n.Static)) && q.refuses(g, n, depth-1)
	})
}

// isStateMachine: a library that knows which state may follow which.
func isStateMachine(symbol string) bool {
	return strings.Contains(symbol, "looplab/fsm.") || strings.Contains(symbol, "qmuntal/stateless.")
}

// givenToRun: the call runs what the function is given, by any caller; what this one gives is
// looked at where it gives it.
func givenToRun(n *effect.Node) bool {
	return n.Dynamic != nil && n.Dynamic.Kind == effect.ValueParam && n.Static == ""
}

// statesOf: a branch of any function asks for a stored state.
func (q *ordering) statesOf(g *effect.Func, f *effect.Fork) bool {
	from := q.w.from.Of(g, f.From)
	if !from.Has(effect.FromStored) {
		return f.Ordered && from.Has(effect.FromMessage)
	}
	for _, r := range q.w.from.ReadsOf(g, f.From) {
		if NamesState(r.Field) || NamesOrder(r.Field) || q.set(r.Field) != nil {
			return true
		}
	}
	return false
}

// NamesState tells by its name a column or field that holds where an entity is in its
// life.
func NamesState(name string) bool {
	l := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	for _, word := range []string{"status", "state", "phase", "stage", "currentstep", "laststep", "nextstep", "isactive", "active", "enabled", "disabled", "finalized", "completed", "cancelled", "canceled", "failed", "closed", "isdone", "done", "paid", "settled", "approved", "rejected", "archived", "locked", "processed"} {
		if l == word || strings.HasSuffix(l, word) || l == word+"at" || strings.HasSuffix(l, word+"at") {
			return true
		}
	}
	return false
}

// namesEnd tells by its name a flag that says of an entity that its life is over.
func namesEnd(name string) bool {
	l := PlainName(name)
	return strings.HasSuffix(l, "finalized") || strings.HasSuffix(l, "completed")
}

// NamesOrder tells by its name what older and newer are told apart by.
func NamesOrder(name string) bool {
	l := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	for _, word := range []string{"version", "revision", "seq", "sequence", "sequencenumber", "seqno", "seqnum", "generation", "epoch", "offset", "timestamp", "updatedat", "modifiedat", "occurredat", "eventtime", "eventat", "lastevent", "updatetime", "lastmodified", "lastupdated", "etag", "nonce", "blocknumber", "height", "slot"} {
		if l == word || strings.HasSuffix(l, word) {
			return true
		}
	}
	return false
}

func namesDeleted(name string) bool {
	return strings.HasPrefix(strings.ToLower(strings.ReplaceAll(name, "_", "")), "delet")
}

// PlainName is the last part of a column's or field's name, for comparing one with the
// other.
func PlainName(name string) string {
	return strings.ToLower(strings.ReplaceAll(name[strings.LastIndexByte(name, '.')+1:], "_", ""))
}

// Totals reports whether a function branches on a sum that is kept: how much of something
// is there decides then, in whatever order it came.
func (w *Ways) Totals(way *Way, f *effect.Func) bool {
	at := way.upTo(f)
	return slices.ContainsFunc(f.Blocks, func(b effect.Block) bool {
		return b.Fork != nil && len(at.Sums(b.Fork.From)) > 0
	})
}

// Asks reports whether a function on a way, or any other, branches on values from some
// source.
func (w *Ways) Asks(way *Way, f *effect.Func, of effect.Sources) bool {
	at := way.upTo(f)
	return slices.ContainsFunc(f.Blocks, func(b effect.Block) bool { return b.Fork != nil && at.Sources(b.Fork.From)&of != 0 })
}
