// Package precommit commits to a scratch repository whose hooks are those of this one.
package precommit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// TestCommit: a commit that loses an event is stopped, one that doesn't passes, in a
// repository whose module is not at its root.
func TestCommit(t *testing.T) {
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip("pre-commit is not installed (.ci/services installs it)")
	}
	hooks := hooksRepo(t)
	r := scratch(t, hooks)
	r.write("README.md", "A scratch repository.\n")
	r.write("services/pay/go.mod", "module example.com/pay\n\ngo 1.24\n")
	r.write("services/pay/.deliverylint.yml", "functions:\n  (example.com/pay.Bus).Publish: {kind: publish}\n")
	r.write("services/pay/other/other.go", strings.ReplaceAll(wrong, "package pay", "package other"))
	r.commit(true, "-m", "begin", "--no-verify")

	r.write("services/pay/pay.go", wrong)
	out := r.commit(false, "-m", "pay")
	for _, want := range []string{"services/pay/pay.go:24", "publishoutsidetx/after-commit"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "other.go") {
		t.Errorf("what the commit doesn't touch is reported:\n%s", out)
	}
	if log := r.git("log", "--oneline"); strings.Contains(log, "pay") {
		t.Errorf("the commit was made:\n%s", log)
	}

	r.write("services/pay/pay.go", strings.Replace(wrong, "return s.bus.Publish(id)", "return nil", 1))
	r.commit(true, "-m", "silence")
	r.write("README.md", "It pays.\n")
	if out := r.commit(true, "-m", "read me"); !strings.Contains(out, "no files to check") {
		t.Errorf("the hook ran for a text:\n%s", out)
	}
}

const wrong = `package pay

import "database/sql"

type Bus interface{ Publish(id string) error }

type Service struct {
	db  *sql.DB
	bus Bus
}

func (s *Service) Pay(id string) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Exec("UPDATE payments SET state = 'paid' WHERE id = $1", id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return s.bus.Publish(id)
}
`

// repo is a repository in a temporary folder.
type repo struct {
	t   *testing.T
	dir string
	env []string
}

// hooksRepo is a repository with what is in this one now, committed or not.
func hooksRepo(t *testing.T) *repo {
	r := newRepo(t)
	list := exec.Command("git", "-C", root, "ls-files", "-co", "--exclude-standard", "cmd", "internal", "analyzers", "plugin", "go.mod", "go.sum", ".pre-commit-hooks.yaml", "docs/rules")
	out, err := list.Output()
	if err != nil {
		t.Skipf("this is no work tree of git: %v", err)
	}
	for _, name := range strings.Fields(string(out)) {
		data, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed
		}
		if err != nil {
			t.Fatal(err)
		}
		r.write(name, string(data))
	}
	r.commit(true, "-m", "hooks")
	return r
}

// scratch is an empty repository that uses the hooks.
func scratch(t *testing.T, hooks *repo) *repo {
	r := newRepo(t)
	rev := strings.TrimSpace(hooks.git("rev-parse", "HEAD"))
	r.write(".pre-commit-config.yaml", "repos:\n- repo: "+hooks.dir+"\n  rev: "+rev+"\n  hooks: [{id: deliverylint}]\n")
	r.run("pre-commit", "install")
	return r
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	r := &repo{t: t, dir: t.TempDir()}
	r.env = append(os.Environ(), "PRE_COMMIT_HOME="+filepath.Join(t.TempDir(), "hooks"), "GOMODCACHE="+strings.TrimSpace(string(cache)), "GOFLAGS=-buildvcs=false", "GOWORK=off",
		"GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.com", "GIT_CONFIG_GLOBAL="+os.DevNull)
	r.git("init", "-q")
	return r
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// commit adds all and commits; it returns what was printed.
func (r *repo) commit(want bool, args ...string) string {
	r.t.Helper()
	r.git("add", "-A")
	out, err := r.output("git", append([]string{"commit"}, args...)...)
	if (err == nil) != want {
		r.t.Fatalf("commit succeeded: %v, wanted: %v\n%s", err == nil, want, out)
	}
	return out
}

func (r *repo) git(args ...string) string { return r.run("git", args...) }

func (r *repo) run(name string, args ...string) string {
	r.t.Helper()
	out, err := r.output(name, args...)
	if err != nil {
		r.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

func (r *repo) output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}
