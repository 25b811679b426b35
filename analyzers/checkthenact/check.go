package checkthenact

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// Check walks a whole program and returns what it finds in the target packages.
// Unless it is nil, capped is called with the functions that were given up on.
func Check(p *effect.Program, capped func(symbol string)) []finding.Finding {
	c := newChecker(p)
	for _, symbol := range p.Order {
		f := p.Funcs[symbol]
		if f.Test || f.Synthetic || !p.Own[f.Package] {
			continue
		}
		for _, g := range c.d.Gates(f) {
			c.gate(&g)
		}
		c.claims(f)
	}
	for _, symbol := range slices.Sorted(maps.Keys(c.given)) {
		if capped != nil {
			capped(symbol)
		}
	}
	finding.Sort(c.out)
	return c.out
}

func newChecker(p *effect.Program) *checker {
	return &checker{p: p, d: effect.NewDedupe(p), from: effect.NewProvenance(p), given: map[string]bool{}, told: map[token.Position]bool{}}
}

type checker struct {
	p     *effect.Program
	d     *effect.Dedupe
	from  *effect.Provenance
	given map[string]bool
	told  map[token.Position]bool
	out   []finding.Finding
}

// gate walks what handlers do behind one gate.
func (c *checker) gate(g *effect.Gate) {
	if !g.Keyed || !single(c.rule(g).stores) || !c.records(g) || wards(g) {
		return
	}
	for _, root := range c.roots(g) {
		w := flow.NewWalker(c.p, c.rule(g))
		stories := w.From(root)
		for _, t := range c.best(g, stories) {
			c.report(tell(c.p, g, t.Story, t.category))
		}
		for _, symbol := range w.Capped() {
			c.given[symbol] = true
		}
	}
}

// records reports whether the function of a gate, or what it calls, tells the store
// of the delivery.
func (c *checker) records(g *effect.Gate) bool {
	if len(g.Claims) > 0 {
		return true
	}
	return c.touches(g, func(t *effect.Touch) bool {
		return t.Op == effect.Remembers || t.Op == effect.Claims || t.Op == effect.Scripts
	})
}

// single reports whether all touches are of one store: what asks about many things is
// no dedupe.
func single(ts []effect.Touch) bool {
	return !slices.ContainsFunc(ts, func(t effect.Touch) bool { return !t.Same(&ts[0]) })
}

// record reports whether a call in the function of a gate does nothing but tell its
// store of what the gate has asked about.
func (c *checker) record(g *effect.Gate, at flow.Level) bool {
	f, n := at.Func, at.Node
	if n == nil || n == g.Node {
		return n != nil
	}
	stores, tells := c.rule(g), false
	for _, t := range c.d.Touches(f, n) {
		if t.Op == effect.Recalls || t.Op == effect.Forgets {
			continue
		}
		if !stores.same(&t) {
			return false
		}
		tells = true
	}
	return tells && (f == g.Func && n.Shares(g.Node) || c.p.Handling[f.Symbol] && c.d.KeyedBy(f, n))
}

// within is the call of a witness in the function of a gate, or in one that it is a
// literal of; its node is nil if it is beside them.
func within(g *effect.Gate, w flow.Witness) flow.Level {
	for _, l := range slices.Backward(w.Path) {
		if l.Func == g.Func || strings.HasPrefix(g.Func.Symbol, l.Func.Symbol+"$") {
			return l
		}
	}
	return flow.Level{}
}

// dedicated: the store is for nothing else than to tell what was handled: it is no
// database, its name says so, or its rows say nothing else.
func (c *checker) dedicated(g *effect.Gate) bool {
	if g.Claims != nil && g.Claims[0].Outside || g.Lookups != nil && g.Lookups[0].Outside || named(g) {
		return true
	}
	return c.touches(g, bare) || slices.ContainsFunc(g.Claims, func(t effect.Touch) bool { return bare(&t) })
}

// ofEntity: the record is in a row that is more than a record. It is one all the same
// where it is inserted, and not to keep what the effect has made, where it sets a flag
// beside another change of the database, or where it keeps what the effect has made and
// the gate asks whether that is there.
func ofEntity(g *effect.Gate, s *flow.Story) bool {
	act, rec := within(g, s.First).Node, within(g, s.Second).Node
	if act == nil || rec == nil {
		return false
	}
	if e := s.Second.Effect; e != nil && e.Flag && s.First.Effect != nil && stored(s.First.Effect) {
		return true
	}
	keeps := slices.Contains(rec.Origins, effect.Origin{Kind: 'c', A: act.ID})
	if e := s.Second.Effect; e != nil && e.Statement != nil && e.Statement.Verb == sqltext.VerbInsert {
		return g.Form != effect.AsksState && !keeps
	}
	return g.Form == effect.AsksThere && keeps
}

// bare: the row that is inserted has ids and times alone.
func bare(t *effect.Touch) bool {
	if t.Effect == nil || t.Effect.Statement == nil || t.Effect.Statement.Verb != sqltext.VerbInsert {
		return false
	}
	set := t.Effect.Statement.Set
	return len(set) > 0 && len(set) <= 5 && !slices.ContainsFunc(set, func(col sqltext.Column) bool { return !marks(col.Name) })
}

// answers: the function returns more than an error, so that what it looked up may be
// what it is for.
func answers(f *effect.Func) bool {
	return slices.ContainsFunc(f.Results, func(t string) bool { return t != "error" })
}

// touches reports whether the function of a gate does something to its store, beside
// what the gate itself does.
func (c *checker) touches(g *effect.Gate, is func(t *effect.Touch) bool) bool {
	stores := c.rule(g)
	for f := g.Func; f != nil; f = c.p.Funcs[f.Parent] { // a literal's record may follow it
		for _, n := range f.Nodes {
			if n == nil || n == g.Node {
				continue
			}
			for _, t := range c.d.Touches(f, n) {
				if is(&t) && stores.same(&t) {
					return true
				}
			}
		}
	}
	return false
}

// claimsOutside: SETNX is for nothing else.
func claimsOutside(g *effect.Gate) bool {
	return slices.ContainsFunc(g.Claims, func(t effect.Touch) bool { return t.Op == effect.Claims && t.Outside && !t.Memory })
}

// named: the store or the function that asks it says what it is for.
func named(g *effect.Gate) bool {
	names := []string{g.Func.Package, g.Func.Name}
	for _, t := range slices.Concat(g.Lookups, g.Claims) {
		names = append(names, t.Names...)
	}
	return slices.ContainsFunc(names, func(n string) bool {
		n = strings.ReplaceAll(strings.ToLower(n), "_", "")
		for _, word := range []string{"idempot", "dedup", "inbox", "processedmessage", "processedevent"} {
			if strings.Contains(n, word) {
				return true
			}
		}
		return false
	})
}

// wards: by its names the gate keeps off who asks too often, or shows again what somebody
// else has signed. What it turns away is refused, and not taken for done.
func wards(g *effect.Gate) bool {
	names := []string{g.Func.Name, g.Node.Text}
	for _, t := range slices.Concat(g.Lookups, g.Claims) {
		names = append(names, t.Names...)
	}
	return slices.ContainsFunc(names, func(n string) bool {
		n = strings.ReplaceAll(strings.ToLower(n), "_", "")
		return slices.ContainsFunc([]string{"nonce", "ratelimit", "limiter", "cooldown", "throttl", "captcha"}, func(w string) bool { return strings.Contains(n, w) })
	})
}

// best are the stories to tell: of one gate and root the first of a kind, and of
// records that come too late the last, which is the one that counts.
func (c *checker) best(g *effect.Gate, stories []flow.Story) []told {
	var out []told
	for i := range stories {
		t := told{&stories[i], c.category(g, &stories[i])}
		if t.category == "" {
			continue
		}
		at := slices.IndexFunc(out, func(o told) bool { return o.category == t.category })
		switch {
		case at < 0:
			out = append(out, t)
		case t.category == recordOutside:
			out[at] = t
		}
	}
	return out
}

type told struct {
	*flow.Story
	category string
}

func (c *checker) report(f *finding.Finding) {
	if f != nil && !c.told[f.Pos] {
		c.told[f.Pos] = true
		c.out = append(c.out, *f)
	}
}

// category is what a story is told as, "" for nothing.
func (c *checker) category(g *effect.Gate, s *flow.Story) string {
	store := slices.Concat(g.Lookups, g.Claims)[0]
	gone := c.touches(g, func(t *effect.Touch) bool { return t.Op == effect.Forgets || t.Op == effect.Scripts })
	later := c.touches(g, func(t *effect.Touch) bool { return !t.Outside && t.Op == effect.Remembers })
	rec := s.Second
	if s.Category == markBefore {
		rec = s.First
	}
	switch {
	case s.Category != checkOutside && !c.record(g, within(g, rec)),
		s.Category == markBefore && !c.dedicated(g), s.Category == recordOutside && !c.dedicated(g) && !ofEntity(g, s), s.Category == checkOutside && !c.flag(g),
		answers(g.Func) && !named(g):
		return ""
	case onlyAsks(acts(s)), s.Category != checkOutside && !c.alone(g):
		return ""
	case store.Memory && gone:
		return "" // it keeps what is being handled
	case store.Memory:
		return volatile
	case s.Category == markBefore && (gone || later || lease(g, s)):
		return ""
	case s.Category == recordOutside && store.Outside && s.First.Effect != nil && stored(s.First.Effect) && s.Second.Effect == nil:
		return volatile
	}
	return s.Category
}

// onlyAsks: what looks like an effect is an HTTP request that changes nothing, or that
// changes it to the same a second time.
func onlyAsks(w flow.Witness) bool {
	if w.Effect == nil || w.Effect.Kind != catalog.SideEffect {
		return false
	}
	for _, l := range slices.Backward(w.Path) {
		if l.Node.Request != "" {
			return l.Node.Request != "POST" && l.Node.Request != "PATCH"
		}
	}
	return false
}
