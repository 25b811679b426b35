package driver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/report"
)

// standard is the file name that stands for standard output.
const standard = "-"

// output is one place that the report goes to, in one format.
type output struct{ format, file string }

// outputs are the -o flags; -f X stands for one to standard output.
type outputs []output

func (o outputs) String() string { return "" }

// Set reads one -o flag.
func (o *outputs) Set(text string) error {
	format, file, ok := strings.Cut(text, "=")
	if !ok || format == "" || file == "" {
		return fmt.Errorf("format=file is wanted, such as sarif=out.sarif or text=-")
	}
	*o = append(*o, output{format, file})
	return nil
}

// check says what is wrong with the outputs of a command line.
func (o outputs) check(dir string) error {
	seen := map[string]bool{}
	for _, out := range o {
		if _, err := report.New(out.format, report.Options{}); err != nil {
			return err
		}
		file := out.path(dir)
		switch {
		case !seen[file]:
			seen[file] = true
		case file == standard:
			return fmt.Errorf("two reports for standard output: give one of them a file, as -o %s=FILE", out.format)
		default:
			return fmt.Errorf("two reports for %s", out.file)
		}
	}
	return nil
}

// path is where the output goes, relative to dir unless it is absolute.
func (o output) path(dir string) string {
	if o.file == standard || filepath.IsAbs(o.file) {
		return o.file
	}
	return filepath.Join(dir, o.file)
}

// writable tries the files before the work begins.
func (o outputs) writable(dir string) error {
	for _, out := range o {
		if out.file == standard {
			continue
		}
		if err := tryWhole(out.path(dir)); err != nil {
			return fmt.Errorf("-o %s=%s: %w", out.format, out.file, err)
		}
	}
	return nil
}

// standard is the format that goes to standard output, "" if none does.
func (o outputs) standard() string {
	i := slices.IndexFunc(o, func(out output) bool { return out.file == standard })
	if i < 0 {
		return ""
	}
	return o[i].format
}

// write writes the report to all its places. It is rendered in every format
// first, so that what can't be leaves no file behind.
func (out *outcome) write(env Env, opts options) error {
	texts := make([]bytes.Buffer, len(opts.outputs))
	for i, o := range opts.outputs {
		writer, err := report.New(o.format, out.reportOptions(env, opts, o))
		if err != nil {
			return err
		}
		if err := writer.Write(&texts[i], &report.Report{Findings: out.findings, Problems: out.problems}); err != nil {
			return fmt.Errorf("writing the report as %s: %w", o.format, err)
		}
	}
	for i, o := range opts.outputs {
		if o.file == standard {
			if _, err := env.Stdout.Write(texts[i].Bytes()); err != nil {
				return fmt.Errorf("writing the report: %w", err)
			}
			continue
		}
		if err := writeWhole(o.path(opts.dir), texts[i].Bytes()); err != nil {
			return fmt.Errorf("-o %s=%s: %w", o.format, o.file, err)
		}
	}
	return nil
}

func (out *outcome) reportOptions(env Env, opts options, o output) report.Options {
	info, _ := debug.ReadBuildInfo()
	options := report.Options{
		Paths: opts.paths(), Repo: opts.repo(), Version: release(info),
		Color:   o.file == standard && env.color(),
		Context: opts.context, ReadFile: os.ReadFile,
	}
	if o.format == "sarif" {
		options.Rules = ruleTable()
	}
	return options
}
