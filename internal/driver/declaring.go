package driver

import (
	"maps"
	"slices"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/directive"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// declaring finds the comments of a module's sites.
type declaring struct {
	*view
	ways *flow.Ways
	// mended are the functions whose lost publish others make up for, with the tables that
	// these read; told the places of what publishoutsidetx tells.
	mended map[string][]string
	told   map[effect.Position]bool
	// known are the places of which something is known, named the methods whose name tells
	// what is told.
	known map[effect.Position]bool
	named map[string]bool
}

// declarations are the sites of the target packages of which something is known.
func (v *view) declarations() []declaration {
	judged := analyzers.Judged(v.program)
	d := &declaring{
		view: v, ways: flow.NewWays(v.program), mended: judged.Mended, told: judged.Told,
		known: map[effect.Position]bool{}, named: map[string]bool{},
	}
	all := v.sites(d.mended)
	for i := range all {
		s := &all[i]
		d.known[s.Pos] = d.known[s.Pos] || s.Known
		d.named[s.Key] = s.Through == nil && slices.ContainsFunc(s.Wants, isMixed) && d.tells(s)
	}
	var list []declaration
	for i := range all {
		s := &all[i]
		if !s.Known && d.known[s.Pos] {
			continue // a generic function; an instance of it is known
		}
		if wants, ok := d.wants(s); ok && v.targets[s.Package] && !v.program.Generated[s.Pos.File] && !overrides(s.Says) {
			list = append(list, declaration{pos: s.Pos, name: s.Name, says: comments(s.Says), wants: comments(wants)})
		}
	}
	return list
}

// wants are the comments of a site; false where nothing is known of it and nothing stale
// stands there.
func (d *declaring) wants(s *effect.Site) ([]directive.Directive, bool) {
	wants, known := described(d.ways, s), s.Known
	if d.tells(s) || s.Through != nil && !slices.ContainsFunc(s.Through, func(key string) bool { return d.named[key] }) {
		wants = slices.DeleteFunc(wants, isMixed)
	}
	if tables, ok := d.mended[s.Key]; ok {
		wants, known = append(wants, directive.Directive{Verb: directive.Polled, Handle: directive.Receiver, Tables: tables}), true
	}
	for i := range wants {
		if wants[i].Verb == directive.Handling {
			wants[i].Guarded = d.ways.GuardedAbove(d.program.Funcs[s.Key])
		}
	}
	return wants, known || slices.ContainsFunc(s.Says, generated)
}

// tells: a finding has one of its halves at a call of the site's.
func (d *declaring) tells(s *effect.Site) bool {
	return slices.ContainsFunc(s.Calls, func(pos effect.Position) bool { return d.told[pos] })
}

func isMixed(d directive.Directive) bool { return d.Verb == directive.Mixed }

// described are the comments of a site with what is written and read in them.
func described(w *flow.Ways, s *effect.Site) []directive.Directive {
	plain := s.Wants
	if len(plain) != 1 || plain[0].Verb != directive.Write && plain[0].Verb != directive.Read {
		return plain
	}
	list := w.Describe(s.From)
	if !s.Delivered {
		list = brief(list)
	}
	if len(list) > 0 && slices.ContainsFunc(list, func(d directive.Directive) bool { return d.Verb == plain[0].Verb }) {
		for i := range list {
			if list[i].Verb == directive.Write {
				list[i].Handle, list[i].Autocommit = plain[0].Handle, plain[0].Autocommit
			}
		}
		return list
	}
	if plain[0].Verb == directive.Read {
		return nil
	}
	return plain
}

// brief leaves out what matters only while a delivery is handled.
func brief(list []directive.Directive) []directive.Directive {
	var out []directive.Directive
	for _, d := range list {
		if d.Verb == directive.Write {
			d.Set, d.Add, d.Where, d.Entity = nil, nil, nil, nil
			out = append(out, d)
		}
	}
	return slices.CompactFunc(out, func(a, b directive.Directive) bool { return a.String() == b.String() })
}

// generated: a comment on a function has what linking finds out.
func generated(d directive.Directive) bool {
	return d.Verb == directive.Handling || d.Verb == directive.Mixed || d.Verb == directive.Polled || d.Verb == directive.Handler && d.Ack != ""
}

// sites are those of the program with the functions of which a rule tells something.
func (v *view) sites(functions map[string][]string) []effect.Site {
	out := slices.Clone(v.program.Sites)
	for _, symbol := range slices.Sorted(maps.Keys(functions)) {
		f := v.program.Funcs[symbol]
		known := slices.ContainsFunc(out, func(s effect.Site) bool { return s.Key == symbol })
		if !known && f.Pos.Line > 0 && !f.Synthetic && v.program.Own[f.Package] {
			out = append(out, effect.Site{Key: symbol, Name: f.Name, Package: f.Package, Pos: f.Pos, Says: f.Declared})
		}
	}
	return out
}
