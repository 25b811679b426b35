package driver

import (
	"context"
	"fmt"
	"strings"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/load"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// loadPackages loads the packages of one module.
func loadPackages(ctx context.Context, env Env, opts options, j job, s *settings.Settings, bar *progress) (*load.Result, error) {
	return load.Load(ctx, load.Config{
		Dir: j.dir, Patterns: j.patterns, Whole: true, Tags: opts.tags, Tests: opts.tests, Env: env.Environ, Overlay: opts.overlay,
		Candidate: effect.Candidate(s.Catalog),
		Bodies:    bodies(s.Catalog),
		Progress:  func(done, total int) { bar.show(fmt.Sprintf("reading packages, %d of %d", done, total)) },
	})
}

// oneLine is an error's text on one line, without the prefixes of the go
// command that say nothing to a user.
func oneLine(err error) string {
	var lines []string
	for _, line := range strings.Split(err.Error(), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

// targets counts the packages that the patterns name; a package's test variants
// are one with it.
func targets(res *load.Result) int {
	paths := map[string]bool{}
	for _, p := range res.Packages {
		if p.Target {
			paths[strings.TrimSuffix(p.Path, "_test")] = true
		}
	}
	return len(paths)
}
