package driver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"

	"github.com/deliverylint/deliverylint/internal/baseline"
)

// baselineUsage prints the help text of baseline.
func baselineUsage(w io.Writer) {
	fmt.Fprintf(w, `deliverylint baseline writes what is found to a file, so that
deliverylint -baseline FILE reports nothing but what is new.

Usage:
  deliverylint baseline [flags] [packages]

Flags:
  -o file           the file (default %s)
  -prune            take out the entries that nothing is found of, add none
  -C, -tags, -test, -all, -enable, -disable, -config as for deliverylint itself

Entries name rule, package, function and a fingerprint without line numbers. Their
state is todo, or accepted with a reason. What stands in the file keeps its state and
reason; entries of packages that are not named stay as they are.
`, baseline.FileName)
}

// baselineRun is one run of the command.
type baselineRun struct {
	options
	file  string
	prune bool
}

func runBaseline(ctx context.Context, env Env, args []string) (int, error) {
	var b baselineRun
	set := flag.NewFlagSet("deliverylint baseline", flag.ContinueOnError)
	b.registerReading(set)
	set.StringVar(&b.file, "o", baseline.FileName, "")
	set.BoolVar(&b.prune, "prune", false, "")
	if err := b.parse(env, set, args, baselineUsage); err != nil {
		return exitFailed, err
	}
	old, err := b.read()
	if err != nil {
		return exitFailed, err
	}
	out, err := lint(ctx, env, b.options)
	if err != nil {
		return exitFailed, err
	}
	if err := b.write(env, old, out); err != nil {
		return exitFailed, err
	}
	return complain(env, b.options, out.problems), nil
}

// read reads the file as it is, an empty one where there is none, and tries
// whether it can be written.
func (b *baselineRun) read() (*baseline.File, error) {
	if err := checkDir(b.dir); err != nil {
		return nil, err
	}
	old, err := b.readBaseline(b.file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && b.prune:
		return nil, fmt.Errorf("-prune: no file %s", b.file)
	case errors.Is(err, fs.ErrNotExist):
		old = &baseline.File{}
	case err != nil:
		return nil, err
	}
	if err := tryWhole(b.within(b.file)); err != nil {
		return nil, fmt.Errorf("-o %s: %w", b.file, err)
	}
	return old, nil
}

func (b *baselineRun) write(env Env, old *baseline.File, out *outcome) error {
	_, met := old.Split(out.findings)
	gone := old.Stale(met, out.sure)
	next := old.Without(gone)
	if !b.prune {
		next = next.With(out.findings)
	}
	text, err := next.Bytes()
	if err != nil {
		return err
	}
	if err := writeWhole(b.within(b.file), text); err != nil {
		return fmt.Errorf("-o %s: %w", b.file, err)
	}
	added := len(next.Entries) - (len(old.Entries) - len(gone))
	fmt.Fprintf(env.Stderr, "%s: %s (%d new, %d gone)\n", b.file, count(len(next.Entries), "finding"), added, len(gone))
	return nil
}
