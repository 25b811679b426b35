package driver

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/load"
	"github.com/deliverylint/deliverylint/internal/report"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// view is one module, loaded and linked, for the commands that show what is
// known of it.
type view struct {
	opts    options
	job     job
	set     *settings.Settings
	res     *load.Result
	program *effect.Program
	// targets are the import paths that the patterns name.
	targets map[string]bool
}

// views shows the modules that the patterns reach one after the other. at is
// the directory that the patterns are relative to.
func views(ctx context.Context, env Env, opts options, at string, show func(*view)) ([]report.Problem, error) {
	if err := checkDir(at); err != nil {
		return nil, err
	}
	there := opts
	there.dir = at
	list, unread, err := jobs(there, env.Environ)
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
	var failures []error
	for _, j := range list {
		v, errs, err := newView(ctx, env, opts, j, cat)
		if err != nil {
			failures = append(failures, err)
			out.problems = append(out.problems, report.Problem{File: filepath.Join(j.dir, "go.mod"), Line: 1, Message: oneLine(err)})
			continue
		}
		for _, e := range errs {
			out.problems = append(out.problems, problem(e))
		}
		show(v)
	}
	if len(failures) == len(list) {
		return nil, failures[0]
	}
	out.finish()
	return out.problems, ctx.Err()
}

func newView(ctx context.Context, env Env, opts options, j job, cat *catalog.Catalog) (*view, []load.Error, error) {
	set, err := configure(cat, opts, j.dir)
	if err != nil {
		return nil, nil, err
	}
	bar := newProgress(env)
	defer bar.stop()
	res, err := loadPackages(ctx, env, opts, j, set, bar)
	if err != nil {
		return nil, nil, err
	}
	if err := set.Resolve(res.Types); err != nil {
		return nil, nil, err
	}
	v := &view{opts: opts, job: j, set: set, res: res, targets: map[string]bool{}}
	for _, p := range res.Packages {
		if p.Target {
			v.targets[p.Path] = true
		}
	}
	program, errs := buildProgram(res, set.Catalog)
	v.program = program
	return v, slices.Concat(res.Errors, errs), nil
}

// functions are those that stand in the source, in its order, instances of one
// generic function once.
func (v *view) functions(want func(*effect.Func) bool) []*effect.Func {
	var list []*effect.Func
	seen := map[effect.Position]bool{}
	for _, s := range v.program.Order {
		f := v.program.Funcs[s]
		if f.Synthetic || f.Pos.Line == 0 || seen[f.Pos] || !want(f) {
			continue
		}
		seen[f.Pos] = true
		list = append(list, f)
	}
	return list
}

// place is file:line as it is printed.
func (v *view) place(pos effect.Position) string {
	paths := v.opts.paths()
	return fmt.Sprintf("%s:%d", paths.Show(filepath.FromSlash(pos.File)), pos.Line)
}
