package analysistest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/finding"
)

var updateKnown = flag.Bool("update-known", false, "write testdata/known.txt anew, keeping the reasons of lines that stay")

// observed is a difference with what there is to say of it.
type observed struct {
	difference
	detail string
}

// Run holds what the rule finds against the comments, each topic in a subtest
// of its own.
func (c *Cases) Run(t *testing.T) {
	found, err := c.Findings()
	if err != nil {
		t.Fatal(err)
	}
	now := c.differences(found)
	list := c.known(t, now)
	for _, topic := range c.topics(list) {
		t.Run(topic, func(t *testing.T) { c.runTopic(t, topic, now, list) })
	}
}

func (c *Cases) differences(found []finding.Finding) []observed {
	var out []observed
	lost, more := match(c.wants, found)
	for _, w := range lost {
		out = append(out, observed{difference{c.rel(w.file), w.line, w.category, missing}, w.String()})
	}
	for _, f := range more {
		out = append(out, observed{difference{c.rel(f.Pos.Filename), f.Pos.Line, f.Category, extra}, f.Message})
	}
	slices.SortStableFunc(out, func(a, b observed) int { return compare(a.difference, b.difference) })
	return out
}

// known reads the list, and writes it first if the flag says so.
func (c *Cases) known(t *testing.T, now []observed) known {
	t.Helper()
	file := filepath.Join(c.dir, "known.txt")
	list, err := readKnown(file)
	if err != nil {
		t.Fatal(err)
	}
	if !*updateKnown {
		return list
	}
	all := make([]difference, len(now))
	for i, o := range now {
		all[i] = o.difference
	}
	list = list.renew(c.rule.Name, all)
	if err := os.WriteFile(file, []byte(list.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return list
}

// topics are the topics that have files or lines in the list.
func (c *Cases) topics(list known) []string {
	var out []string
	for _, p := range c.res.Packages {
		if p.Target {
			out = append(out, c.topic(c.rel(p.Dir)))
		}
	}
	for d := range list {
		if strings.HasPrefix(d.file, c.rule.Name+"/") {
			out = append(out, c.topic(d.file))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *Cases) runTopic(t *testing.T, topic string, now []observed, list known) {
	there := map[difference]bool{}
	count := map[string]int{}
	for _, o := range now {
		if c.topic(o.file) != topic {
			continue
		}
		there[o.difference] = true
		count[o.kind]++
		if _, ok := list[o.difference]; !ok {
			t.Errorf("%s:%d: %s %s: %s", o.file, o.line, o.kind, o.category, o.detail)
		}
	}
	for _, d := range list.sorted() {
		switch {
		case !strings.HasPrefix(d.file, c.rule.Name+"/") || c.topic(d.file) != topic:
		case !there[d]:
			t.Errorf("known.txt: %s is no longer so: take the line out", d)
		case list[d] == unexplained:
			t.Errorf("known.txt: %s has no reason", d)
		}
	}
	wants := 0
	for _, w := range c.wants {
		if c.topic(c.rel(w.file)) == topic {
			wants++
		}
	}
	t.Logf("%d of %d wanted findings, %d that nobody wants", wants-count[missing], wants, count[extra])
}

// Wording holds every message to the rules that finding.Check has.
func (c *Cases) Wording(t *testing.T) {
	found, err := c.Findings()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if err := finding.Check(f.Message); err != nil {
			t.Errorf("%s:%d: %v", c.rel(f.Pos.Filename), f.Pos.Line, err)
		}
	}
}

// SameBytes analyses the cases again and again, and fails where two times give
// different bytes.
func (c *Cases) SameBytes(t *testing.T, times int) {
	first, err := c.analyse()
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < times; i++ {
		again, err := c.analyse()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, again) {
			a, b := firstDifference(first, again)
			t.Fatalf("time %d differs from the first:\n%s\nwas\n%s", i+1, b, a)
		}
	}
}

func firstDifference(a, b []byte) (string, string) {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return around(x, i), around(y, i)
		}
	}
	return around(x, len(x)-1), around(y, len(y)-1)
}

func around(lines []string, i int) string {
	return strings.Join(lines[max(0, i-20):min(len(lines), i+20)], "\n")
}
