package driver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/scaffold"
)

// scaffoldUsage prints the help text of scaffold.
func scaffoldUsage(w io.Writer) {
	words := func(list []string) string { return strings.Join(list, ", ") }
	fmt.Fprintf(w, `deliverylint scaffold writes an outbox or an inbox into your module, as code that
is yours from then on.

Usage:
  deliverylint scaffold outbox -broker BROKER [flags]
  deliverylint scaffold inbox [flags]

Flags:
  -db db            %s (default postgres)
  -driver driver    what transactions come from: %s (default sql)
  -broker broker    what the relay publishes to: %s
  -dir dir          the package's folder (default ./outbox or ./inbox)
  -dry-run          list the files, write nothing
  -force            replace files that are there
  -C dir            change to dir first

pgx is written for postgres only, bun for postgres and sqlite. What is written for
mysql is tried on MariaDB.
`, words(scaffold.DBs()), words(scaffold.Drivers()), words(scaffold.Brokers()))
}

// scaffoldOptions are the flags of a scaffold.
type scaffoldOptions struct {
	spec          scaffold.Spec
	base, dir     string
	force, dryRun bool
}

func runScaffold(_ context.Context, env Env, args []string) (int, error) {
	o, err := parseScaffold(env, args)
	if err != nil {
		return exitFailed, err
	}
	target, err := scaffold.Locate(o.dir)
	if err != nil {
		return exitFailed, o.shorten(err)
	}
	o.spec.Package = target.Package
	files, err := scaffold.Render(o.spec)
	if err != nil {
		return exitFailed, err
	}
	if o.dryRun {
		there, err := scaffold.Existing(target.Dir, files)
		if err != nil {
			return exitFailed, o.shorten(err)
		}
		o.print(env.Stdout, files, there)
		return exitClean, nil
	}
	if err := scaffold.Write(target.Dir, files, o.force); err != nil {
		return exitFailed, o.shorten(err)
	}
	o.print(env.Stdout, files, nil)
	fmt.Fprint(env.Stderr, o.spec.Next(target, o.rel(target.Dir)))
	return exitClean, nil
}

func parseScaffold(env Env, args []string) (scaffoldOptions, error) {
	var o scaffoldOptions
	set := flag.NewFlagSet("deliverylint scaffold", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&o.spec.DB, "db", "postgres", "")
	set.StringVar(&o.spec.Driver, "driver", "sql", "")
	set.StringVar(&o.spec.Broker, "broker", "", "")
	set.StringVar(&o.dir, "dir", "", "")
	set.BoolVar(&o.force, "force", false, "")
	set.BoolVar(&o.dryRun, "dry-run", false, "")
	set.StringVar(&o.base, "C", ".", "")
	var kinds []string
	for len(args) > 0 {
		err := set.Parse(args)
		if err == flag.ErrHelp {
			scaffoldUsage(env.Stdout)
			return o, err
		}
		if err != nil {
			return o, fmt.Errorf("%w (deliverylint scaffold -h lists the flags)", err)
		}
		args = set.Args()
		for len(args) > 0 && !strings.HasPrefix(args[0], "-") {
			kinds, args = append(kinds, args[0]), args[1:]
		}
	}
	if len(kinds) != 1 {
		return o, errors.New("scaffold takes one of outbox, inbox (deliverylint scaffold -h tells more)")
	}
	o.spec.Kind = kinds[0]
	o.place(env)
	return o, o.spec.Check()
}

// place makes the folders absolute.
func (o *scaffoldOptions) place(env Env) {
	if !filepath.IsAbs(o.base) {
		o.base = filepath.Join(env.Dir, o.base)
	}
	if o.dir == "" {
		o.dir = o.spec.Kind
	}
	if !filepath.IsAbs(o.dir) {
		o.dir = filepath.Join(o.base, o.dir)
	}
	o.dir = filepath.Clean(o.dir)
}

// print lists files, and which of them are there already.
func (o *scaffoldOptions) print(w io.Writer, files []scaffold.File, there []string) {
	for _, f := range files {
		name := filepath.ToSlash(o.rel(filepath.Join(o.dir, f.Name)))
		if slices.Contains(there, f.Name) {
			name += " (there already)"
		}
		fmt.Fprintln(w, name)
	}
}

// rel is how a path is printed.
func (o *scaffoldOptions) rel(path string) string {
	if rel, err := filepath.Rel(o.base, path); err == nil {
		return rel
	}
	return path
}

// shorten makes paths in an error relative.
func (o *scaffoldOptions) shorten(err error) error {
	text := strings.ReplaceAll(err.Error(), o.base+string(filepath.Separator), "")
	return errors.New(text)
}
