package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// edit replaces text in a file of a module.
func edit(t *testing.T, dir, name, old, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	data := readAll(t, dir, name)
	if !strings.Contains(data, old) {
		t.Fatalf("%s doesn't hold %q:\n%s", name, old, data)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(data, old, text, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

const baselineFile = ".deliverylint-baseline.yml"

func TestBaseline(t *testing.T) {
	dir := shop(t, 2)
	code, out, errs := run(t, Env{Dir: dir}, "baseline")
	if code != exitClean || out != "" || errs != baselineFile+": 4 findings (4 new, 0 gone)\n" {
		t.Fatalf("code %d, %q, %q", code, out, errs)
	}
	if text := readAll(t, dir, baselineFile); strings.Count(text, "state: todo") != 4 || !strings.Contains(text, "function: (*Service).Pay") {
		t.Errorf("the file holds\n%s", text)
	}
	expectRun(t, dir, exitClean, "no findings in 3 packages; 4 in the baseline", "-baseline", baselineFile)

	// Code that moves stays known; what is new is not.
	edit(t, dir, "p0/p.go", "type Payer", "// A comment.\n\n\ntype Payer")
	edit(t, dir, "p0/p.go", "func All(", "func (s *Service) Again(id string) error {\n\tif _, err := s.db.Exec(\"UPDATE payments SET n = 1\"); err != nil {\n\t\treturn err\n\t}\n\treturn s.bus.Publish(id)\n}\n\nfunc All(")
	out = expectRun(t, dir, exitFindings, "1 finding (1 error, 0 warnings)", "-baseline", baselineFile, "-c", "-1")
	if !strings.Contains(out, "(publishoutsidetx/dual-write)") {
		t.Errorf("reported: %s", out)
	}
}

// expectRun runs and checks the exit code and how standard error begins.
func expectRun(t *testing.T, dir string, code int, errs string, args ...string) string {
	t.Helper()
	got, out, stderr := run(t, Env{Dir: dir}, args...)
	if got != code || !strings.HasPrefix(stderr, errs) {
		t.Errorf("%v: code %d, %q\n%s", args, got, stderr, out)
	}
	return out
}

// TestBaselineShrinks: what is gone is reported, and -prune takes it out.
func TestBaselineShrinks(t *testing.T) {
	dir := shop(t, 2)
	expectRun(t, dir, exitClean, "known.yml: 4 findings", "baseline", "-o", "known.yml")
	edit(t, dir, "known.yml", "state: todo", "state: accepted\n  reason: \"readers: they poll\"")
	edit(t, dir, "p1/p.go", "\treturn s.bus.Publish(\"paid \" + id)\n", "\treturn nil\n")

	stale := "deliverylint/baseline)"
	out := expectRun(t, dir, exitFindings, "1 finding (0 errors, 1 warning)", "-baseline", "known.yml", "-c", "-1")
	if !strings.HasPrefix(out, "known.yml:") || !strings.Contains(out, "(*Service).Pay has no publishoutsidetx/after-commit any more") || !strings.Contains(out, stale) {
		t.Errorf("reported: %s", out)
	}
	// It is said only where the run is sure, and where it is wanted.
	for _, args := range [][]string{
		{"./p0"}, {"-disable", "publishoutsidetx"}, {"-disable", "deliverylint/baseline"}, {"-tier", "error"},
	} {
		expectRun(t, dir, exitClean, "no findings", append(args, "-baseline", "known.yml")...)
	}
	expectRun(t, dir, exitClean, "known.yml: 4 findings (0 new, 0 gone)", "baseline", "-o", "known.yml", "-prune", "./p0")
	expectRun(t, dir, exitClean, "known.yml: 3 findings (0 new, 1 gone)", "baseline", "-o", "known.yml", "-prune")
	if text := readAll(t, dir, "known.yml"); !strings.Contains(text, "state: accepted\n  reason: \"readers: they poll\"") {
		t.Errorf("the reason is lost:\n%s", text)
	}
	if err := os.RemoveAll(filepath.Join(dir, "p1")); err != nil {
		t.Fatal(err)
	}
	expectRun(t, dir, exitClean, "known.yml: 2 findings (0 new, 1 gone)", "baseline", "-o", "known.yml")
}

func TestBaselineFails(t *testing.T) {
	dir := shop(t, 0)
	if err := os.WriteFile(filepath.Join(dir, "bad.yml"), []byte("version: 1\nfindings:\n- rule: r/a\n  package: p\n  fingerprint: aa\n  state: accepted\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"-baseline bad.yml":       "bad.yml:3: accepted without a reason: add reason, or make the state todo\n",
		"-baseline none.yml":      "-baseline: no file none.yml (deliverylint baseline -o none.yml writes it)\n",
		"baseline -o bad.yml":     "bad.yml:3: accepted without a reason",
		"baseline -prune":         "-prune: no file " + baselineFile + "\n",
		"baseline -o none/x.yml":  "-o none/x.yml: its folder doesn't exist\n",
		"baseline -nope":          "flag provided but not defined: -nope",
		"-new-from nosuch ./...":  "-new-from nosuch: ",
		"baseline -new-from HEAD": "flag provided but not defined: -new-from",
		"-baseline bus -o json=-": "read ",
		"baseline -o bus":         "read ",
	} {
		code, out, errs := run(t, Env{Dir: dir}, strings.Fields(args)...)
		if code != exitFailed || out != "" || !strings.HasPrefix(errs, "deliverylint: "+want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: code %d, %q, %q", args, code, out, errs)
		}
	}
}
