package driver

import (
	"bytes"
	"context"
	"fmt"
	"go/types"
	"maps"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/fix"
	"github.com/deliverylint/deliverylint/internal/load"
	"github.com/deliverylint/deliverylint/internal/report"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// fixable are the packages of the user's own that are sound, as what fixes are
// made on. Of a package and its test variant the first has the files.
func fixable(res *load.Result, program *effect.Program, set *settings.Settings) []*fix.Package {
	known := func(path string) *types.Package {
		if res.Partial[path] {
			return nil
		}
		return res.Types[path]
	}
	facts, inbox := program.FixFacts(), inboxes(res, set)
	var out []*fix.Package
	for _, p := range res.Packages {
		if p.Target && p.Main && p.ForTest == "" && p.Types != nil && p.Info != nil && len(p.Broken) == 0 {
			out = append(out, &fix.Package{Fset: res.Fset, Files: p.Files, Types: p.Types, Info: p.Info, Read: os.ReadFile, Known: known, Facts: facts, Inbox: inbox})
		}
	}
	beside := fix.ByFile(out)
	for _, p := range out {
		p.Beside = beside
	}
	return out
}

// inboxes are those that the settings name, or else those that the module's packages
// declare.
func inboxes(res *load.Result, set *settings.Settings) []*types.Func {
	var out []*types.Func
	if set.Config != nil {
		for _, f := range set.Config.Inbox.Functions {
			pkg := res.Types[f.Symbol.Package]
			if pkg == nil || f.Symbol.Type != "" {
				continue
			}
			if fn, ok := pkg.Scope().Lookup(f.Symbol.Name).(*types.Func); ok && fix.IsInbox(fn) {
				out = append(out, fn)
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	var main []*types.Package
	for _, p := range res.Packages {
		if p.Main && p.ForTest == "" && p.Types != nil {
			main = append(main, p.Types)
		}
	}
	return fix.Inboxes(main)
}

// offer gives each finding the fixes that its rule has for it.
func offer(pkgs []*fix.Package, list []finding.Finding) {
	byFile := fix.ByFile(pkgs)
	rules := map[string]rule{}
	for _, r := range analyzers.All() {
		rules[r.Name] = r
	}
	for i := range list {
		p, r := byFile(list[i].Pos.Filename), rules[list[i].Rule]
		if p != nil && r.Fix != nil {
			list[i].Fixes = p.Offers(r.Fix, &list[i])
		}
	}
}

// fix applies the fixes of what was found, or prints them, and reports what is
// left.
func (out *outcome) fix(ctx context.Context, env Env, opts options) (int, error) {
	shown, err := out.narrowed(ctx, env, opts)
	if err != nil {
		return exitFailed, err
	}
	plan, left, err := out.plan(ctx, env, opts, shown.findings)
	if err != nil {
		return exitFailed, err
	}
	paths := opts.paths()
	for _, d := range plan.Dropped {
		f := d.Finding
		fmt.Fprintf(env.Stderr, "%s:%d:%d: the fix for %s is left out: %s\n",
			paths.Show(f.Pos.Filename), f.Pos.Line, f.Pos.Column, f.Name(), d.Why)
	}
	if opts.diff {
		for _, p := range out.problems {
			fmt.Fprintf(env.Stderr, "%s:%d: %s (not analysed)\n", paths.Show(p.File), p.Line, p.Message)
		}
		return shown.code(), printDiff(env, paths, plan)
	}
	if err := plan.Write(); err != nil {
		return exitFailed, fmt.Errorf("writing the fixes: %w", err)
	}
	if n := len(plan.Fixed); n > 0 {
		fmt.Fprintf(env.Stderr, "%s fixed in %s\n", count(n, "finding"), count(len(plan.New), "file"))
	}
	if left, err = left.narrowed(ctx, env, opts); err != nil {
		return exitFailed, err
	}
	return left.report(env, opts)
}

// printDiff prints what would change, as patch reads it.
func printDiff(env Env, paths report.Paths, plan *fix.Plan) error {
	for _, name := range slices.Sorted(maps.Keys(plan.New)) {
		shown := paths.Show(name)
		text := diff.Diff("a/"+shown, plan.Old[name], "b/"+shown, plan.New[name])
		if _, line, ok := bytes.Cut(text, []byte("\n")); ok && bytes.HasPrefix(text, []byte("diff ")) {
			text = line
		}
		if _, err := env.Stdout.Write(text); err != nil {
			return fmt.Errorf("writing the diff: %w", err)
		}
	}
	return nil
}

// rounds bounds how often a plan is made anew without the fixes that did not
// help.
const rounds = 3

// plan puts the fixes of a list of findings together and analyses what they make of the code: what was
// fixed has to be gone, and nothing may be new. It returns what is left then.
func (out *outcome) plan(ctx context.Context, env Env, opts options, list []finding.Finding) (*fix.Plan, *outcome, error) {
	var failed []fix.Dropped
	for range rounds {
		plan := fix.NewPlan(out.sources, list)
		plan.Dropped = append(plan.Dropped, failed...)
		if len(plan.Fixed) == 0 {
			return plan, out, nil
		}
		opts.overlay = plan.New
		left, err := lint(ctx, env, opts)
		if err != nil {
			return nil, nil, err
		}
		bad := fix.Unhelpful(plan.Fixed, out.findings, left.findings)
		if len(bad) == 0 {
			return plan, left, nil
		}
		list = slices.Clone(list)
		for i := range list {
			if bad[list[i].Fingerprint] {
				failed = append(failed, fix.Dropped{Finding: list[i], Why: "after it there would be a finding still"})
				list[i].Fixes = nil
			}
		}
	}
	plan := fix.NewPlan(nil, nil)
	plan.Dropped = failed
	return plan, out, nil
}
