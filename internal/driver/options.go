package driver

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/baseline"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/report"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// options are the flags of a run.
type options struct {
	dir             string
	tags            string
	tests           bool
	enable, disable string
	format          string
	formatGiven     bool
	outputs         outputs
	tier            string
	context         int
	config          string
	all             bool
	stats           bool
	fix, diff       bool
	changed         bool
	version         bool
	patterns        []string
	// newFrom and baseline say which findings are left out; known is what stands
	// in the baseline.
	newFrom, baseline string
	known             *baseline.File
	// overlay are files that are read in the place of those on disk.
	overlay map[string][]byte
}

// parseOptions reads flags and patterns.
func parseOptions(env Env, name string, args []string, usage func(io.Writer)) (options, error) {
	var o options
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	o.register(set)
	if err := o.parse(env, set, args, usage); err != nil {
		return o, err
	}
	set.Visit(func(f *flag.Flag) { o.formatGiven = o.formatGiven || f.Name == "f" })
	return o, o.check()
}

// parseView reads the flags of a command that shows what is in the code: what is read,
// and the format of what it prints.
func parseView(env Env, name string, args []string, formats ...string) (options, error) {
	var o options
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	o.registerReading(set)
	set.StringVar(&o.format, "f", "text", "")
	if err := o.parse(env, set, args, usage); err != nil {
		return o, err
	}
	if !slices.Contains(formats, o.format) {
		return o, fmt.Errorf("%s prints %s only", strings.TrimPrefix(name, "deliverylint "), strings.Join(formats, " and "))
	}
	return o, nil
}

// parse reads the flags of a set and patterns. Flags may stand behind patterns
// too.
func (o *options) parse(env Env, set *flag.FlagSet, args []string, usage func(io.Writer)) error {
	set.SetOutput(io.Discard)
	for len(args) > 0 {
		err := set.Parse(args)
		if err == flag.ErrHelp {
			usage(env.Stdout)
		}
		if err != nil {
			return flagError(err)
		}
		args = set.Args()
		for len(args) > 0 && (args[0] == "-" || !strings.HasPrefix(args[0], "-")) {
			o.patterns, args = append(o.patterns, args[0]), args[1:]
		}
	}
	if !filepath.IsAbs(o.dir) {
		o.dir = filepath.Join(env.Dir, o.dir)
	}
	return nil
}

// register adds all flags of a run.
func (o *options) register(set *flag.FlagSet) {
	o.registerReading(set)
	set.StringVar(&o.format, "f", "text", "")
	set.Var(&o.outputs, "o", "")
	set.StringVar(&o.tier, "tier", string(finding.Warning), "")
	set.StringVar(&o.newFrom, "new-from", "", "")
	set.StringVar(&o.baseline, "baseline", "", "")
	set.IntVar(&o.context, "c", 0, "")
	set.BoolVar(&o.stats, "stats", false, "")
	set.BoolVar(&o.fix, "fix", false, "")
	set.BoolVar(&o.diff, "diff", false, "")
	set.BoolVar(&o.version, "version", false, "")
}

// registerReading adds the flags that say what is read and which rules run.
func (o *options) registerReading(set *flag.FlagSet) {
	set.StringVar(&o.dir, "C", ".", "")
	set.StringVar(&o.tags, "tags", "", "")
	set.BoolVar(&o.tests, "test", false, "")
	set.StringVar(&o.enable, "enable", "", "")
	set.StringVar(&o.disable, "disable", "", "")
	set.StringVar(&o.config, "config", "", "")
	set.BoolVar(&o.all, "all", false, "")
	set.BoolVar(&o.changed, "changed", false, "")
}

func (o *options) check() error {
	if o.tier != string(finding.Error) && o.tier != string(finding.Warning) {
		return fmt.Errorf("unknown tier %q (known: error, warning)", o.tier)
	}
	if o.diff && !o.fix {
		return errors.New("-diff shows what -fix would change: give both")
	}
	if o.diff && len(o.outputs) > 0 {
		return errors.New("-diff prints the changes in the place of a report: leave -o out")
	}
	if o.formatGiven || len(o.outputs) == 0 {
		o.outputs = append(outputs{{o.format, standard}}, o.outputs...)
	}
	return o.outputs.check(o.dir)
}

// paths says how file names are printed.
func (o *options) paths() report.Paths {
	return report.Paths{Dir: o.dir, Root: workspaceRoot(o.dir)}
}

// repo prints file names relative to the root of the repository, or to the
// working directory where there is none.
func (o *options) repo() report.Paths {
	root := settings.Nearest(o.dir, ".git")
	return report.Paths{Dir: cmp.Or(root, o.dir), Root: cmp.Or(root, workspaceRoot(o.dir))}
}

// flagError adds where to look to what the flag package says.
func flagError(err error) error {
	if err == flag.ErrHelp {
		return err
	}
	return fmt.Errorf("%w (deliverylint -h lists the flags)", err)
}

// split reads a comma-separated list.
func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
