// Package golangci runs a golangci-lint with the plugin built in on a copy of
// examples/shop.
package golangci

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const example = "../../examples/shop"

// TestPlugin takes one program and one folder through all that users do, one after the
// other: building golangci-lint takes long.
func TestPlugin(t *testing.T) {
	r := newRunner(t)
	t.Run("without a config there is no plugin", r.without)
	t.Run("findings", r.findings)
	t.Run("the second run is from the cache", r.cached)
	t.Run("settings", r.settings)
	t.Run("a wrong setting is one line", r.strict)
	t.Run("SARIF", r.sarif)
	t.Run("nolint", r.nolint)
	t.Run("declare", r.declared)
	t.Run("fix", r.fixes)
}

// runner is a copy of the example and the programs that run on it.
type runner struct {
	lint, own string
	dir       string
	env       []string
	// found is what the plugin finds without settings.
	found []issue
}

func newRunner(t *testing.T) *runner {
	t.Helper()
	bin := t.TempDir()
	r := &runner{lint: filepath.Join(bin, "golangci-lint"), own: filepath.Join(bin, "deliverylint"), dir: filepath.Join(bin, "shop")}
	for _, b := range []struct{ dir, program, pkg string }{{".", r.lint, "./lint"}, {"../..", r.own, "./cmd/deliverylint"}} {
		build := exec.Command("go", "build", "-o", b.program, b.pkg)
		build.Dir = b.dir
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", build, err, out)
		}
	}
	if err := os.CopyFS(r.dir, os.DirFS(example)); err != nil {
		t.Fatal(err)
	}
	r.env = append(os.Environ(), "GOLANGCI_LINT_CACHE="+filepath.Join(bin, "cache"), "GOFLAGS=-mod=mod", "GOWORK=off", "GL_DEBUG=goanalysis/issues/cache")
	return r
}

// config is a .golangci.yml with a part of the plugin's.
const config = `version: "2"
linters:
  default: none
  enable: [deliverylint]
  settings:
    custom:
      deliverylint:
        type: module
%s
issues:
  max-same-issues: 0
  max-issues-per-linter: 0
`

// issue is one of golangci-lint's JSON report.
type issue struct {
	FromLinter, Text string
	Pos              struct {
		Filename     string
		Line, Column int
	}
	SuggestedFixes []struct {
		TextEdits []json.RawMessage
	}
}

func (i issue) place() string { return fmt.Sprintf("%s:%d", i.Pos.Filename, i.Pos.Line) }

// rule is the name at the end of the text.
func (i issue) rule() string {
	_, rule, _ := strings.Cut(strings.TrimSuffix(i.Text, ")"), " (")
	return rule[strings.LastIndexByte(rule, '(')+1:]
}

// run runs golangci-lint and returns its code and what it prints.
func (r *runner) run(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	cmd := exec.Command(r.lint, append([]string{"run"}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.dir, r.env, &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// issues are what is found, sorted; log is what golangci-lint says of its work.
func (r *runner) issues(t *testing.T, args ...string) (list []issue, log string) {
	t.Helper()
	code, out, log := r.run(t, append([]string{"--output.json.path=stdout", "--show-stats=false"}, args...)...)
	var report struct{ Issues []issue }
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 && code != 1 {
		t.Fatalf("code %d, %v\n%s%s", code, err, out, log)
	}
	slices.SortFunc(report.Issues, func(a, b issue) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), a.Pos.Line-b.Pos.Line)
	})
	return report.Issues, log
}

func (r *runner) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (r *runner) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// configure writes a .golangci.yml with settings, indented as they have to be.
func (r *runner) configure(t *testing.T, settings string) {
	t.Helper()
	r.write(t, ".golangci.yml", fmt.Sprintf(config, settings))
}

func (r *runner) without(t *testing.T) {
	code, out, errs := r.run(t, "--enable-only", "deliverylint")
	if code == 0 || !strings.Contains(out+errs, "unknown linters: 'deliverylint'") {
		t.Errorf("code %d\n%s%s", code, out, errs)
	}
}

// findings: the plugin finds nothing that deliverylint doesn't, in the same words.
func (r *runner) findings(t *testing.T) {
	r.configure(t, "")
	r.found, _ = r.issues(t)
	own := r.check(t)
	if len(r.found) < own*6/10 {
		t.Errorf("%d findings of %d", len(r.found), own)
	}
}

// check holds what was found against what deliverylint itself finds, and returns how
// much that is.
func (r *runner) check(t *testing.T) int {
	t.Helper()
	cmd := exec.Command(r.own, "-f", "json", "./...")
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	var report struct {
		Findings []struct {
			Rule, File, Message string
			Line                int
			Fixes               []json.RawMessage
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	own := map[string]int{}
	for _, f := range report.Findings {
		own[fmt.Sprintf("%s:%d %s (%s)", f.File, f.Line, f.Message, f.Rule)] = len(f.Fixes)
	}
	for _, i := range r.found {
		_, text, _ := strings.Cut(i.Text, ": ") // the analyzer's name
		fixes, ok := own[i.place()+" "+text]
		if !ok {
			t.Errorf("%s %s is not found by deliverylint itself", i.place(), i.Text)
		}
		if i.FromLinter != "deliverylint" || len(i.SuggestedFixes) > 1 || len(i.SuggestedFixes) > fixes {
			t.Errorf("%+v, fixes of deliverylint's: %d", i, fixes)
		}
	}
	return len(own)
}

// cached: a second run analyses nothing and finds the same, also with a file of
// settings that turns up later, which makes a difference.
func (r *runner) cached(t *testing.T) {
	again, log := r.issues(t)
	if places(again) != places(r.found) || !strings.Contains(log, "analyzing 0/") {
		t.Errorf("a second run found\n%s\nafter\n%s\nits log:\n%s", places(again), places(r.found), log)
	}
	r.write(t, ".deliverylint.yml", "rules:\n  publishoutsidetx: \"off\"\n")
	less, log := r.issues(t)
	if len(less) == 0 || strings.Contains(places(less), "publishoutsidetx") || strings.Contains(log, "analyzing 0/") {
		t.Errorf("with a rule off in .deliverylint.yml:\n%s\n%s", places(less), log)
	}
	if err := os.Remove(filepath.Join(r.dir, ".deliverylint.yml")); err != nil {
		t.Fatal(err)
	}
}

func places(list []issue) string {
	var out strings.Builder
	for _, i := range list {
		fmt.Fprintln(&out, i.place(), i.Text)
	}
	return out.String()
}

// settings: they hold as in .deliverylint.yml, names of functions with dots and
// capitals too.
func (r *runner) settings(t *testing.T) {
	r.configure(t, `        settings:
          rules:
            publishoutsidetx/before-write: off
            earlyack: "off"
          paths:
            exclude: [internal/payments]
          functions:
            - {name: (example.org/shop/internal/events.Publisher).Publish, kind: notify}`)
	list, _ := r.issues(t)
	for _, i := range list {
		if i.rule() == "publishoutsidetx/before-write" || strings.HasPrefix(i.rule(), "earlyack") ||
			strings.HasPrefix(i.Pos.Filename, "internal/payments") || strings.Contains(i.Text, "pub.Publish") {
			t.Errorf("%s %s in spite of the settings", i.place(), i.Text)
		}
	}
	if len(list) == 0 {
		t.Error("nothing is found")
	}
}

func (r *runner) strict(t *testing.T) {
	for settings, want := range map[string]string{
		"          colour: red":                        "linters.settings.custom.deliverylint.settings: unknown key colour",
		"          rules: {publishoutsidetx: never}":   `publishoutsidetx: unknown value "never"`,
		"          functions: {a.B.C: {kind: notify}}": "functions: a list of entries with a name is wanted",
	} {
		r.configure(t, "        settings:\n"+settings)
		code, out, errs := r.run(t)
		// golangci-lint itself says it twice.
		lines := strings.Count(strings.TrimSpace(out+errs), "\n") + 1
		if code == 0 || code == 1 || lines != 2 || strings.Count(errs, want) != 2 {
			t.Errorf("code %d for %q, want one line about %s\n%s%s", code, settings, want, out, errs)
		}
	}
	r.configure(t, "")
}

func (r *runner) sarif(t *testing.T) {
	_, out, errs := r.run(t, "--output.sarif.path=stdout", "--show-stats=false")
	var report struct {
		Version string
		Runs    []struct {
			Results []struct{ RuleID string }
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	if report.Version != "2.1.0" || len(report.Runs) != 1 || len(report.Runs[0].Results) != len(r.found) {
		t.Errorf("want %d results\n%s", len(r.found), out)
	}
}

// nolint: comments silence with and without a reason; one that gives none, for a rule
// or for the linter, is reported.
func (r *runner) nolint(t *testing.T) {
	for _, c := range []struct{ comment, complaint string }{
		{"//nolint:deliverylint // readers poll", ""},
		{"//nolint:publishoutsidetx // readers poll", ""},
		{"//deliverylint:ignore publishoutsidetx readers poll", ""},
		{"//nolint:publishoutsidetx", "gives no reason"},
		{"//deliverylint:ignore publishoutsidetx", "gives no reason"},
		{"//deliverylint:ignore publishoutsid readers poll", "names a rule that doesn't exist"},
	} {
		found := r.silenced(t, "orders.go", "return s.pub.Publish(", c.comment)
		complaint := ""
		for _, i := range found {
			if strings.HasSuffix(i.Text, "(deliverylint/directive)") {
				complaint = i.Text
			}
		}
		silent := !strings.Contains(places(found), "publishoutsidetx/after-commit")
		if silent != !strings.Contains(c.complaint, "exist") || (complaint == "") != (c.complaint == "") || !strings.Contains(complaint, c.complaint) {
			t.Errorf("%s: silent %v, complaint %q", c.comment, silent, complaint)
		}
	}
}

// silenced is what is found with a comment above a line of internal/orders.
func (r *runner) silenced(t *testing.T, name, line, comment string) []issue {
	t.Helper()
	name = "internal/orders/" + name
	before := r.read(t, name)
	defer r.write(t, name, before)
	after := strings.Replace(before, line, comment+"\n\t"+line, 1)
	if after == before {
		t.Fatalf("no %s in %s", line, name)
	}
	r.write(t, name, after)
	list, _ := r.issues(t, "./internal/orders/...")
	return list
}

// declared: with comments that tell what the module tells, all but one are found, in
// packages too that have not changed themselves.
func (r *runner) declared(t *testing.T) {
	cmd := exec.Command(r.own, "declare", "-w", "./...")
	cmd.Dir, cmd.Env = r.dir, r.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r.found, _ = r.issues(t)
	if own := r.check(t); len(r.found) < own-1 {
		t.Errorf("%d findings of %d:\n%s", len(r.found), own, places(r.found))
	}
}

// fixes: --fix mends what has a fix; the result builds, and a second run changes
// nothing.
func (r *runner) fixes(t *testing.T) {
	left, _ := r.issues(t, "--fix")
	for _, i := range r.found {
		if len(i.SuggestedFixes) > 0 && strings.Contains(places(left), i.Text) {
			t.Errorf("%s %s is left", i.place(), i.Text)
		}
	}
	if len(left) >= len(r.found) {
		t.Errorf("%d are left of %d", len(left), len(r.found))
	}
	build := exec.Command("go", "build", "./...")
	build.Dir, build.Env = r.dir, r.env
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("what --fix makes: %v\n%s", err, out)
	}
	files := r.files(t)
	again, _ := r.issues(t, "--fix")
	if places(again) != places(left) || r.files(t) != files {
		t.Errorf("a second --fix leaves\n%s\nafter\n%s", places(again), places(left))
	}
}

// files is the text of all code.
func (r *runner) files(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(r.dir, "internal", "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(data)
	}
	return out.String()
}
