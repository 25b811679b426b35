package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/docgen"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/report"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// directivePage explains the findings about ignore comments.
const directivePage = `deliverylint/directive

Reports comments that are meant to silence a rule and are wrong: they name no
rule or one that doesn't exist, give no reason, or silence nothing any more.

    //deliverylint:ignore publishoutsidetx the event is a hint, readers poll
    //nolint:publishoutsidetx // the event is a hint, readers poll
    //nolint:deliverylint // this package only demonstrates

A comment holds for the code that begins on its line, or on the line below it if
it has a line of its own: on a declaration, for all of it; on the package clause,
for the file. One that gives no reason holds, and is reported all the same.
`

// baselinePage explains the findings about a baseline.
const baselinePage = `deliverylint/baseline

Reports entries of the file that -baseline names of which nothing is found any
more, so that it shrinks. It is said only of packages that were read whole, for
rules that ran, in a run without problems.

    deliverylint baseline -prune ./...

takes such entries out. Entries go stale, too, when a function is renamed: the
finding is a new one then.
`

// usage prints the help text.
func usage(w io.Writer) {
	fmt.Fprint(w, `deliverylint finds the places in Go code where a message can be lost, applied
twice, or published for a change that never happened, after a crash or a failure.

Usage:
  deliverylint [flags] [packages]      lint packages (default ./...)
  go vet -vettool=$(which deliverylint) ./...

Commands:
`)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range commands() {
		fmt.Fprintf(tab, "  %s\t%s\n", strings.TrimSpace("deliverylint "+c.name+" "+c.args), c.help)
	}
	tab.Flush()
	fmt.Fprintf(w, `
Packages:
  -C dir            change to dir first; printed paths are relative to it
  -changed          the arguments are files that have changed: report the packages that
                    hold them and those that import these
  -tags list        build tags, separated by commas
  -test             read test files too; their code is not linted
  -all              analyse functions too that reach no known library

Rules:
  -enable list      run only these rules or rule/category names
  -disable list     leave these out
  -tier tier        lowest tier shown: error or warning (default warning)
  -config file      settings (default .deliverylint.yml, from the module's root
                    upward to the repository's)

New findings only:
  -new-from rev     leave out what touches no line changed since rev, a revision of
                    git; rev... starts where HEAD left rev, merge-base where it left
                    the branch that it goes back to
  -baseline file    leave out what the file lists (deliverylint baseline writes it)

Fixes:
  -fix              apply the fixes that are offered, report what is left
  -diff             with -fix: print the changes as a diff, change nothing

Output:
  -f format         print the report in a format (default text), one of
                    %s
  -o format=file    write it to a file too, or to - (standard output); repeatable
  -c n              lines of context around each step; -1 shows no source
  -stats            print what was read and how long it took
  -version          print the version
  -h                print this text

Rules known (explain RULE tells more):
`, strings.Join(report.Formats(), ", "))
	for _, r := range analyzers.All() {
		fmt.Fprintf(w, "  %s\n", r.Name)
		for _, category := range slices.Sorted(maps.Keys(r.Tier)) {
			fmt.Fprintf(w, "    %-20s%s\n", category, r.Tier[category])
		}
	}
	fmt.Fprint(w, `
Exit codes: 0 nothing found, 1 findings, 2 something could not be analysed (what
could be is reported all the same) or a flag, file or setting is wrong.
`)
}

func runHelp(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) > 0 {
		return runExplain(ctx, env, args)
	}
	usage(env.Stdout)
	return exitClean, nil
}

func runVersion(_ context.Context, env Env, _ []string) (int, error) {
	info, _ := debug.ReadBuildInfo()
	fmt.Fprintf(env.Stdout, "deliverylint %s\n", version(info))
	return exitClean, nil
}

// version is that of the module, or the revision it was built from.
func version(info *debug.BuildInfo) string {
	if info == nil {
		return "(unknown)"
	}
	return release(info) + " " + info.GoVersion
}

func release(info *debug.BuildInfo) string {
	if info == nil {
		return "(unknown)"
	}
	return cmp.Or(info.Main.Version, "(devel)")
}

// runExplain prints the page of a rule; the name of a category stands for its
// rule.
func runExplain(_ context.Context, env Env, args []string) (int, error) {
	if len(args) != 1 {
		return exitFailed, errors.New("explain takes one rule")
	}
	if err := settings.CheckName(analyzers.All(), args[0]); err != nil {
		return exitFailed, err
	}
	if args[0] == finding.BaselineName {
		fmt.Fprint(env.Stdout, baselinePage)
		return exitClean, nil
	}
	name, _, _ := strings.Cut(args[0], "/")
	if name == finding.DirectiveRule {
		fmt.Fprint(env.Stdout, directivePage)
		return exitClean, nil
	}
	for _, r := range analyzers.All() {
		if r.Name != name {
			continue
		}
		page, err := docgen.Parse(r.Doc)
		if err != nil {
			return exitFailed, err
		}
		fmt.Fprint(env.Stdout, page.Text())
	}
	return exitClean, nil
}
