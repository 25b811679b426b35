package assignstate

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// written is an effect with the ways on which deliveries come to it.
type written struct {
	e    *effect.Effect
	ways []flow.Way
}

// overwrite is what a fix has to know of a state that a statement sets: which values must
// stay, whoever runs the statement. Nil where that is not known.
func (r *rule) overwrite(s *story) *finding.Overwrite {
	if s.arrival || s.atField() || s.write == nil || !isState(&s.set) {
		return nil
	}
	at := s.way.Text(s.write.e)
	values, ok := r.valuesOf(s, at)
	if !ok || len(values) == 0 {
		return nil
	}
	column := s.set.Name[strings.LastIndexByte(s.set.Name, '.')+1:]
	home := s.way.Path[at].Func.Package
	known := slices.Concat(values, r.values().In(s.table, column, func(pkg string) bool { return flow.OneService(home, pkg) }))
	out := &finding.Overwrite{Column: column, Keep: kept(values, known)}
	for _, l := range s.way.Path[at:] {
		out.Calls = append(out.Calls, l.Node.Pos.Start())
	}
	return out
}

// valuesOf are the constants that the statement of a story stores in its column, from all
// ways to it. False if it stores others too, or if code that handles no delivery stores
// others than handlers do: it may not be refused what it could do before.
func (r *rule) valuesOf(s *story, at int) ([]string, bool) {
	var out []string
	for i := range s.write.ways {
		way := &s.write.ways[i]
		level := way.Text(s.write.e)
		if way.Path[level].Node != s.way.Path[at].Node {
			continue
		}
		for _, set := range s.setsOn(way) {
			if len(set.Consts) == 0 || set.From != effect.FromConst {
				return nil, false
			}
			out = append(out, set.Consts...)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	for i := range s.write.ways {
		way := &s.write.ways[i]
		level := way.Text(s.write.e)
		if way.Path[level].Node != s.way.Path[at].Node {
			continue
		}
		for _, other := range r.w.Aside(way, level) {
			for _, set := range s.setsOn(&other) {
				if set.From != effect.FromConst || slices.ContainsFunc(set.Consts, func(c string) bool { return !slices.Contains(out, c) }) {
					return nil, false
				}
			}
		}
	}
	return out, true
}

// setsOn are the assignments of the story's column on a way.
func (s *story) setsOn(way *flow.Way) []effect.Assignment {
	var out []effect.Assignment
	es, _, data := way.Statements(s.write.e)
	for i := range es {
		o := es[i].Overwrites(data)
		if o == nil || es[i].Table != s.table {
			continue
		}
		for _, set := range o.Sets {
			if set.Name == s.set.Name {
				out = append(out, set)
			}
		}
	}
	return out
}
