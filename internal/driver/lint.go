package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
	"github.com/deliverylint/deliverylint/internal/load"
	"github.com/deliverylint/deliverylint/internal/report"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// outcome is what the modules of a run gave together.
type outcome struct {
	findings []finding.Finding
	problems []report.Problem
	packages int
	stats    Stats
	// sources are the packages that fixes may change.
	sources []*fix.Package
	// covered says what was read, module by module.
	covered []coverage
	// known and old count the findings that the baseline and -new-from leave out.
	known, old int
}

func runLint(ctx context.Context, env Env, args []string) (int, error) {
	opts, err := parseOptions(env, "deliverylint", args, usage)
	if err != nil {
		return exitFailed, err
	}
	if opts.version {
		return runVersion(ctx, env, nil)
	}
	if err := opts.prepare(ctx, env); err != nil {
		return exitFailed, err
	}
	out, err := lint(ctx, env, opts)
	if err != nil {
		return exitFailed, err
	}
	if opts.fix {
		return out.fix(ctx, env, opts)
	}
	if out, err = out.narrowed(ctx, env, opts); err != nil {
		return exitFailed, err
	}
	return out.report(env, opts)
}

// lint analyses every module that the patterns reach.
func lint(ctx context.Context, env Env, opts options) (*outcome, error) {
	if err := checkDir(opts.dir); err != nil {
		return nil, err
	}
	list, unread, err := jobs(opts, env.Environ)
	if err != nil {
		return nil, err
	}
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, fmt.Errorf("reading what libraries mean: %w", err)
	}
	out := new(outcome)
	for _, e := range unread {
		out.problems = append(out.problems, problem(e))
	}
	if err := out.run(ctx, env, opts, list, cat); err != nil {
		return nil, err
	}
	out.finish()
	return out, nil
}

// run analyses modules in turn. One that can't be loaded is a problem of the
// run; if none can, the first reason is the run's error. One of several may well
// hold nothing but tests, or tools behind a build tag.
func (out *outcome) run(ctx context.Context, env Env, opts options, list []job, cat *catalog.Catalog) error {
	var failures, empty []error
	for _, j := range list {
		set, err := configure(cat, opts, j.dir)
		if err != nil {
			return err
		}
		err = out.module(ctx, env, opts, j, set)
		switch {
		case err == nil:
		case errors.Is(err, load.ErrNoPackages):
			empty = append(empty, err)
		default:
			failures = append(failures, err)
			out.problems = append(out.problems, report.Problem{File: filepath.Join(j.dir, "go.mod"), Line: 1, Message: oneLine(err)})
		}
	}
	if len(failures)+len(empty) == len(list) && len(list) > 0 {
		return append(failures, empty...)[0]
	}
	return ctx.Err()
}

// module loads and analyses one module and adds what it gives.
func (out *outcome) module(ctx context.Context, env Env, opts options, j job, set *settings.Settings) error {
	bar := newProgress(env)
	defer bar.stop()
	start := env.Now()
	res, err := loadPackages(ctx, env, opts, j, set, bar)
	if err != nil {
		return err
	}
	if err := set.Resolve(res.Types); err != nil {
		return err
	}
	loaded := env.Now()
	bar.show("analysing")
	found, program, failed, stats := analyze(ctx, res, set.Catalog, set.Rules(), opts.all)
	stats.Phases = append([]Phase{{"load", loaded.Sub(start)}}, stats.Phases...)
	if len(stats.Phases) == 1 {
		stats.addPhase(Phase{"analyse", env.Now().Sub(loaded)})
	}
	concerned := j.concerned(res)
	kept := onlyIn(concerned, keep(set, j, res, found, failed))
	if len(kept) > 0 {
		sources := fixable(res, program, set)
		offer(sources, kept)
		if opts.fix {
			out.sources = append(out.sources, sources...)
		}
	}
	out.findings = append(out.findings, kept...)
	for _, e := range slices.Concat(res.Errors, failed) {
		if !set.Excludes(e.Pos.Filename, moduleRoot(j.dir)) && (concerned == nil || e.Package == "" || concerned[e.Package]) {
			out.problems = append(out.problems, problem(e))
		}
	}
	out.covered = append(out.covered, covers(set, j, res, concerned))
	if concerned != nil {
		out.packages += len(concerned)
	} else {
		out.packages += targets(res)
	}
	out.stats.add(stats)
	return nil
}

// place is a position that the go command puts before what it says, "-" where it
// knows none.
var place = regexp.MustCompile(`^(-|[^\s:]+:\d+(:\d+)?): `)

func problem(e load.Error) report.Problem {
	p := report.Problem{
		File: e.Pos.Filename, Line: e.Pos.Line, Column: e.Pos.Column,
		Message: place.ReplaceAllString(e.Message, ""),
	}
	if p.File == "" && e.Package != "" {
		p.Message = e.Package + ": " + p.Message
	}
	return p
}

// finish puts everything into its final order.
func (out *outcome) finish() {
	out.findings = finding.Dedup(out.findings)
	finding.Fingerprint(out.findings)
	slices.SortFunc(out.problems, func(a, b report.Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	out.problems = slices.Compact(out.problems)
}

func (out *outcome) report(env Env, opts options) (int, error) {
	if err := out.write(env, opts); err != nil {
		return exitFailed, err
	}
	if format := opts.outputs.standard(); format == "text" || format == "" {
		fmt.Fprintln(env.Stderr, out.summary())
	}
	if opts.stats {
		out.stats.print(env.Stderr)
	}
	return out.code(), nil
}

func (out *outcome) code() int {
	switch {
	case len(out.problems) > 0:
		return exitFailed
	case len(out.findings) > 0:
		return exitFindings
	}
	return exitClean
}

func (out *outcome) summary() string {
	text := "no findings"
	if n := len(out.findings); n > 0 {
		failures := 0
		for _, f := range out.findings {
			if f.Tier == finding.Error {
				failures++
			}
		}
		text = fmt.Sprintf("%s (%s, %s)", count(n, "finding"), count(failures, "error"), count(n-failures, "warning"))
	}
	text += " in " + count(out.packages, "package")
	if out.known > 0 {
		text += fmt.Sprintf("; %d in the baseline", out.known)
	}
	if out.old > 0 {
		text += fmt.Sprintf("; %d where nothing changed", out.old)
	}
	if n := out.mendable(); n > 0 {
		text += fmt.Sprintf("; -fix mends %d", n)
	}
	if n := len(out.problems); n > 0 {
		text += fmt.Sprintf("; %s that kept code from being analysed", count(n, "problem"))
	}
	return text
}

// mendable counts the findings that a fix is offered for.
func (out *outcome) mendable() int {
	n := 0
	for _, f := range out.findings {
		if len(f.Fixes) > 0 {
			n++
		}
	}
	return n
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
