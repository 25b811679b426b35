package driver

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// committed makes the module at dir a git repository with one commit.
func committed(t *testing.T, dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "x"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// TestNewFrom: of four findings those are reported of whose story a line changed.
func TestNewFrom(t *testing.T) {
	dir := shop(t, 2)
	committed(t, dir)
	for _, rev := range []string{"HEAD", "merge-base", "main..."} {
		expectRun(t, dir, exitClean, "no findings in 3 packages; 4 where nothing changed", "-new-from", rev)
	}
	found := func(want ...string) {
		t.Helper()
		out := expectRun(t, dir, exitFindings, "", "-new-from", "HEAD", "-c", "-1")
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if len(lines) != len(want) {
			t.Fatalf("found\n%s\nwant %v", out, want)
		}
		for i, w := range want {
			if !strings.Contains(lines[i], w) {
				t.Errorf("found %s, want %s", lines[i], w)
			}
		}
	}
	// A line above the stories changes nothing; the site does.
	edit(t, dir, "p0/p.go", "type Payer", "// A comment.\ntype Payer")
	expectRun(t, dir, exitClean, "no findings", "-new-from", "HEAD")
	edit(t, dir, "p0/p.go", `"paid " + id`, `"paid: " + id`)
	found("p0/p.go:32:9: bus.Publish runs after")
	// So does the other half, in another function.
	edit(t, dir, "p1/p.go", "if err := tx.Commit(); err", "if err = tx.Commit(); err")
	found("p0/p.go:32:9:", "p1/p.go:31:9: bus.Publish runs after tx.Commit (line 28)")
}

// TestNewFromFindsWhatWasUncovered: lines that are gone count where they stood in
// the story, and new files count as a whole.
func TestNewFromFindsWhatWasUncovered(t *testing.T) {
	dir := shop(t, 1)
	edit(t, dir, "p0/p.go", "\tif err := s.bus.Publish(\"paying", "\t//nolint:publishoutsidetx // readers poll\n\tif err := s.bus.Publish(\"paying")
	edit(t, dir, "p0/p.go", "\treturn s.bus.Publish(\"paid", "\t//nolint:publishoutsidetx // readers poll\n\treturn s.bus.Publish(\"paid")
	committed(t, dir)
	expectRun(t, dir, exitClean, "no findings in", "-new-from", "HEAD")
	edit(t, dir, "p0/p.go", "\t//nolint:publishoutsidetx // readers poll\n\treturn", "\treturn")
	expectRun(t, dir, exitFindings, "1 finding (1 error, 0 warnings)", "-new-from", "HEAD")

	second := shop(t, 2)
	text := readAll(t, second, "p1/p.go")
	if err := os.Mkdir(dir+"/p1", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/p1/p.go", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	expectRun(t, dir, exitFindings, "3 findings (3 errors, 0 warnings)", "-new-from", "HEAD")
}
