// Package baseline is the file that lists findings a project knows of, so that a
// run reports only others.
package baseline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// FileName is where a baseline is written unless the user names a file.
const FileName = ".deliverylint-baseline.yml"

// State says what is to become of a known finding.
type State string

// The states. What is accepted stays, and says why.
const (
	Todo     State = "todo"
	Accepted State = "accepted"
)

// Entry is a known finding.
type Entry struct {
	Rule        string `yaml:"rule"`
	Package     string `yaml:"package"`
	Function    string `yaml:"function,omitempty"`
	Fingerprint string `yaml:"fingerprint"`
	State       State  `yaml:"state"`
	Reason      string `yaml:"reason,omitempty"`
	// Line is where it stands in the file.
	Line int `yaml:"-"`
}

// File is a baseline.
type File struct {
	// Name is how errors and findings name the file.
	Name    string
	Entries []Entry
}

// Split takes the known findings out of a list, and tells of which entries there
// was one.
func (f *File) Split(list []finding.Finding) (left []finding.Finding, met map[string]bool) {
	known := map[string]bool{}
	for _, e := range f.Entries {
		known[e.Fingerprint] = true
	}
	met = map[string]bool{}
	for _, one := range list {
		if known[one.Fingerprint] {
			met[one.Fingerprint] = true
		} else {
			left = append(left, one)
		}
	}
	return left, met
}

// Stale are the entries of which nothing was met, though a run would have found
// it, as sure says.
func (f *File) Stale(met map[string]bool, sure func(Entry) bool) []Entry {
	var list []Entry
	for _, e := range f.Entries {
		if !met[e.Fingerprint] && sure(e) {
			list = append(list, e)
		}
	}
	return list
}

// Without is the file without some entries.
func (f *File) Without(gone []Entry) *File {
	return &File{f.Name, slices.DeleteFunc(slices.Clone(f.Entries), func(e Entry) bool { return slices.Contains(gone, e) })}
}

// With is the file with an entry for each finding that has none.
func (f *File) With(list []finding.Finding) *File {
	out := &File{f.Name, slices.Clone(f.Entries)}
	left, _ := f.Split(list)
	for _, one := range left {
		out.Entries = append(out.Entries, Entry{
			Rule: one.Name(), Package: one.Package, Function: one.Function, Fingerprint: one.Fingerprint, State: Todo,
		})
	}
	return out
}

// head opens a file. Comments of the user's own don't outlast the next writing.
const head = `# Findings that are known, so that -baseline leaves them out. Written by
# deliverylint baseline, which keeps states and reasons; -prune takes out what is
# gone. The state is todo, or accepted with a reason.
`

// Bytes is the file as it is written: in the order of packages, functions and
// rules, whatever the order of the entries.
func (f *File) Bytes() ([]byte, error) {
	entries := slices.Clone(f.Entries)
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Function, b.Function),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	var b strings.Builder
	b.WriteString(head)
	b.WriteString("version: 1\nfindings:")
	if len(entries) == 0 {
		b.WriteString(" []\n")
		return []byte(b.String()), nil
	}
	text, err := yaml.MarshalWithOptions(entries, yaml.IndentSequence(false))
	if err != nil {
		return nil, fmt.Errorf("encoding the baseline: %w", err)
	}
	b.WriteString("\n")
	b.Write(text)
	return []byte(b.String()), nil
}
