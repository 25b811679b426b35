package driver

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/load"
)

// changedJobs are the loads for files that have changed: all of each module that has one,
// since what an interface stands for may be anywhere in it.
func changedJobs(opts options) ([]job, error) {
	files := map[string][]string{}
	var roots []string
	for _, name := range opts.patterns {
		if !filepath.IsAbs(name) {
			name = filepath.Join(opts.dir, name)
		}
		r := root(filepath.Dir(name), "go.mod")
		if r == "" {
			continue // a file of no module has no findings
		}
		if files[r] == nil {
			roots = append(roots, r)
		}
		files[r] = append(files[r], name)
	}
	slices.Sort(roots)
	var list []job
	for _, r := range roots {
		list = append(list, job{dir: r, patterns: []string{everything}, whole: true, changed: files[r]})
	}
	if len(opts.patterns) == 0 {
		return nil, errors.New("-changed wants the names of files")
	}
	return list, nil
}

// concerned are the packages that a change of files is about: those that hold them, and
// all that import these, directly or not. A change of what is no Go file (go.mod, the
// settings) is about every package. It is nil where no files are named.
func (j job) concerned(res *load.Result) map[string]bool {
	if j.changed == nil {
		return nil
	}
	out := map[string]bool{}
	for _, name := range j.changed {
		dir := filepath.Dir(name)
		for _, p := range res.Packages {
			if p.Main && (p.Dir == dir || !strings.HasSuffix(name, ".go") && dir == j.dir) {
				out[p.Path] = true
			}
		}
	}
	for grown := true; grown; {
		grown = false
		for _, p := range res.Packages {
			if p.Main && !out[p.Path] && slices.ContainsFunc(p.Imports, func(path string) bool { return out[path] }) {
				out[p.Path], grown = true, true
			}
		}
	}
	return out
}

// onlyIn leaves out the findings of other packages.
func onlyIn(concerned map[string]bool, found []finding.Finding) []finding.Finding {
	if concerned == nil {
		return found
	}
	return slices.DeleteFunc(found, func(f finding.Finding) bool { return !concerned[f.Package] })
}
