package flow

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/directive"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// The caps of what a comment tells: how deep the functions below a method are looked
// at, and how many statements are told of.
const (
	maxDescribed  = 5
	maxStatements = 4
)

// Describe says what the functions that a method may be write and read, in the order
// of the source, as comments tell it; nil where they differ, and where it can't be told.
func (w *Ways) Describe(symbols []string) []directive.Directive {
	var out []directive.Directive
	for i, s := range symbols {
		d := &describing{w: w, seen: map[string]bool{}}
		d.visit(nil, w.prog.Funcs[s])
		if d.given || len(d.out) > maxStatements || i > 0 && !slices.EqualFunc(out, d.out, func(a, b directive.Directive) bool { return a.String() == b.String() }) {
			return nil
		}
		out = d.out
	}
	return out
}

// describing goes through the calls below a method.
type describing struct {
	w    *Ways
	seen map[string]bool
	out  []directive.Directive
	// given: something is done that a comment doesn't tell.
	given bool
}

func (d *describing) visit(path []Level, f *effect.Func) {
	if f == nil || d.seen[f.Symbol] || len(path) > maxDescribed {
		return
	}
	d.seen[f.Symbol] = true
	for _, n := range f.Nodes {
		if n == nil || n.Kind > effect.NodeDefer {
			continue
		}
		way := Way{Path: append(slices.Clone(path), Level{f, n}), from: d.w.from}
		for i := range n.Effects {
			d.effect(&way, &n.Effects[i])
		}
		for _, g := range d.w.below(f, n) {
			d.visit(way.Path, g)
		}
	}
}

func (d *describing) effect(way *Way, e *effect.Effect) {
	if e.Kind == catalog.Read {
		d.add(directive.Directive{Verb: directive.Read, Handle: directive.Receiver, Tables: tableOf(e)})
		return
	}
	if !isWrite(e) && e.Text == nil {
		return
	}
	es, _, data := way.Statements(e)
	for i := range es {
		switch x, ok := describe(data, &es[i]); {
		case es[i].Kind == catalog.Read:
		case !ok:
			d.given = true
		default:
			d.add(x)
		}
	}
}

// add keeps what is new; of reads one is enough.
func (d *describing) add(x directive.Directive) {
	if !slices.ContainsFunc(d.out, func(y directive.Directive) bool {
		return x.Verb == directive.Read && y.Verb == directive.Read || x.String() == y.String()
	}) {
		d.out = append(d.out, x)
	}
}

// describe is the comment for one write.
func describe(way *Way, e *effect.Effect) (directive.Directive, bool) {
	out := directive.Directive{Verb: directive.Write, Handle: directive.Receiver, Tables: tableOf(e), Cache: e.Cache}
	if e.Table != "" && !nameable(e.Table) || e.ByName || e.Kind == catalog.OutboxWrite {
		return out, false
	}
	s := e.Told()
	switch {
	case s == nil || s.Verb == sqltext.VerbUnknown:
		return entity(way, e, out)
	case s.Verb == sqltext.VerbDelete:
		out.Op = directive.Delete
	case s.Verb == sqltext.VerbUpdate:
	case s.Verb == sqltext.VerbInsert && s.Conflict == sqltext.ConflictNone:
		out.Op = directive.Insert
	case s.Verb == sqltext.VerbInsert && s.Conflict == sqltext.ConflictNothing:
		out.Op = directive.Ignore
	case s.Verb == sqltext.VerbInsert && len(s.ConflictCompared) == 0:
		out.Op = directive.Upsert
	default:
		return out, false
	}
	out.Set, out.Add = assignments(way, e, s)
	if out.Op == directive.Upsert || out.Op == directive.Ignore {
		for _, c := range s.ConflictColumns {
			out.Where = append(out.Where, directive.Column{Name: c})
		}
	} else if out.Op != directive.Insert {
		out.Where = comparisons(way, e, s)
	}
	return out, !slices.ContainsFunc(slices.Concat(out.Set, out.Where), func(c directive.Column) bool { return !nameable(c.Name) })
}

func tableOf(e *effect.Effect) []string {
	if !nameable(e.Table) {
		return nil
	}
	return []string{e.Table}
}

// nameable: it can stand in a comment.
func nameable(s string) bool { return s != "" && !strings.ContainsAny(s, " ,'<>=+~") }

func assignments(way *Way, e *effect.Effect, s *sqltext.Statement) (set []directive.Column, add []string) {
	for _, c := range s.Set {
		switch c.From {
		case sqltext.FromDelta:
			add = append(add, c.Name)
		case sqltext.FromUnknown:
		default:
			set = append(set, directive.Column{Name: c.Name, From: madeFrom(way, e, c)})
		}
	}
	return set, add
}

func comparisons(way *Way, e *effect.Effect, s *sqltext.Statement) []directive.Column {
	var out []directive.Column
	for _, c := range s.Compared {
		op := map[string]string{"in": "=", "is": "=", "not in": "<>", "is not": "<>", "like": "~", "not like": "<>"}[c.Op]
		if op == "" {
			op = c.Op
		}
		if x := (directive.Column{Name: c.Name, Op: op, From: madeFrom(way, e, c)}); !slices.ContainsFunc(out, func(y directive.Column) bool { return x.String() == y.String() }) {
			out = append(out, x)
		}
	}
	return out
}

// madeFrom is what a column is set to or compared with.
func madeFrom(way *Way, e *effect.Effect, c sqltext.Column) []directive.Value {
	if c.From == sqltext.FromLiteral && directive.Plain(c.Literal) && c.Literal != "" {
		return []directive.Value{{Literal: c.Literal}}
	}
	return values(way, e.LineageOf(c))
}

// values says what something is made from, by the arguments of the way's first function.
func values(way *Way, o *effect.Lineage) []directive.Value {
	made := way.from.MadeAt(way.calls(), o)
	var out []directive.Value
	first := 1
	if way.Path[0].Func.Method {
		first = 0
	}
	for _, r := range made.Params {
		if at := r.Index + first; at > 0 && at <= 32 && !strings.ContainsAny(r.Field, " +,'") {
			out = append(out, directive.Value{Arg: at, Field: r.Field})
		}
	}
	for _, p := range []struct {
		of   effect.Sources
		word string
	}{{effect.FromStored, directive.Row}, {effect.FromFresh, directive.New}, {effect.FromOutside | effect.FromElsewhere, directive.Other}} {
		if made.Rest&p.of != 0 {
			out = append(out, directive.Value{Word: p.word})
		}
	}
	if len(out) == 0 && len(made.Consts) == 1 && directive.Plain(made.Consts[0]) && made.Consts[0] != "" {
		return []directive.Value{{Literal: made.Consts[0]}}
	}
	if len(out) == 0 && made.Rest.Has(effect.FromConst) {
		return []directive.Value{{Word: directive.Const}}
	}
	if len(out) == 0 {
		return []directive.Value{{Word: directive.Other}}
	}
	slices.SortFunc(out, func(a, b directive.Value) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// entity is the comment for a write of a struct or map.
func entity(way *Way, e *effect.Effect, out directive.Directive) (directive.Directive, bool) {
	switch e.Op {
	case catalog.Insert:
		out.Op = directive.Insert
	case catalog.Upsert, catalog.Save:
		out.Op = directive.Upsert
	case catalog.Update:
	case catalog.Delete:
		out.Op = directive.Delete
		return out, true
	default:
		return out, false
	}
	whole := values(way, e.Data.Whole)
	if len(whole) == 1 && whole[0].Arg > 0 && whole[0].Field == "" {
		out.Entity = []int{whole[0].Arg - 1}
		return out, true
	}
	return out, false
}
