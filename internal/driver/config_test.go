package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/deliverylint/deliverylint/internal/settings"
)

// tiny writes a module with something to name.
func tiny(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go":   "package m\n\ntype Bus interface{ Send(string) error }\n\ntype T struct{}\n\nfunc F(string) error { return nil }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestWrongSettings: of each wrong file one line tells the place and what is
// allowed instead, whether it is checked or used.
func TestWrongSettings(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/wrong.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) < 20 {
		t.Errorf("%d files", len(archive.Files))
	}
	dir := tiny(t)
	for _, f := range archive.Files {
		if err := os.WriteFile(filepath.Join(dir, settings.FileName), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(f.Data), "\n")
		want := "deliverylint: " + settings.FileName + ":" + strings.TrimPrefix(first, "# ")
		for _, args := range [][]string{{"config", "check"}, {"-f", "json"}} {
			code, out, errs := run(t, Env{Dir: dir}, args...)
			if code != exitFailed || out != "" || !strings.HasPrefix(errs, want) || strings.Count(errs, "\n") != 1 || strings.Contains(errs, "; ") {
				t.Errorf("%s, %v: code %d, %q%q, want %q", f.Name, args, code, out, errs, want)
			}
		}
	}
}

func TestConfigInit(t *testing.T) {
	dir := tiny(t)
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	code, out, errs := run(t, Env{Dir: sub}, "config", "init")
	if code != exitClean || out != "../.deliverylint.yml\n" || errs != "" {
		t.Errorf("code %d, %q, %q", code, out, errs)
	}
	if got := readAll(t, dir, settings.FileName); got != settings.Template {
		t.Errorf("written: %s", got)
	}
	code, out, errs = run(t, Env{Dir: dir}, "config", "init")
	if code != exitFailed || out != "" || errs != "deliverylint: .deliverylint.yml is there already\n" {
		t.Errorf("a second time: code %d, %q, %q", code, out, errs)
	}
	code, out, errs = run(t, Env{Dir: dir}, "config", "check")
	if code != exitClean || out != ".deliverylint.yml is fine\n" || errs != "" {
		t.Errorf("check: code %d, %q, %q", code, out, errs)
	}
}

func TestConfigCheck(t *testing.T) {
	dir := tiny(t)
	check := func(want, wantErrs string) {
		t.Helper()
		if code, out, errs := run(t, Env{Dir: dir}, "config", "check"); code != exitClean || out != want || errs != wantErrs {
			t.Errorf("code %d, %q, %q", code, out, errs)
		}
	}
	check("no .deliverylint.yml: the defaults hold\n", "")
	text := "functions:\n  (example.com/m.Bus).Send: {kind: publish}\n  example.com/elsewhere.F: {kind: publish}\n"
	if err := os.WriteFile(filepath.Join(dir, settings.FileName), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	check(".deliverylint.yml is fine\n", ".deliverylint.yml:3: no code here imports example.com/elsewhere: whether it has F is not known\n")
}

// TestConfigPrint: what is printed is a file that means the same.
func TestConfigPrint(t *testing.T) {
	dir := tiny(t)
	_, defaults, _ := run(t, Env{Dir: dir}, "config", "print")
	if !strings.HasPrefix(defaults, "# no .deliverylint.yml: what holds without one\nrules:\n  publishoutsidetx/after-commit: error\n") ||
		!strings.HasSuffix(defaults, "  deliverylint/directive: warning\n  deliverylint/baseline: warning\n") {
		t.Errorf("printed without a file:\n%s", defaults)
	}
	file := filepath.Join(dir, settings.FileName)
	text := "# mine\nrules:\n  publishoutsidetx: off\n  publishoutsidetx/after-commit: warning\npaths:\n  exclude: [\"**/gen\"]\nfunctions:\n  (example.com/m.Bus).Send:\n    kind: publish # it is\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, first, errs := run(t, Env{Dir: dir}, "config", "print", "-disable", "earlyack")
	for _, want := range []string{
		"# from .deliverylint.yml\n", "  publishoutsidetx/dual-write: \"off\"\n", "  publishoutsidetx/after-commit: \"off\"\n",
		"  earlyack/auto-ack: \"off\"\n", "\"**/gen\"", "(example.com/m.Bus).Send:\n    kind: publish\n",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("printed, without %q:\n%s%s", want, first, errs)
		}
	}
	if err := os.WriteFile(file, []byte(first), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, second, errs := run(t, Env{Dir: dir}, "config", "print"); second != first {
		t.Errorf("printed of what was printed:\n%s%s\nfirst:\n%s", second, errs, first)
	}
}

func TestConfigUsage(t *testing.T) {
	dir := tiny(t)
	for args, want := range map[string]string{
		"config":           "config takes one of init, check, print, schema (deliverylint config -h tells more)",
		"config show":      "config takes one of init, check, print, schema",
		"config print ./x": "config print takes no packages",
		"config init -f x": "flag provided but not defined: -f",
	} {
		code, out, errs := run(t, Env{Dir: dir}, strings.Fields(args)...)
		if code != exitFailed || out != "" || !strings.HasPrefix(errs, "deliverylint: "+want) {
			t.Errorf("%s: code %d, %q, %q", args, code, out, errs)
		}
	}
	if code, out, errs := run(t, Env{Dir: dir}, "config", "-h"); code != exitClean || !strings.Contains(out, "config check") || errs != "" {
		t.Errorf("config -h: code %d, %q, %q", code, out, errs)
	}
	if code, out, _ := run(t, Env{Dir: dir}, "config", "schema"); code != exitClean || out != readAll(t, "../../docs", "schema.json") {
		t.Errorf("config schema: code %d, not docs/schema.json", code)
	}
}
