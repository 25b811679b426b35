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

// overwrite is what a fix has to know of a state that a statement sets, whoever runs it. Nil
// where that is not known.
func (r *rule) overwrite(s *story) *finding.Overwrite {
	if s.arrival || s.write == nil {
		return nil
	}
	if s.atField() {
		return r.assigned(s)
	}
	at := s.way.Text(s.write.e)
	column := s.set.Name[strings.LastIndexByte(s.set.Name, '.')+1:]
	out := &finding.Overwrite{Column: column, Order: r.orderOf(s, at)}
	if out.Order == "" && (!isState(&s.set) || !r.fill(out, s, at)) {
		return nil
	}
	home := s.way.Path[at].Func.Package
	out.Known = slices.Concat(out.Values, r.values().In(s.table, column, func(pkg string) bool { return flow.OneService(home, pkg) }))
	slices.Sort(out.Known)
	out.Known = slices.Compact(out.Known)
	for _, l := range s.way.Path[at:] {
		out.Calls = append(out.Calls, l.Node.Pos.Start())
	}
	return out
}

// assigned is the same of a field that is set where the finding is.
func (r *rule) assigned(s *story) *finding.Overwrite {
	out := &finding.Overwrite{Column: s.set.At.Field, Values: s.set.Consts, Open: told(&s.set), Optimistic: s.optimistic}
	if !isState(&s.set) || !out.Open && (s.set.From != effect.FromConst || len(out.Values) == 0) {
		return nil
	}
	home := s.set.Func.Package
	out.Known = slices.Concat(out.Values, r.values().In(s.set.At.Owner, s.set.At.Field, func(pkg string) bool { return flow.OneService(home, pkg) }))
	slices.Sort(out.Known)
	out.Known = slices.Compact(out.Known)
	return out
}

// orderOf is the column of a version that the statement takes from the message, on all ways
// to it, and which only handlers run; "" for none. A time of the last change is none: the
// service's own changes may set it to another clock's.
func (r *rule) orderOf(s *story, at int) string {
	order := ""
	for i := range s.write.ways {
		way := &s.write.ways[i]
		level := way.Text(s.write.e)
		if way.Path[level].Node != s.way.Path[at].Node {
			continue
		}
		found := ""
		for _, set := range s.assignments(way) {
			l := flow.PlainName(set.Name)
			if flow.NamesOrder(set.Name) && !strings.Contains(l, "updat") && !strings.Contains(l, "modif") && told(&set) && !set.From.Has(effect.FromFresh) {
				found = set.Name
			}
		}
		if found == "" || order != "" && found != order || len(r.w.Aside(way, level)) > 0 {
			return ""
		}
		order = found
	}
	return order
}

// fill finds what the statement of a story stores in its column, on all ways to it. False
// if that is not known, or if code that handles no delivery stores what no handler does:
// it may not be refused what it could do before.
func (r *rule) fill(out *finding.Overwrite, s *story, at int) bool {
	var others []flow.Way
	for i := range s.write.ways {
		way := &s.write.ways[i]
		level := way.Text(s.write.e)
		if way.Path[level].Node != s.way.Path[at].Node {
			continue
		}
		others = append(others, r.w.Aside(way, level)...)
		for _, set := range s.setsOn(way) {
			switch {
			case len(set.Consts) > 0 && set.From == effect.FromConst:
				out.Values = append(out.Values, set.Consts...)
			case told(&set):
				out.Open = true
			default:
				return false
			}
		}
	}
	slices.Sort(out.Values)
	out.Values = slices.Compact(out.Values)
	if out.Open {
		return len(others) == 0
	}
	for i := range others {
		for _, set := range s.setsOn(&others[i]) {
			if set.From != effect.FromConst || slices.ContainsFunc(set.Consts, func(c string) bool { return !slices.Contains(out.Values, c) }) {
				return false
			}
		}
	}
	return len(out.Values) > 0
}

// setsOn are the assignments of the story's column on a way.
func (s *story) setsOn(way *flow.Way) []effect.Assignment {
	return slices.DeleteFunc(s.assignments(way), func(set effect.Assignment) bool { return set.Name != s.set.Name })
}

// assignments are those of the statement on a way.
func (s *story) assignments(way *flow.Way) []effect.Assignment {
	var out []effect.Assignment
	es, _, data := way.Statements(s.write.e)
	for i := range es {
		if o := es[i].Overwrites(data); o != nil && es[i].Table == s.table {
			out = append(out, o.Sets...)
		}
	}
	return out
}
