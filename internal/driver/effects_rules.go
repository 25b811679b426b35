package driver

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// verdicts are the steps at a line and what a rule made of them.
type verdicts struct {
	q *question
	v *view
	// rule is the rule's name, found what it finds, kept what of that is
	// reported.
	rule        string
	found, kept []finding.Finding
}

// judge prints what a rule made of the line. Of a rule that met nothing there, only
// the first says so.
func (q *question) judge(w io.Writer, v *view, r rule, first bool) {
	trace := &flow.Trace{At: q.at}
	r.Trace(v.program, trace)
	var capped []string
	found, err := check(r, v.program, func(symbol string) { capped = append(capped, v.program.Title(v.program.Funcs[symbol])) })
	met := first || len(trace.Steps) > 0 || slices.ContainsFunc(found, func(f finding.Finding) bool { return q.in(&f) })
	if !met && err == "" {
		return
	}
	fmt.Fprintf(w, "\n%s\n", r.Name)
	if err != "" {
		fmt.Fprintf(w, "  %s\n", err)
		return
	}
	d := &verdicts{q: q, v: v, rule: r.Name, found: found}
	d.kept = keep(v.set, v.job, v.res, slices.Clone(found), nil)
	d.print(w, trace.Steps)
	if len(capped) > 0 {
		fmt.Fprintf(w, "  given up on: %s\n", given(capped))
	}
	for _, f := range d.kept {
		if q.in(&f) {
			fmt.Fprintf(w, "  finding: %s: %s (%s)\n", v.place(position(f)), f.Message, f.Name())
		}
	}
}

// in reports whether the line is a step of a finding.
func (q *question) in(f *finding.Finding) bool {
	return slices.ContainsFunc(f.Flow, func(s finding.Step) bool {
		return slashed(s.Pos.Filename) == q.file && s.Pos.Line == q.line
	})
}

func position(f finding.Finding) effect.Position {
	return effect.Position{File: slashed(f.Pos.Filename), Line: f.Pos.Line}
}

// most is how many paths are printed of an effect.
const most = 8

// print prints each effect once, and below it the paths that reach it: those
// first on which the rule has something to say.
func (d *verdicts) print(w io.Writer, steps []flow.Step) {
	if len(steps) == 0 && slices.ContainsFunc(d.found, func(f finding.Finding) bool { return d.q.in(&f) }) {
		return
	}
	if len(steps) == 0 {
		fmt.Fprintln(w, "  silent: nothing on this line changes stored state or reaches a broker, as far as is known")
		return
	}
	slices.SortStableFunc(steps, func(a, b flow.Step) int { return cmp.Compare(interest(a), interest(b)) })
	var titles []string
	paths := map[string][]string{}
	for i := range steps {
		title := stepText(d.v, &steps[i])
		if !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
		if text := d.path(&steps[i]); !slices.Contains(paths[title], text) {
			paths[title] = append(paths[title], text)
		}
	}
	for _, title := range titles {
		fmt.Fprintf(w, "  %s\n", title)
		for i, text := range paths[title] {
			if i == most {
				fmt.Fprintf(w, "    ... %d more paths\n", len(paths[title])-most)
				break
			}
			fmt.Fprint(w, text)
		}
	}
}

// interest orders steps: stories that are told, other stories, silence, the rest.
func interest(s flow.Step) int {
	rank := 3
	for _, p := range s.Pairs {
		if p.Story != nil && p.Why == "" {
			return 0
		}
		rank = 1
	}
	if len(s.Why) > 0 {
		rank = min(rank, 2)
	}
	return rank
}

// path is what came before a step, and what the rule made of that.
func (d *verdicts) path(s *flow.Step) string {
	var b strings.Builder
	fmt.Fprintf(&b, "    after %s\n", factsText(d.v, s))
	for _, line := range d.outcomes(s) {
		fmt.Fprintf(&b, "      %s\n", line)
	}
	return b.String()
}

func stepText(v *view, s *flow.Step) string {
	text := string(s.Kind)
	if s.Effect != nil && s.Effect.Kind == s.Kind {
		text = s.Effect.Words()
	}
	switch s.Kind {
	case catalog.Write, catalog.OutboxWrite, catalog.Read:
		switch {
		case s.Where >= 0:
			text += ", in an open transaction"
		case s.Where == flow.InPool:
			text += ", outside any transaction"
		default:
			text += ", in whatever transaction the caller has"
		}
	}
	if below := s.Path[1:]; len(below) > 0 {
		var names []string
		for _, l := range below {
			names = append(names, v.program.Title(l.Func))
		}
		text += ", " + finding.Via(names...)
	}
	if s.Async() {
		text += ", in a goroutine"
	}
	return text
}

func factsText(v *view, s *flow.Step) string {
	var parts []string
	inTx := false
	for _, f := range s.Before {
		inTx = inTx || f.InTx
		parts = append(parts, factName(f)+" ("+whereText(v, s, f.Where)+")")
	}
	if len(parts) == 0 {
		parts = append(parts, "nothing")
	}
	if s.Open > 0 && !inTx {
		parts = append(parts, "a transaction is open")
	}
	return strings.Join(parts, "; ")
}

func factName(f flow.Fact) string {
	if f.InTx {
		return f.Name + " in the open transaction"
	}
	return f.Name
}

func whereText(v *view, s *flow.Step, w flow.Witness) string {
	n := w.Node()
	switch {
	case n == nil:
		return "in a caller"
	case n.Pos.File == s.Node().Pos.File:
		return fmt.Sprintf("%s, line %d", n.Text, n.Pos.Line)
	}
	return fmt.Sprintf("%s, %s", n.Text, v.place(n.Pos))
}

func (d *verdicts) outcomes(s *flow.Step) []string {
	var lines []string
	for _, p := range s.Pairs {
		lines = append(lines, d.pairText(p))
	}
	for _, why := range s.Why {
		lines = append(lines, "silent: "+why)
	}
	if len(s.Pairs) == 0 && len(s.After) > 0 {
		var names []string
		for _, f := range s.After {
			names = append(names, factName(f))
		}
		lines = append(lines, "from here on: "+strings.Join(names, "; "))
	}
	return lines
}

func (d *verdicts) pairText(p flow.Pair) string {
	full := d.rule + "/" + p.Category
	switch {
	case p.Story == nil:
		return full + ": the other half lies in a caller, where it is reported"
	case p.Why != "":
		return "silent, else " + full + ": " + p.Why
	}
	pos := p.Story.Place().Node.Pos
	is := func(f finding.Finding) bool {
		return f.Name() == full && f.Pos.Line == pos.Line && slashed(f.Pos.Filename) == pos.File
	}
	switch {
	case slices.ContainsFunc(d.kept, is) && d.q.at(pos):
		return "reported: " + full
	case slices.ContainsFunc(d.kept, is):
		return "reported at " + d.v.place(pos) + ": " + full
	case slices.ContainsFunc(d.found, is):
		return "found, but silenced by a comment or the settings: " + full
	}
	for _, f := range d.kept {
		if f.Pos.Line == pos.Line && slashed(f.Pos.Filename) == pos.File {
			return full + " too, but the call is reported once: as " + f.Name()
		}
	}
	return full + ": the same story is told at a call nearer to the publish"
}
