package driver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutputs writes one run in several formats.
func TestOutputs(t *testing.T) {
	dir := shop(t, 1)
	if err := os.WriteFile(filepath.Join(dir, "old.json"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, direct, _ := run(t, Env{Dir: dir}, "-f", "json")
	code, out, errs := run(t, Env{Dir: dir, StdoutTerminal: true}, "-o", "sarif=out.sarif", "-o", "json=old.json", "-o", "github=-", "-o", "text=report.txt")
	if code != exitFindings || errs != "" {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if !strings.HasPrefix(out, "::group::p0/p.go") {
		t.Errorf("standard output has %s", out)
	}
	if got := readAll(t, dir, "old.json"); got != direct {
		t.Errorf("the file differs from what -f json prints:\n%s", got)
	}
	if info, err := os.Stat(filepath.Join(dir, "old.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is now %v", info.Mode())
	}
	if text := readAll(t, dir, "report.txt"); !strings.HasPrefix(text, "p0/p.go:") || strings.Contains(text, "\x1b") {
		t.Errorf("text in a file: %s", text)
	}
	checkSARIF(t, readAll(t, dir, "out.sarif"))
	left, err := filepath.Glob(filepath.Join(dir, ".*-0"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func checkSARIF(t *testing.T, text string) {
	t.Helper()
	var doc struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct {
						ID               string
						ShortDescription struct{ Text string }
						Help             struct{ Text, Markdown string }
					}
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	rules := doc.Runs[0].Tool.Driver.Rules
	for _, r := range rules {
		if r.ShortDescription.Text == "" || r.Help.Text == "" || r.Help.Markdown == "" {
			t.Errorf("no help for %s", r.ID)
		}
	}
	if len(doc.Runs[0].Results) == 0 {
		t.Error("no results")
	}
	for _, r := range doc.Runs[0].Results {
		if rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("rule %d is not %s", r.RuleIndex, r.RuleID)
		}
	}
}

func readAll(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestSummaryWithoutText: a run that prints no report says how it went.
func TestSummaryWithoutText(t *testing.T) {
	dir := shop(t, 1)
	_, out, errs := run(t, Env{Dir: dir}, "-o", "junit=out.xml")
	if out != "" || !strings.HasPrefix(errs, "2 findings") {
		t.Errorf("got %q and %q", out, errs)
	}
}

// TestBadOutputs: each mistake is told in one line, before anything is analysed.
func TestBadOutputs(t *testing.T) {
	dir := shop(t, 0)
	if err := os.WriteFile(filepath.Join(dir, "locked"), []byte("as it was"), 0o444); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"-f xml":                         `unknown format "xml" (known: checkstyle, github, gitlab, json, junit, rdjson, sarif, text)`,
		"-o xml=a":                       `unknown format "xml" (known: checkstyle,`,
		"-o sarif":                       `invalid value "sarif" for flag -o: format=file is wanted, such as sarif=out.sarif or text=-`,
		"-o =a":                          `invalid value "=a" for flag -o: format=file is wanted`,
		"-o sarif=none/a.sarif":          "-o sarif=none/a.sarif: its folder doesn't exist",
		"-o sarif=bus":                   "-o sarif=bus: it is a folder",
		"-o sarif=locked":                "-o sarif=locked: it is read-only",
		"-f text -o json=-":              "two reports for standard output: give one of them a file, as -o json=FILE",
		"-o json=a -o text=./a":          "two reports for ./a",
		"-fix -diff -o sarif=a":          "-diff prints the changes in the place of a report: leave -o out",
		"-o sarif=go.mod/a.sarif ./nope": "-o sarif=go.mod/a.sarif: ",
	} {
		code, out, errs := run(t, Env{Dir: dir}, strings.Fields(args)...)
		if code != exitFailed || out != "" || !strings.HasPrefix(errs, "deliverylint: "+want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: code %d, %q, %q", args, code, out, errs)
		}
	}
	if got := readAll(t, dir, "locked"); got != "as it was" {
		t.Errorf("a read-only file holds %q now", got)
	}
}

// TestWholeFiles: a link is followed, a pipe or device is written to.
func TestWholeFiles(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(real, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	if err := writeWhole(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, dir, "real"); got != "new" {
		t.Errorf("behind the link stands %q", got)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if err := writeWhole(os.DevNull, []byte("x")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is a file now", os.DevNull)
	}
}
