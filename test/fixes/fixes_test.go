// Package fixes_test applies the fixes that are offered to copies of real
// repositories: DELIVERYLINT_REPOSITORIES names folders of them, separated as in PATH.
package fixes_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const variable = "DELIVERYLINT_REPOSITORIES"

// report is what -f json prints, as far as it is looked at.
type report struct {
	Findings []struct {
		Rule, File string
		Line       int
		Fixes      []struct{ Edits []struct{ File string } }
	}
	Errors []struct{ File, Message string }
}

// TestRepositories: with all fixes that are offered for a module the files are as gofmt
// writes them, everything type-checks that did so before, and there is nothing left to
// fix.
func TestRepositories(t *testing.T) {
	folders := os.Getenv(variable)
	if folders == "" {
		t.Skip(variable + " names no folder of repositories")
	}
	bin := filepath.Join(t.TempDir(), "deliverylint")
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/deliverylint").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, folder := range filepath.SplitList(folders) {
		for _, module := range modules(t, folder) {
			name, _ := filepath.Rel(filepath.Dir(folder), module)
			t.Run(name, func(t *testing.T) { apply(t, linter(bin), folder, module) })
		}
	}
}

// modules are the folders with a go.mod, in order.
func modules(t *testing.T, folder string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata", "vendor"}, d.Name()):
			return fs.SkipDir
		case d.Name() == "go.mod":
			out = append(out, filepath.Dir(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// apply fixes a copy of the repository that a module is in, for the module may need
// others beside it.
func apply(t *testing.T, lint linter, folder, module string) {
	before, err := lint.report(module)
	if err != nil {
		t.Skip(err)
	}
	changed := files(before)
	if len(changed) == 0 {
		return
	}
	inside, err := filepath.Rel(folder, module)
	if err != nil {
		t.Fatal(err)
	}
	repo, _, _ := strings.Cut(filepath.ToSlash(inside), "/")
	to := t.TempDir()
	if err := os.CopyFS(filepath.Join(to, repo), os.DirFS(filepath.Join(folder, repo))); err != nil {
		t.Skip(err) // a link that leads out
	}
	copied := filepath.Join(to, inside)
	said, err := lint.run(copied, "-fix", "./...")
	if err != nil {
		t.Fatal(err)
	}
	left := strings.Count(said.stderr, "the fix for")
	t.Logf("%s: %d of %d fixes applied in %d files", inside, fixes(before)-left, fixes(before), len(changed))
	for _, line := range strings.Split(said.stderr, "\n") {
		if strings.Contains(line, "the fix for") {
			t.Log(line)
		}
	}
	for _, file := range changed {
		formatted(t, filepath.Join(copied, filepath.FromSlash(file)))
	}
	after, err := lint.report(copied)
	if err != nil {
		t.Fatal(err)
	}
	if len(after.Errors) > len(before.Errors) {
		t.Errorf("there were %d errors, and after the fixes %+v", len(before.Errors), after.Errors)
	}
	if len(after.Findings) > len(before.Findings) {
		t.Errorf("there were %d findings, and after the fixes %d", len(before.Findings), len(after.Findings))
	}
	again, err := lint.run(copied, "-fix", "-diff", "./...")
	if err != nil {
		t.Fatal(err)
	}
	if again.stdout != "" {
		t.Errorf("a second run changes\n%s", again.stdout)
	}
}

func formatted(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if clean, err := format.Source(text); err != nil || !bytes.Equal(clean, text) {
		t.Errorf("%s is not formatted: %v", file, err)
	}
}

func fixes(r report) int {
	n := 0
	for _, f := range r.Findings {
		if len(f.Fixes) > 0 {
			n++
		}
	}
	return n
}

// files are those that the fixes change.
func files(r report) []string {
	var out []string
	for _, f := range r.Findings {
		for _, fix := range f.Fixes {
			for _, e := range fix.Edits {
				out = append(out, e.File)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// linter is the program.
type linter string

type output struct{ stdout, stderr string }

// run runs the linter in a module. An exit code of 1 or 2 is an answer too.
func (l linter) run(dir string, args ...string) (output, error) {
	cmd := exec.Command(string(l), args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() > 0 {
		err = nil
	}
	return output{stdout.String(), stderr.String()}, err
}

func (l linter) report(dir string) (report, error) {
	var r report
	out, err := l.run(dir, "-f", "json", "./...")
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(out.stdout), &r); err != nil {
		return r, errors.New(out.stderr)
	}
	return r, nil
}
