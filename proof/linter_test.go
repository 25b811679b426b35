package proof_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what deliverylint writes today")

// tool builds the command of the repository that this module lies in.
func tool(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "deliverylint")
	succeed(t, "..", "go", "build", "-o", file, "./cmd/deliverylint")
	return file
}

// succeed runs a program that has to succeed.
func succeed(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, out)
	}
}

// output is what the command prints where findings are no failure.
func output(t *testing.T, dir, tool string, args ...string) string {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// fixed copies the services and has -fix change them.
func fixed(t *testing.T, tool string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "services"), os.DirFS("services")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	succeed(t, dir, "go", "mod", "edit", "-replace=github.com/deliverylint/deliverylint="+root)
	output(t, dir, tool, "-fix", "./services/...")
	return dir
}

// findings are the categories that are reported, by the name of the service.
func findings(t *testing.T, tool, dir string) map[string][]string {
	t.Helper()
	var report struct {
		Findings []struct{ Rule, File string }
		Errors   []struct{ Message string }
	}
	if err := json.Unmarshal([]byte(output(t, dir, tool, "-f", "json", "./services/...")), &report); err != nil {
		t.Fatal(err)
	}
	for _, e := range report.Errors {
		t.Error(e.Message)
	}
	by := map[string][]string{}
	for _, f := range report.Findings {
		name := filepath.Base(filepath.Dir(f.File))
		by[name] = append(by[name], f.Rule)
	}
	return by
}

// TestReported: deliverylint reports each story under its category, and nothing else;
// and nothing any more of what it has mended.
func TestReported(t *testing.T) {
	tool := tool(t)
	before, after := findings(t, tool, "."), findings(t, tool, fixed(t, tool))
	for _, st := range stories() {
		want := append([]string{st.rule}, st.also...)
		slices.Sort(want)
		got := slices.Sorted(slices.Values(before[st.name]))
		if !slices.Equal(got, want) {
			t.Errorf("%s: reported as %v, want %v", st.name, got, want)
		}
		delete(before, st.name)
		switch {
		case st.fix == "" && len(after[st.name]) < len(want):
			t.Errorf("%s has a fix now: say so in the table of stories", st.name)
		case st.fix != "" && len(after[st.name]) > 0:
			t.Errorf("%s: after the fix %v is reported", st.name, after[st.name])
		}
	}
	for name, rules := range before {
		t.Errorf("%s: %v is reported, and it is no story", name, rules)
	}
}

// TestFixes compares the changes that -fix makes with those that were read.
func TestFixes(t *testing.T) {
	compare(t, "testdata/fixes.diff", output(t, ".", tool(t), "-fix", "-diff", "./services/..."))
}

// TestWritten compares the outbox and the inbox with what scaffold writes.
func TestWritten(t *testing.T) {
	tool, dir := tool(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module github.com/deliverylint/deliverylint/proof\n\ngo 1.26.0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"outbox", "inbox"} {
		to := filepath.Join("services", kind)
		succeed(t, dir, tool, "scaffold", kind, "-db", "postgres", "-driver", "sql", "-broker", "nats", "-dir", to)
		entries, err := os.ReadDir(filepath.Join(dir, to))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), "_test.go") {
				continue // test/scaffold runs them
			}
			text, err := os.ReadFile(filepath.Join(dir, to, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, filepath.Join(to, e.Name()), string(text))
		}
	}
}

func compare(t *testing.T, file, now string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(now), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if then, err := os.ReadFile(file); err != nil || string(then) != now {
		t.Errorf("%s is not what deliverylint writes today (%v): read it and run the tests with -update", file, err)
	}
}
