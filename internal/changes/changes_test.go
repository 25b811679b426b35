package changes

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repo is a git repository for a test.
type repo struct {
	t       *testing.T
	dir     string
	environ []string
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := &repo{t, t.TempDir(), append(os.Environ(),
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GITHUB_BASE_REF=", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=", "CHANGE_TARGET=",
	)}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repo) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, r.environ
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// write writes a file with one word a line.
func (r *repo) write(name, words string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(words, " ", "\n")+"\n"), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) commit() {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "x", "--allow-empty")
}

func (r *repo) since(rev string) *Changes {
	r.t.Helper()
	c, err := Since(context.Background(), r.dir, r.environ, rev)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// lines prints of each line of a file of n whether it is added (+) or removed
// around (-), both (*) or neither (.).
func lines(c *Changes, name string, n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		at := Place{i, i}
		mark := map[string]string{"true true": "*", "true false": "+", "false true": "-", "false false": "."}
		b.WriteString(mark[fmt.Sprint(c.Added(name, at), c.Removed(name, at))])
	}
	return b.String()
}

func TestSince(t *testing.T) {
	r := newRepo(t)
	r.write("same.go", "a b c")
	r.write("edit.go", "a b c d e f g h")
	r.write("old name.go", "a b c d e f g h i j")
	r.write("gone.go", "x y")
	r.write("ö\t\".go", "a b")
	r.write("notes.txt", "a")
	r.commit()
	r.write("edit.go", "a ++ b C d e g h")
	r.git("mv", "old name.go", "new name.go")
	r.write("new name.go", "a b c d e f g h i J")
	r.write("staged.go", "++ @@")
	r.git("add", "staged.go")
	r.git("rm", "-q", "gone.go")
	r.write("ö\t\".go", "a B")
	r.write("sub/fresh.go", "a")
	r.write("notes.txt", "b")
	c := r.since("HEAD")
	for name, want := range map[string]string{
		"same.go":      "...",
		"edit.go":      ".+-*---.", // a line added, one changed, one gone between e and g
		"new name.go":  "........-*",
		"staged.go":    "++",
		"sub/fresh.go": "+",
		"ö\t\".go":     "-*",
		"notes.txt":    ".",
	} {
		if got := lines(c, filepath.Join(r.dir, name), len(want)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]bool{"staged.go": true, "sub/fresh.go": true, "edit.go": false, "same.go": false} {
		if got := c.New(filepath.Join(r.dir, name)); got != want {
			t.Errorf("New(%s) = %v", name, got)
		}
	}
}

// TestMergeBase: what the other branch did since is no change of ours.
func TestMergeBase(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", "a b c")
	r.commit()
	r.git("checkout", "-q", "-b", "topic")
	r.write("a.go", "a b C")
	r.commit()
	r.git("checkout", "-q", "main")
	r.write("a.go", "A b c")
	r.commit()
	r.git("checkout", "-q", "topic")
	file := filepath.Join(r.dir, "a.go")
	for rev, want := range map[string]string{"merge-base": ".-*", "main...": ".-*", "main": "*-*", "HEAD": "..."} {
		if got := lines(r.since(rev), file, 3); got != want {
			t.Errorf("%s: %s, want %s", rev, got, want)
		}
	}
	// In a folder below, names are those of the whole work tree.
	sub := filepath.Join(r.dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, hook := range [][]string{nil, {"GIT_DIR=.git", "GIT_INDEX_FILE=.git/index"}} {
		c, err := Since(context.Background(), sub, append(r.environ, hook...), "main...")
		if err != nil || lines(c, file, 3) != ".-*" {
			t.Errorf("in a folder below, with %v: %v", hook, err)
		}
	}
	r.git("branch", "dev", "topic")
	r.environ = append(r.environ, "GITHUB_BASE_REF=dev")
	if got := lines(r.since("merge-base"), file, 3); got != "..." {
		t.Errorf("against the branch that the CI server names: %s", got)
	}
}

func TestSinceFails(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", "a")
	r.commit()
	r.git("checkout", "-q", "--orphan", "alone")
	r.write("b.go", "b")
	r.commit()
	for rev, want := range map[string]string{
		"nosuch":     "git knows no revision nosuch",
		"--output=x": "--output=x is no revision",
		"main...":    "HEAD and main have no commit in common here: is the clone shallow?",
		"HEAD:a.go":  "git knows no revision HEAD:a.go",
	} {
		if _, err := Since(context.Background(), r.dir, r.environ, rev); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", rev, err, want)
		}
	}
	r.git("branch", "-D", "-q", "main")
	if _, err := Since(context.Background(), r.dir, r.environ, "merge-base"); err == nil || !strings.HasPrefix(err.Error(), "no branch to compare with") {
		t.Errorf("merge-base with no other branch: %v", err)
	}
	if _, err := Since(context.Background(), t.TempDir(), r.environ, "HEAD"); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("outside a repository: %v", err)
	}
}
