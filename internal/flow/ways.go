package flow

import (
	"slices"
	"strconv"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// The caps of one question for ways; beyond them nothing is known.
const (
	maxWays     = 400
	maxWayDepth = 18
)

// Way is how a delivery comes to an effect: the calls from a handler down to the
// library's function. It is a may: a call through an interface has a way through
// each that implements it.
type Way struct {
	Handler effect.Handler
	Path    []Level
	from    *effect.Provenance
}

// Sources is what a value at the effect is made from, with the functions called as
// the way says.
func (w *Way) Sources(o *effect.Lineage) effect.Sources { return w.from.At(w.calls(), o) }

// Sums are the sums that a value at the effect is or contains.
func (w *Way) Sums(o *effect.Lineage) []effect.Sum { return w.from.SumsAt(w.calls(), o) }

// upTo is the way as far as a function that it goes through; of any other, that alone.
func (w *Way) upTo(f *effect.Func) *Way {
	if i := slices.IndexFunc(w.Path, func(l Level) bool { return l.Func == f }); i >= 0 {
		return &Way{w.Handler, w.Path[:i+1], w.from}
	}
	return &Way{w.Handler, []Level{{Func: f}}, w.from}
}

// Parts are the fields of a struct at the effect that are assigned one by one, and
// what it is made from otherwise.
func (w *Way) Parts(o *effect.Lineage) ([]effect.Assignment, effect.Sources) {
	return w.from.PartsAt(w.calls(), o)
}

// Consts are the constants that a value at the effect may be.
func (w *Way) Consts(o *effect.Lineage) []string { return w.from.ConstsAt(w.calls(), o) }

// Fresh are the functions in which what a value at the effect is made from is made anew.
func (w *Way) Fresh(o *effect.Lineage) []string { return w.from.FreshAt(w.calls(), o) }

// Reads are what a value at the effect was read from.
func (w *Way) Reads(o *effect.Lineage) []effect.Read { return w.from.ReadsAt(w.calls(), o) }

// Statements are the same with the values that a caller hands on beside the text, and the
// way down to the call that tells of these.
func (w *Way) Statements(e *effect.Effect) (es []effect.Effect, level int, data *Way) {
	es, level = w.Effects(e)
	_, at := w.text(e)
	if at < 0 || at == len(w.Path)-1 || len(w.Path[at].Node.List) == 0 {
		return es, level, w
	}
	for i := range es {
		es[i].Data.Params, es[i].Data.Whole = w.Path[at].Node.List, nil
	}
	return es, level, &Way{w.Handler, w.Path[:at+1], w.from}
}

// Text is the level whose call gives the text of a statement; the last where that is not
// known.
func (w *Way) Text(e *effect.Effect) int {
	if _, at := w.text(e); at >= 0 {
		return at
	}
	return len(w.Path) - 1
}

// Aside are ways to the same by code that handles no delivery: the calls of what a delivery
// passes on its way down to a level.
func (w *Ways) Aside(way *Way, level int) []Way {
	var out []Way
	for i := level; i > 0; i-- {
		f := way.Path[i].Func
		if f.Parent == way.Path[i-1].Func.Symbol {
			continue
		}
		for _, c := range w.from.Others(f) {
			if !onPath(way.Path[i:], c.Func) {
				out = append(out, Way{way.Handler, append([]Level{Level(c)}, way.Path[i:]...), w.from})
			}
		}
	}
	return out
}

// text is that of a statement, and the level whose call gives it; -1 where that is not known.
func (w *Way) text(e *effect.Effect) (string, int) {
	v, i := e.Text, len(w.Path)-1
	for v != nil && i >= 0 {
		switch v.Kind {
		case effect.ValueText:
			return v.Name, i
		case effect.ValueParam:
			v, i = w.argument(i, v.Index)
		case effect.ValueFree:
			v, i = w.captured(i, v.Index)
		default:
			return "", -1
		}
	}
	return "", -1
}

// Effects are what an effect is on the way, and the level at which it is written:
// a statement may be one that a caller hands to the function that runs it.
func (w *Way) Effects(e *effect.Effect) ([]effect.Effect, int) {
	last := len(w.Path) - 1
	if e.Text == nil || e.Statement == nil || e.Statement.Verb != sqltext.VerbUnknown {
		return []effect.Effect{*e}, w.owner(last)
	}
	text, at := w.text(e)
	if at < 0 {
		return nil, last
	}
	return w.Path[last].Node.Given(e, text), w.owner(at)
}

// argument is what the call above a level gives its function.
func (w *Way) argument(i, index int) (*effect.Value, int) {
	if i == 0 || w.Path[i].Func.Parent == w.Path[i-1].Func.Symbol || index >= len(w.Path[i-1].Node.Args) {
		return nil, i
	}
	return w.Path[i-1].Node.Args[index], i - 1
}

// captured is what the literal of a level captures.
func (w *Way) captured(i, index int) (*effect.Value, int) {
	if i == 0 || w.Path[i].Func.Parent != w.Path[i-1].Func.Symbol {
		return nil, i
	}
	for _, v := range w.Path[i-1].Node.Args {
		if v != nil && v.Kind == effect.ValueClosure && v.Name == w.Path[i].Func.Symbol && index < len(v.Of) {
			v = v.Of[index]
			if v.Kind == effect.ValueCell && len(v.Of) > 0 {
				v = v.Of[0]
			}
			return v, i - 1
		}
	}
	return nil, i
}

// Literal is the innermost level of literals within the function of a level.
func (w *Way) Literal(i int) int {
	for i+1 < len(w.Path) && w.Path[i+1].Func.Parent == w.Path[i].Func.Symbol {
		i++
	}
	return i
}

// owner is the level of the function that the literals of a level stand in.
func (w *Way) owner(i int) int {
	for i > 0 && w.Path[i].Func.Parent == w.Path[i-1].Func.Symbol {
		i--
	}
	return i
}

func (w *Way) calls() []effect.Call {
	out := make([]effect.Call, len(w.Path))
	for i, l := range w.Path {
		out[i] = effect.Call{Func: l.Func, Node: l.Node}
	}
	return out
}

// Ways finds how deliveries come to effects, and what makes a second one harmless.
type Ways struct {
	prog *effect.Program
	from *effect.Provenance
	// refusing and deduping remember what functions do.
	refusing, deduping, changing map[string]bool
	// blind remembers which handlers ask their message nothing.
	blind  map[string]bool
	stores *effect.Dedupe
}

// NewWays returns what answers for a program.
func NewWays(p *effect.Program) *Ways {
	return &Ways{prog: p, from: effect.NewProvenance(p), refusing: map[string]bool{}, deduping: map[string]bool{}, changing: map[string]bool{}, blind: map[string]bool{}, stores: effect.NewDedupe(p)}
}

// Sure: each call of a way runs the next function of it, and no other.
func (w *Ways) Sure(way *Way) bool {
	return !slices.ContainsFunc(way.Path[:len(way.Path)-1], func(l Level) bool {
		return l.Node.Kind > effect.NodeDefer || l.Node.Static == "" && len(w.prog.Resolve(l.Node).Symbols) != 1
	})
}

// Blind: the handler of a way hands nothing of the message on and asks it nothing. It is a
// job that looks for itself what is to do, and has no message that could be late.
func (w *Ways) Blind(way *Way) bool {
	f := way.Path[0].Func
	if _, ok := w.prog.Entered[f.Symbol]; ok {
		return false // the comment tells of what is made of a message
	}
	if got, ok := w.blind[f.Symbol]; ok {
		return got
	}
	w.blind[f.Symbol] = !slices.ContainsFunc(f.Nodes, func(n *effect.Node) bool {
		return n != nil && w.from.Given(f, n).Has(effect.FromMessage)
	}) && !slices.ContainsFunc(f.Blocks, func(b effect.Block) bool {
		return b.Fork != nil && w.from.Of(f, b.Fork.From).Has(effect.FromMessage)
	})
	return w.blind[f.Symbol]
}

// EachWrite calls do with the writes, and the statements whose text a caller gives, of what
// handlers reach.
func (w *Ways) EachWrite(do func(f *effect.Func, n *effect.Node, e *effect.Effect)) {
	for _, s := range w.prog.Order {
		f := w.prog.Funcs[s]
		if !w.prog.Handling[s] || f.Test {
			continue
		}
		for _, n := range f.Nodes {
			if n == nil || n.Kind > effect.NodeDefer {
				continue
			}
			for i := range n.Effects {
				if e := &n.Effects[i]; isWrite(e) || e.Text != nil {
					do(f, n, e)
				}
			}
		}
	}
}

// StoredValues are the constants that the program stores in what is there already.
func (w *Ways) StoredValues() *effect.StoredValues { return w.from.StoredValues() }

// To are the ways to a node, the shortest first; none where there are too many.
// Those above a handler (what wraps it) are not listed, but guard as well.
func (w *Ways) To(f *effect.Func, n *effect.Node) []Way {
	var out []Way
	work := [][]Level{{{f, n}}}
	seen := map[string]bool{}
	for len(work) > 0 {
		path := work[0]
		work = work[1:]
		top := path[0].Func
		if h, ok := w.prog.Takes(top.Symbol); ok {
			if len(out) == maxWays {
				return nil
			}
			out = append(out, Way{h, path, w.from})
			continue
		}
		if len(path) == maxWayDepth || len(work) > 8*maxWays {
			return nil
		}
		for _, c := range w.callers(top) {
			next := append([]Level{c}, path...)
			if key := near(next); !onPath(path, c.Func) && sameTree(path, c.Func) && !seen[key] && takes(c.Node, path[0]) {
				seen[key] = true
				work = append(work, next)
			}
		}
	}
	return out
}

// nearLevels are the calls next to the effect by which ways to it differ: of those
// that share them, one from each function is enough.
const nearLevels = 4

func near(path []Level) string {
	key := path[0].Func.Symbol
	for _, l := range path[max(len(path)-nearLevels, 0):] {
		key += "|" + l.Func.Symbol + "#" + strconv.Itoa(l.Node.ID)
	}
	return key
}

// sameTree: one service of a repository is not called by another's code.
func sameTree(path []Level, f *effect.Func) bool {
	tree := internalTree(f.Package)
	return !slices.ContainsFunc(path, func(l Level) bool { return apart(tree, internalTree(l.Func.Package)) })
}

func onPath(path []Level, f *effect.Func) bool {
	return slices.ContainsFunc(path, func(l Level) bool { return l.Func == f })
}

// callers are the calls by which a handler reaches a function. A literal that is
// made while a delivery is handled is called where it is made, whatever it is handed
// to.
func (w *Ways) callers(f *effect.Func) []Level {
	var out []Level
	helpers := map[string]bool{}
	if parent := w.prog.Funcs[f.Parent]; parent != nil {
		for _, n := range parent.Nodes {
			if n == nil || n.Kind > effect.NodeDefer || !gives(n, f.Symbol) {
				continue
			}
			if w.prog.Handling[f.Parent] {
				out = append(out, Level{parent, n})
			}
			for _, g := range w.from.Runs(parent, n) {
				helpers[g] = true
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	for _, c := range w.from.Callers(f) {
		if w.prog.Handling[c.Func.Symbol] && !w.lent(c.Func, helpers) {
			out = append(out, Level(c))
		}
	}
	return out
}

// lent: a helper runs the literal that it is given for whom it is given by, who
// handles no delivery. One that takes the deliveries itself runs it for these.
func (w *Ways) lent(f *effect.Func, helpers map[string]bool) bool {
	if _, ok := w.prog.Takes(f.Symbol); ok {
		return false
	}
	return helpers[f.Symbol] || f.Parent != "" && helpers[f.Parent]
}

// gives reports whether a call runs or is given a function literal.
func gives(n *effect.Node, symbol string) bool {
	is := func(v *effect.Value) bool { return holds(v, symbol, 3) }
	return is(n.Dynamic) || n.Static == symbol || slices.ContainsFunc(n.Args, is) ||
		slices.ContainsFunc(n.Effects, func(e effect.Effect) bool { return is(e.Func) })
}

func holds(v *effect.Value, symbol string, depth int) bool {
	if v == nil || depth == 0 {
		return false
	}
	return (v.Kind == effect.ValueClosure || v.Kind == effect.ValueFunc) && v.Name == symbol ||
		(v.Kind == effect.ValueCell || v.Kind == effect.ValueChoice) && slices.ContainsFunc(v.Of, func(x *effect.Value) bool { return holds(x, symbol, depth-1) })
}

// Redelivered reports whether a delivery of a handler may come a second time: what
// acks it does so after the handler is done.
func Redelivered(h *effect.Handler) bool {
	switch h.Ack {
	case effect.AckReturn, effect.AckExplicit, effect.AckOffset, effect.AckResponse:
		return h.OnError != effect.Drop
	}
	return false
}

// below are the functions that a call may run.
func (w *Ways) below(f *effect.Func, n *effect.Node) []*effect.Func {
	var out []*effect.Func
	add := func(symbols []string) {
		for _, s := range symbols {
			if g := w.prog.Funcs[s]; g != nil && !g.Test {
				out = append(out, g)
			}
		}
	}
	add(w.from.Runs(f, n))
	for i := range n.Effects {
		if fn := n.Effects[i].Func; fn != nil {
			add(w.prog.Wide(fn, f.Symbol))
		}
	}
	for _, a := range n.Args {
		if a != nil && a.Kind == effect.ValueClosure {
			add([]string{a.Name})
		}
	}
	return out
}

// isWrite: a write that is known for what it does to a table.
func isWrite(e *effect.Effect) bool {
	return e.Kind == catalog.Write || e.Kind == catalog.OutboxWrite
}
