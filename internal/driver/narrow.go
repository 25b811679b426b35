package driver

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/deliverylint/deliverylint/internal/baseline"
	"github.com/deliverylint/deliverylint/internal/changes"
	"github.com/deliverylint/deliverylint/internal/finding"
)

// prepare reads and tries what a run needs beside the code, so that mistakes are
// told before the work begins.
func (o *options) prepare(ctx context.Context, env Env) error {
	if err := checkDir(o.dir); err != nil {
		return err
	}
	if err := o.outputs.writable(o.dir); err != nil {
		return err
	}
	if o.baseline != "" {
		known, err := o.readBaseline(o.baseline)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("-baseline: no file %s (deliverylint baseline -o %s writes it)", o.baseline, o.baseline)
		}
		if err != nil {
			return err
		}
		o.known = known
	}
	if o.newFrom != "" {
		_, err := o.changes(ctx, env)
		return err
	}
	return nil
}

// within is a file name of the command line, relative to the working directory.
func (o *options) within(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(o.dir, name)
}

func (o *options) readBaseline(name string) (*baseline.File, error) {
	data, err := os.ReadFile(o.within(name))
	if err != nil {
		return nil, err
	}
	return baseline.Read(o.paths().Show(o.within(name)), data)
}

func (o *options) changes(ctx context.Context, env Env) (*changes.Changes, error) {
	c, err := changes.Since(ctx, o.dir, env.Environ, o.newFrom)
	if err != nil {
		return nil, fmt.Errorf("-new-from %s: %w", o.newFrom, err)
	}
	return c, nil
}

// narrowed is the outcome without the findings that the flags leave out, and with
// those about the baseline itself.
func (out *outcome) narrowed(ctx context.Context, env Env, opts options) (*outcome, error) {
	some := *out
	some.findings = slices.Clone(out.findings)
	var stale []finding.Finding
	if opts.known != nil {
		left, met := opts.known.Split(some.findings)
		some.known = len(some.findings) - len(left)
		some.findings = left
		if out.tells() {
			stale = out.stale(opts, met)
		}
	}
	if opts.newFrom != "" {
		changed, err := opts.changes(ctx, env)
		if err != nil {
			return nil, err
		}
		before := len(some.findings)
		some.findings = slices.DeleteFunc(some.findings, func(f finding.Finding) bool { return !isNew(changed, &f) })
		some.old = before - len(some.findings)
	}
	some.findings = append(some.findings, stale...)
	finding.Sort(some.findings)
	if opts.tier == string(finding.Error) {
		some.findings = slices.DeleteFunc(some.findings, func(f finding.Finding) bool { return f.Tier != finding.Error })
	}
	return &some, nil
}

// isNew reports whether the site of a finding or another step of its story lies on
// a line that was added or changed, or whether lines between its steps in the
// site's file, or next to them, are gone: what stood there may have made it right.
func isNew(changed *changes.Changes, f *finding.Finding) bool {
	site := changes.Place{From: f.Pos.Line, To: max(f.Pos.Line, f.End.Line)}
	story := site
	if changed.Added(f.Pos.Filename, site) {
		return true
	}
	for _, s := range f.Flow {
		if changed.Added(s.Pos.Filename, changes.Place{From: s.Pos.Line, To: s.Pos.Line}) {
			return true
		}
		if s.Pos.Filename == f.Pos.Filename && s.Pos.Line > 0 {
			story.From, story.To = min(story.From, s.Pos.Line), max(story.To, s.Pos.Line)
		}
	}
	return changed.Removed(f.Pos.Filename, story)
}

// stale are findings about the entries of the baseline that nothing was found of.
func (out *outcome) stale(opts options, met map[string]bool) []finding.Finding {
	var list []finding.Finding
	for _, e := range opts.known.Stale(met, out.sure) {
		where := e.Function
		if where == "" {
			where = e.Package
		}
		f := finding.Finding{
			Rule: finding.DirectiveRule, Category: finding.BaselineCategory, Tier: finding.Warning, Evidence: finding.Proven,
			Pos:     token.Position{Filename: opts.within(opts.baseline), Line: e.Line, Column: 1},
			Package: e.Package, Function: e.Function, Callee: e.Fingerprint,
			Message: fmt.Sprintf("%s has no %s any more: deliverylint baseline -prune takes this entry out", where, e.Rule),
		}
		out.covered[0].settings.Retier(&f)
		list = append(list, f)
	}
	finding.Fingerprint(list)
	return list
}
