package changes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// MergeBase stands for the commit at which HEAD left the branch that it goes back
// to.
const MergeBase = "merge-base"

// git runs git's plumbing in a folder: rev-parse, symbolic-ref, merge-base,
// diff-index and ls-files. None of them changes anything.
type git struct {
	dir     string
	environ []string
}

func (g git) run(ctx context.Context, args ...string) ([]byte, error) {
	// No hook of the repository's settings runs, and names are printed as they are.
	args = append([]string{"-c", "core.fsmonitor=false", "-c", "core.quotePath=false"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = g.dir, append(outsideHook(g.environ), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		text, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		return nil, errors.New(strings.TrimPrefix(text, "fatal: "))
	}
	return out.Bytes(), err
}

// outsideHook is an environment without what git sets for its hooks: with it, git
// takes the folder that it is run in for the root of the work tree.
func outsideHook(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"}, name)
	})
}

// word is the one line that a command prints.
func (g git) word(ctx context.Context, args ...string) (string, error) {
	out, err := g.run(ctx, args...)
	return strings.TrimSpace(string(out)), err
}

// Since compares the work tree around dir with a revision: a name that git knows;
// REV... for the commit at which HEAD left REV; or merge-base, for that of the
// branch that a change goes to.
func Since(ctx context.Context, dir string, environ []string, rev string) (*Changes, error) {
	g := git{dir, environ}
	up, err := g.word(ctx, "rev-parse", "--show-cdup")
	if err != nil {
		return nil, err
	}
	g.dir = filepath.Join(dir, filepath.FromSlash(up))
	commit, err := g.commit(ctx, rev)
	if err != nil {
		return nil, err
	}
	patch, err := g.run(ctx, "diff-index", "-p", "-M", "--unified=0", "--no-ext-diff", "--no-textconv", "--no-color",
		"--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/", commit, "--", "*.go")
	if err != nil {
		return nil, err
	}
	others, err := g.run(ctx, "ls-files", "--others", "--exclude-standard", "-z", "--", "*.go")
	if err != nil {
		return nil, err
	}
	c := &Changes{files: map[string]*file{}}
	for _, name := range strings.Split(string(others), "\x00") {
		if name != "" {
			c.files[filepath.Join(g.dir, filepath.FromSlash(name))] = &file{whole: true}
		}
	}
	return c, c.read(g.dir, string(patch))
}

// commit is the commit that a user's words name.
func (g git) commit(ctx context.Context, rev string) (string, error) {
	if strings.HasPrefix(rev, "-") {
		return "", fmt.Errorf("%s is no revision", rev)
	}
	branch, forked := strings.CutSuffix(rev, "...")
	if rev == MergeBase {
		forked = true
		if branch = g.target(ctx); branch == "" {
			return "", errors.New(`no branch to compare with is known here: name it, as in "-new-from origin/dev..."`)
		}
	}
	commit, err := g.word(ctx, "rev-parse", "--verify", "--quiet", branch+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("git knows no revision %s", branch)
	}
	if !forked {
		return commit, nil
	}
	base, err := g.word(ctx, "merge-base", commit, "HEAD")
	if err != nil {
		return "", fmt.Errorf("HEAD and %s have no commit in common here: is the clone shallow?", branch)
	}
	return base, nil
}

// target is the branch that a change goes to: the one that the CI server names,
// else origin's default one, else main or master. It is "" where there is none.
func (g git) target(ctx context.Context) string {
	var list []string
	for _, name := range []string{"GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "CHANGE_TARGET"} {
		if value := lookup(g.environ, name); value != "" {
			list = append(list, "refs/remotes/origin/"+value, "refs/heads/"+value)
		}
	}
	if head, err := g.word(ctx, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"); err == nil {
		list = append(list, head)
	}
	list = append(list, "refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master")
	for _, ref := range list {
		if _, err := g.word(ctx, "rev-parse", "--verify", "--quiet", ref+"^{commit}"); err == nil {
			return ref
		}
	}
	return ""
}

// lookup reads a variable of an environment; the last setting counts.
func lookup(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(environ[i], name+"="); ok {
			return value
		}
	}
	return ""
}
