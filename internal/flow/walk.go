package flow

import (
	"maps"
	"slices"
	"sort"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// The caps. Beyond one of them a function is taken to do nothing that is known.
const (
	maxDepth      = 24
	maxStates     = 48    // different states at one block
	maxSteps      = 3000  // blocks walked in one entry of a function
	maxEntries    = 120   // entries of one function with the same functions as arguments
	maxRootSteps  = 60000 // blocks walked for one root, callees included
	maxRootBlocks = 3000
)

// Walker walks the functions of a program for one rule.
type Walker struct {
	prog *effect.Program
	rule Rule
	masks
	spent   int
	stores  Stores
	visitor Visitor
	// base is the rule itself, under what records its steps.
	base    Rule
	memo    map[string]*result
	active  map[string]int
	entries map[string]int
	visited map[string]bool
	// shrugged: the function of a call goes on after it has failed.
	shrugged map[*effect.Node]bool
	cost     map[string]int
	lives    map[string][]map[effect.Key]bool
	stories  map[storyKey]Story
	order    []storyKey
	roots    map[string][]exit
	texts    map[givenKey][]effect.Effect
	trace    *Trace
	capped   map[string]bool
	// pickers remembers which functions are walked for their values alone.
	pickers map[string]bool
}

// Capped are the symbols of the functions at which a cap was met, sorted: on
// some paths through them nothing is known of what they do.
func (w *Walker) Capped() []string { return slices.Sorted(maps.Keys(w.capped)) }

// NewWalker returns a walker of p for a rule.
func NewWalker(p *effect.Program, r Rule) *Walker {
	stores, _ := r.(Stores)
	visitor, _ := r.(Visitor)
	return &Walker{
		masks: masksOf(r), stores: stores, visitor: visitor, base: r, prog: p, rule: r, memo: map[string]*result{}, active: map[string]int{}, entries: map[string]int{},
		visited: map[string]bool{}, cost: map[string]int{}, lives: map[string][]map[effect.Key]bool{}, stories: map[storyKey]Story{}, roots: map[string][]exit{},
		shrugged: map[*effect.Node]bool{}, texts: map[givenKey][]effect.Effect{}, capped: map[string]bool{}, pickers: map[string]bool{},
	}
}

func (w *Walker) root(f *effect.Func) { w.rootWith(f, nil) }

func (w *Walker) rootWith(f *effect.Func, free []av) {
	w.spent = 0
	s := &State{}
	w.hook(f, s)
	w.entered(f, s)
	params := make([]av, len(f.Params))
	outer := -1
	for i, p := range f.Params {
		switch p.Class {
		case catalog.Pool:
			params[i] = av{kind: pool}
		case catalog.Either:
			params[i] = av{kind: param}
			if f.Method && i == 0 {
				params[i] = av{}
			}
		case catalog.Tx:
			if outer < 0 {
				outer = s.Txs[s.open(true)].id
			}
			params[i] = av{kind: txHandle, tx: outer}
		}
	}
	w.roots[f.Symbol] = w.walk(f, s, params, free, 0, true, false, internalTree(f.Package)).exits
}

// Hooked is a rule that knows methods which an ORM calls within the transaction
// of a write: InHook is the bit that such a transaction has.
type Hooked interface{ InHook() Bits }

// hook opens the transaction that an ORM's hook method runs in.
func (w *Walker) hook(f *effect.Func, s *State) {
	r, ok := w.base.(Hooked)
	if !ok || !f.Hook {
		return
	}
	n := &effect.Node{Pos: f.Pos, Text: f.Name}
	s.set(s.open(true), r.InHook(), Witness{Path: []Level{{f, n}}}, w.nearest)
}

// spend counts a block; true says that the root has had its share.
func (w *Walker) spend() bool {
	w.spent++
	return w.spent > maxRootSteps
}

// walk runs a function for one entry state; bits in the state are inherited.
func (w *Walker) walk(f *effect.Func, s *State, params, free []av, depth int, root, async bool, tree string) *result {
	w.visited[f.Symbol] = true
	key := entryKey(f, s, params, free, async, tree)
	if r, ok := w.memo[key]; ok {
		return r
	}
	if w.active[f.Symbol] > 1 { // recursion ends at some depth; that one is walked
		return &result{}
	}
	kin := f.Symbol + runs(params, free)
	if depth > maxDepth || w.entries[kin] > maxEntries || len(f.Blocks) > maxRootBlocks {
		w.capped[f.Symbol] = true
		return &result{exits: []exit{{state: s}}}
	}
	w.active[f.Symbol]++
	w.entries[kin]++
	fr := &frame{f: f, params: params, free: free, root: root, depth: depth, async: async, entryTxs: len(s.Txs), tree: tree}
	r := w.blocks(fr, s)
	accessor(f, r)
	r.pendings = fr.open()
	w.trace.leave(fr, r)
	w.active[f.Symbol]--
	w.memo[key] = r
	return r
}

type item struct {
	block int
	state *State
}

// blocks runs the states through the blocks until nothing new turns up.
func (w *Walker) blocks(fr *frame, s *State) *result {
	r := &result{}
	if len(fr.f.Blocks) == 0 {
		r.exits = []exit{{state: s}}
		return r
	}
	live := w.live(fr.f)
	seen := make([]map[string]bool, len(fr.f.Blocks))
	exits := map[string]int{}
	work := []item{{0, s.clone()}}
	steps := 0
	for len(work) > 0 {
		it := work[len(work)-1]
		work = work[:len(work)-1]
		it.state.keep(live[it.block])
		key := it.state.key()
		if seen[it.block] == nil {
			seen[it.block] = map[string]bool{}
		}
		if seen[it.block][key] || len(seen[it.block]) >= maxStates {
			continue
		}
		seen[it.block][key] = true
		w.cost[fr.f.Symbol]++
		if steps++; steps > maxSteps || w.spend() {
			w.capped[fr.f.Symbol] = true
			break
		}
		fr.live = live[it.block]
		work = append(work, w.block(fr, it, r, exits)...)
	}
	return r
}

// block runs one state through one block.
func (w *Walker) block(fr *frame, it item, r *result, exits map[string]int) []item {
	b := &fr.f.Blocks[it.block]
	it.state.appends = w.plural != 0 && (it.state.appends || b.Appends)
	states := []*State{it.state}
	for _, id := range b.Nodes {
		n := fr.f.Nodes[id]
		if n.Kind == effect.NodeReturn {
			for _, s := range states {
				w.exit(fr, s, n, r, exits)
			}
			return nil
		}
		var next []*State
		for _, s := range states {
			next = append(next, w.node(fr, s, n)...)
		}
		for _, s := range next {
			s.keep(fr.live)
		}
		states = w.unique(next)
		if len(states) > maxStates {
			w.capped[fr.f.Symbol] = true
			states = states[:maxStates]
		}
	}
	var out []item
	for i := len(b.Succs) - 1; i >= 0; i-- {
		for j := len(states) - 1; j >= 0; j-- {
			if s := w.edge(fr, states[j], it.block, i); s != nil {
				out = append(out, item{b.Succs[i], s})
			}
		}
	}
	return out
}

// unique merges equal states; of their witnesses the nearest stay, or all.
func (w *Walker) unique(states []*State) []*State {
	if len(states) < 2 {
		return states
	}
	seen := map[string]*State{}
	out := states[:0]
	for _, s := range states {
		k := s.key()
		if first := seen[k]; first != nil {
			first.witness.near(s.witness, w.nearest)
			first.witness.merge(s.witness, w.plural)
			continue
		}
		seen[k] = s
		out = append(out, s)
	}
	return out
}

// edge takes a branch: nil if what is known of the condition excludes it.
func (w *Walker) edge(fr *frame, s *State, from, i int) *State {
	b := &fr.f.Blocks[from]
	s = s.clone()
	if c := b.Cond; c != nil && len(b.Succs) == 2 {
		want := c.OnTrue
		if i == 1 {
			want = c.OnFalse
		}
		if c.Value != nil {
			if w.excludes(fr, s, c.Value, want) {
				return nil
			}
			want = effect.Unknown
		}
		have := s.outcomeOf(c.Key)
		if want != effect.Unknown {
			if have != effect.Unknown && have != want {
				return nil
			}
			if want == effect.No && c.Key.Kind == 'c' && !c.Key.Bool {
				if have == effect.Unknown {
					s.absolve(c.Key.A, w.onError)
				}
				s.retried(fr.f, b.Succs[i], c.Key.A, w.onError)
			}
			s.setOutcome(c.Key, want)
			if want == effect.Yes && !c.Key.Bool { // the last failure decides
				known := c.OnTrue == effect.Unknown || c.OnFalse == effect.Unknown
				s.failed = !(known && c.Text) || w.kinds // the code's own word is an answer, no failure
				s.expected = known && (w.kinds || !c.Kind) || w.kinds && b.Noted
			}
		}
	}
	if b.Stops && i == 0 && w.kinds {
		s.expected = true // nothing is read after it that would pass what has failed
	}
	if !s.matches(b, i) {
		return nil
	}
	to := &fr.f.Blocks[b.Succs[i]]
	s.left(fr.f, b.Succs[i])
	w.nextRound(fr, s, from, b.Succs[i])
	w.leftOut(fr, s, from, b.Succs[i])
	s.round(fr.f, from, b.Succs[i], w.oneRound)
	if len(to.Phis) == 0 {
		return s
	}
	for p, pred := range to.Preds {
		if pred != from {
			continue
		}
		outs := make([]effect.Outcome, len(to.Phis))
		for j, phi := range to.Phis {
			outs[j] = s.source(phi.From[p])
		}
		for j, phi := range to.Phis {
			s.setOutcome(phi.Key, outs[j])
		}
		break
	}
	return s
}

// excludes reports whether what is known of a handle rules a branch out: a
// transaction that is at hand, or a pool that was given, is not nil. Where none is
// open, a function that has a pool for that case finds none in its context.
func (w *Walker) excludes(fr *frame, s *State, v *effect.Value, want effect.Outcome) bool {
	h := w.eval(fr, s, v, evalDepth)
	switch want {
	case effect.Yes:
		return h.kind == none || !h.known() && v.Kind == effect.ValueCtxValue && len(s.Txs) == 0 && pooled(fr.f)
	case effect.No:
		return h.handle().kind == txHandle || h.kind == pool && h.name != guessed && v.Kind == effect.ValueParam && !fr.root
	}
	return false
}

func (s *State) source(src effect.Source) effect.Outcome {
	if src.Const != effect.Unknown {
		return src.Const
	}
	return s.outcomeOf(src.Key)
}

// Debug prints.
var Debug bool

// DebugTop prints the costliest functions.
func (w *Walker) DebugTop() {
	type kv struct {
		k string
		n int
	}
	var l []kv
	for k, n := range w.cost {
		l = append(l, kv{k, n})
	}
	sort.Slice(l, func(i, j int) bool { return l[i].n > l[j].n })
	for i := 0; i < 25 && i < len(l); i++ {
		println(l[i].n, w.entries[l[i].k], l[i].k)
	}
}
