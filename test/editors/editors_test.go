// Package editors runs what docs/editors.md says in the editors themselves.
package editors

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

const root = "../.."

// want is a finding of the example, as an editor lists it.
const want = "internal/orders/orders.go:60:9: pub.Publish runs after work.Do"

// TestCompiler: :make fills the quickfix list of Vim and Neovim, with findings only.
func TestCompiler(t *testing.T) {
	tool := build(t)
	run := write(t, t.TempDir(), "run.vim", `set nomore
compiler deliverylint
silent make! ./internal/orders
call writefile(map(getqflist(), {_, q -> bufname(q.bufnr) . ':' . q.lnum . ':' . q.col . ': ' . q.text}), $OUT)
qall!
`)
	settings := t.TempDir()
	write(t, settings, "compiler/deliverylint.vim", block(t, "vim"))
	for name, args := range map[string][]string{"vim": {"-N", "-es"}, "nvim": {"--headless"}} {
		t.Run(name, func(t *testing.T) {
			got := edit(t, tool, name, append(args, "-u", "NONE", "-i", "NONE", "--cmd", "set rtp^="+settings, "-S", run)...)
			check(t, got, 3)
		})
	}
}

// TestDiagnostics: Neovim shows the findings of the whole module.
func TestDiagnostics(t *testing.T) {
	dir := t.TempDir()
	setup := write(t, dir, "setup.lua", block(t, "lua"))
	run := write(t, dir, "run.lua", `vim.cmd("Deliverylint")
vim.wait(90000, function() return #vim.diagnostic.get() > 0 end, 50)
local lines = {}
for _, d in ipairs(vim.diagnostic.get()) do
  table.insert(lines, vim.fn.bufname(d.bufnr) .. ":" .. d.lnum + 1 .. ":" .. d.col + 1 .. ": " .. d.message .. " (" .. d.code .. ")")
end
vim.fn.writefile(lines, os.getenv("OUT"))
vim.cmd("qall!")
`)
	check(t, edit(t, build(t), "nvim", "--headless", "-u", "NONE", "-i", "NONE", "-c", "luafile "+setup, "-c", "luafile "+run), 9)
}

// TestProblemMatcher holds the pattern for VS Code against the output: the editor
// itself is not run.
func TestProblemMatcher(t *testing.T) {
	var tasks struct {
		Tasks []struct {
			Args           []string
			ProblemMatcher struct{ Pattern struct{ Regexp string } }
		}
	}
	if err := json.Unmarshal([]byte(block(t, "json")), &tasks); err != nil {
		t.Fatal(err)
	}
	task := tasks.Tasks[0]
	pattern, err := regexp.Compile(task.ProblemMatcher.Pattern.Regexp)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(build(t), task.Args...)
	cmd.Dir = shop(t)
	out, _ := cmd.Output() // the exit code tells that there are findings
	var found []string
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line != "" && !pattern.MatchString(line) {
			t.Errorf("no match for %s", line)
		}
		if line != "" {
			found = append(found, line)
		}
	}
	check(t, found, 9)
}

func check(t *testing.T, got []string, n int) {
	t.Helper()
	if all := strings.Join(got, "\n"); len(got) != n || !strings.Contains(all, want) {
		t.Errorf("%d findings, want %d and among them %s\n%s", len(got), n, want, all)
	}
}

// block is the first text of a language on the page.
func block(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs/editors.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "```"+language+"\n")
	text, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatalf("docs/editors.md has nothing in %s", language)
	}
	return text
}

// edit runs an editor in the example, which writes lines to the file OUT.
func edit(t *testing.T, tool, editor string, args ...string) []string {
	t.Helper()
	if _, err := exec.LookPath(editor); err != nil {
		t.Skipf("%s is not installed", editor)
	}
	file := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, editor, args...)
	cmd.Dir = shop(t)
	cmd.Env = append(os.Environ(), "OUT="+file, "PATH="+filepath.Dir(tool)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	data, readErr := os.ReadFile(file)
	if err != nil || readErr != nil {
		t.Fatalf("%s: %v, %v\n%s", editor, err, readErr, out)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func shop(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(root, "examples/shop"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// build makes the command.
func build(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the editors' commands are those of a Unix shell")
	}
	tool := filepath.Join(t.TempDir(), "deliverylint")
	if out, err := exec.Command("go", "build", "-C", root, "-o", tool, "./cmd/deliverylint").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return tool
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
