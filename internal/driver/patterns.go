package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/deliverylint/deliverylint/internal/load"
	"github.com/deliverylint/deliverylint/internal/report"
)

// job is one load: the directory to run in and the patterns to load there.
type job struct {
	dir      string
	patterns []string
	// whole says that the patterns name all of the module or workspace.
	whole bool
	// changed are files of the module that have changed: only what they concern is
	// reported. nil for all.
	changed []string
}

// everything is the pattern for all packages below a folder.
const everything = "./..."

// jobs are the loads that the patterns ask for: one where dir lies in a module
// or workspace, else one for each module below dir. The errors are folders that
// could not be searched for modules.
func jobs(opts options, environ []string) ([]job, []load.Error, error) {
	if opts.changed {
		list, err := changedJobs(opts)
		return list, nil, err
	}
	patterns := opts.patterns
	if len(patterns) == 0 {
		patterns = []string{everything}
	}
	if work := workFile(opts.dir, environ); work != "" {
		wide, err := widen(opts.dir, work, patterns)
		return []job{{dir: opts.dir, patterns: wide, whole: isWhole(opts.dir, filepath.Dir(work), patterns)}}, nil, err
	}
	roots, errs, err := modules(opts.dir, environ)
	if err != nil {
		return nil, nil, err
	}
	if len(roots) == 1 && roots[0] == opts.dir {
		return []job{{dir: opts.dir, patterns: patterns, whole: isWhole(opts.dir, moduleRoot(opts.dir), patterns)}}, errs, nil
	}
	var list []job
	for _, root := range roots {
		if inside := patternsIn(opts.dir, root, patterns); len(inside) > 0 {
			list = append(list, job{dir: root, patterns: inside, whole: isWhole(root, root, inside)})
		}
	}
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("no module below %s holds %s", opts.dir, strings.Join(patterns, " "))
	}
	return list, errs, nil
}

// isWhole reports whether patterns in dir name all packages below root.
func isWhole(dir, root string, patterns []string) bool {
	return dir == root && slices.Contains(patterns, everything)
}

// workFile is the go.work file in force, "" if there is none.
func workFile(dir string, environ []string) string {
	switch set := lookup(environ, "GOWORK"); set {
	case "off":
		return ""
	case "":
		if r := root(dir, "go.work"); r != "" {
			return filepath.Join(r, "go.work")
		}
		return ""
	default:
		return set
	}
}

// widen replaces a pattern such as ./... in a folder above a workspace's
// modules, which the go command doesn't take, by one for each module below it.
func widen(dir, work string, patterns []string) ([]string, error) {
	used, err := usedModules(work)
	if err != nil {
		return nil, err
	}
	var wide []string
	for _, pattern := range patterns {
		folder, ok := strings.CutSuffix(pattern, "/...")
		if !ok || !isLocal(pattern) || insideAny(used, filepath.Join(dir, folder)) {
			wide = append(wide, pattern)
			continue
		}
		wide = append(wide, below(dir, filepath.Join(dir, folder), used, pattern)...)
	}
	return wide, nil
}

// below gives a pattern for each module below a folder; the pattern itself if
// there are none, for the go command to complain about.
func below(dir, folder string, modules []string, pattern string) []string {
	var list []string
	for _, m := range modules {
		if !report.Within(folder, m) {
			continue
		}
		if rel, err := filepath.Rel(dir, m); err == nil {
			list = append(list, "./"+filepath.ToSlash(rel)+"/...")
		}
	}
	if len(list) == 0 {
		return []string{pattern}
	}
	return list
}

// usedModules are the folders of the modules that a go.work file uses.
func usedModules(work string) ([]string, error) {
	data, err := os.ReadFile(work)
	if err != nil {
		return nil, err
	}
	file, err := modfile.ParseWork(work, data, nil)
	if err != nil {
		return nil, err
	}
	var used []string
	for _, use := range file.Use {
		path := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(work), path)
		}
		used = append(used, filepath.Clean(path))
	}
	return used, nil
}

// patternsIn says what patterns written in dir mean in the module at root.
func patternsIn(dir, root string, patterns []string) []string {
	var list []string
	for _, pattern := range patterns {
		if !isLocal(pattern) {
			list = append(list, pattern)
			continue
		}
		folder, deep := strings.CutSuffix(pattern, "/...")
		folder = filepath.Join(dir, folder)
		switch {
		case deep && report.Within(folder, root):
			list = append(list, everything)
		case report.Within(root, folder):
			rel, err := filepath.Rel(root, folder)
			if err != nil {
				continue
			}
			rel = "./" + filepath.ToSlash(rel)
			if deep {
				rel += "/..."
			}
			list = append(list, rel)
		}
	}
	return list
}

// isLocal reports whether a pattern names folders and not import paths.
func isLocal(pattern string) bool {
	return pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../")
}

func insideAny(dirs []string, name string) bool {
	for _, dir := range dirs {
		if report.Within(dir, name) {
			return true
		}
	}
	return false
}
