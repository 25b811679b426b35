package driver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/load"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// configUsage prints the help text of config.
func configUsage(w io.Writer) {
	fmt.Fprintf(w, `deliverylint config helps with the settings, %s.

Usage:
  deliverylint config init               write a file to begin with at the module's root
  deliverylint config check [packages]   tell what is wrong in the files that hold
  deliverylint config print              print what holds, with the tier of each category
  deliverylint config schema             print a JSON Schema for editors

Flags: -C, -tags, -test, -enable, -disable, -config as for deliverylint itself

The file is looked for from the root of a package's module upward to the root of the
repository; the first one holds, and no other.
`, settings.FileName)
}

func runConfig(ctx context.Context, env Env, args []string) (int, error) {
	var o options
	set := flag.NewFlagSet("deliverylint config", flag.ContinueOnError)
	o.registerReading(set)
	if err := o.parse(env, set, args, configUsage); err != nil {
		return exitFailed, err
	}
	verb := ""
	if len(o.patterns) > 0 {
		verb, o.patterns = o.patterns[0], o.patterns[1:]
	}
	if len(o.patterns) > 0 && verb != "check" {
		return exitFailed, fmt.Errorf("config %s takes no packages", verb)
	}
	if err := checkDir(o.dir); err != nil {
		return exitFailed, err
	}
	switch verb {
	case "init":
		return o.initConfig(env)
	case "check":
		return o.checkConfig(ctx, env)
	case "print":
		return o.printConfig(env)
	case "schema":
		return printSchema(env)
	}
	return exitFailed, errors.New("config takes one of init, check, print, schema (deliverylint config -h tells more)")
}

// initConfig writes a settings file where there is none.
func (o *options) initConfig(env Env) (int, error) {
	file := o.within(o.config)
	if o.config == "" {
		file = filepath.Join(moduleRoot(o.dir), settings.FileName)
	}
	shown := o.paths().Show(file)
	if _, err := os.Lstat(file); err == nil {
		return exitFailed, fmt.Errorf("%s is there already", shown)
	}
	if err := writeWhole(file, []byte(settings.Template)); err != nil {
		return exitFailed, fmt.Errorf("%s: %w", shown, err)
	}
	fmt.Fprintln(env.Stdout, shown)
	return exitClean, nil
}

// printConfig prints what holds in the working directory.
func (o *options) printConfig(env Env) (int, error) {
	s, err := o.configured()
	if err != nil {
		return exitFailed, err
	}
	var data []byte
	if file := o.configFile(o.dir); file != "" {
		if data, err = os.ReadFile(file); err != nil {
			return exitFailed, err
		}
	}
	text, err := s.Print(data)
	if err != nil {
		return exitFailed, err
	}
	_, err = io.WriteString(env.Stdout, text)
	return exitClean, err
}

// configured are the settings of the working directory.
func (o *options) configured() (*settings.Settings, error) {
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, fmt.Errorf("reading what libraries mean: %w", err)
	}
	return configure(cat, *o, o.dir)
}

func printSchema(env Env) (int, error) {
	text, err := settings.Schema(analyzers.All())
	if err != nil {
		return exitFailed, err
	}
	_, err = env.Stdout.Write(text)
	return exitClean, err
}

// checkConfig reads the settings of all modules that the patterns reach, and looks
// up the functions and types that they name.
func (o *options) checkConfig(ctx context.Context, env Env) (int, error) {
	list, _, err := jobs(*o, env.Environ)
	if err != nil {
		return exitFailed, err
	}
	cat, err := catalog.Builtin()
	if err != nil {
		return exitFailed, fmt.Errorf("reading what libraries mean: %w", err)
	}
	var errs []error
	var fine []string
	for _, j := range list {
		file, err := o.checkJob(ctx, env, cat, j)
		switch {
		case err != nil:
			errs = append(errs, err)
		case !slices.Contains(fine, file):
			fine = append(fine, file)
		}
	}
	if len(errs) > 0 {
		return exitFailed, errors.Join(errs...)
	}
	for _, line := range fine {
		fmt.Fprintln(env.Stdout, line)
	}
	return exitClean, nil
}

// checkJob checks the settings of one module and says which file is fine.
func (o *options) checkJob(ctx context.Context, env Env, cat *catalog.Catalog, j job) (string, error) {
	s, err := configure(cat, *o, j.dir)
	if err != nil {
		return "", err
	}
	if s.Config == nil {
		return "no " + settings.FileName + ": the defaults hold", nil
	}
	res, err := load.Load(ctx, load.Config{
		Dir: j.dir, Patterns: j.patterns, Whole: true, Tags: o.tags, Tests: o.tests, Env: env.Environ,
		Candidate: effect.Candidate(s.Catalog), Bodies: bodies(s.Catalog),
	})
	if err != nil {
		return "", err
	}
	if err := s.Resolve(res.Types); err != nil {
		return "", err
	}
	for _, n := range s.Unread(res.Types) {
		fmt.Fprintf(env.Stderr, "%s: no code here imports %s: whether it has %s is not known\n", n.Source, n.Symbol.Package, n.Symbol.Name)
	}
	return s.Config.File + " is fine", nil
}
