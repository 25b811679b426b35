// Package report writes what a run found. Each format is one Writer in one file.
package report

import (
	"fmt"
	"io"
	"path/filepath"
	"sort"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// Problem is something that could not be analysed. File is empty, or Line 0,
// where no place is known.
type Problem struct {
	File         string
	Line, Column int
	Message      string
}

// Report is the outcome of one run. File names in it are absolute; a Writer
// prints them by way of Paths.
type Report struct {
	Findings []finding.Finding
	Problems []Problem
}

// Writer writes a report in one format.
type Writer interface {
	Write(w io.Writer, r *Report) error
}

// Options are what the formats need to know of a run.
type Options struct {
	Paths Paths
	// Repo prints names relative to the repository's root instead, for the formats
	// that a code host reads.
	Repo Paths
	// Version is the linter's own.
	Version string
	// Rules are all that a finding may be of, in display order.
	Rules []Rule
	// Color turns terminal colours on.
	Color bool
	// Context is the number of source lines shown around each step; below
	// zero, no source is shown.
	Context int
	// ReadFile reads a source file.
	ReadFile func(name string) ([]byte, error)
}

// Rule is what a report says of a category of findings.
type Rule struct {
	// Name is rule and category: publishoutsidetx/after-commit.
	Name string
	Tier finding.Tier
	// Summary is one sentence; Text and Markdown tell all, as docs/rules do.
	Summary, Text, Markdown string
}

// New returns the writer of a format.
func New(format string, opts Options) (Writer, error) {
	make, ok := formats()[format]
	if !ok {
		return nil, fmt.Errorf("unknown format %q (known: %s)", format, strings.Join(Formats(), ", "))
	}
	return make(opts), nil
}

// Formats lists the names of the formats.
func Formats() []string {
	var names []string
	for name := range formats() {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func formats() map[string]func(Options) Writer {
	return map[string]func(Options) Writer{
		"checkstyle": func(o Options) Writer { return checkstyleWriter{o} },
		"github":     func(o Options) Writer { return githubWriter{o} },
		"gitlab":     func(o Options) Writer { return gitlabWriter{o} },
		"json":       func(o Options) Writer { return jsonWriter{o} },
		"junit":      func(o Options) Writer { return junitWriter{o} },
		"rdjson":     func(o Options) Writer { return rdjsonWriter{o} },
		"sarif":      func(o Options) Writer { return newSarif(o) },
		"text":       func(o Options) Writer { return textWriter{o} },
	}
}

// Paths turns absolute file names into printed ones.
type Paths struct {
	// Dir is the working directory, which printed names are relative to.
	Dir string
	// Root is the folder that holds the code under analysis (the module's or
	// workspace's root). Files outside it, such as those of dependencies, keep
	// their absolute names.
	Root string
}

// Show is the printed name of a file: relative to the working directory, with
// forward slashes.
func (p Paths) Show(name string) string {
	if !filepath.IsAbs(name) {
		return filepath.ToSlash(name)
	}
	if !Within(p.Dir, name) && !Within(p.Root, name) {
		return filepath.ToSlash(name)
	}
	rel, err := filepath.Rel(p.Dir, name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(rel)
}

// Within reports whether name is dir or lies below it; both are absolute.
func Within(dir, name string) bool {
	if dir == "" {
		return false
	}
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
