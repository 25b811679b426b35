// Package release builds what make release does, twice.
package release

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const root = "../.."

var all = flag.Bool("all", false, "build for all platforms, with a build cache for each build, not only for this one")

// TestRelease: two builds of one commit, in clones at different places, have the same
// bytes, and the version of its tag.
func TestRelease(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script needs bash")
	}
	origin := tagged(t, "v0.3.0")
	first, second := release(t, origin, "a"), release(t, origin, "some/other/place")
	sums := read(t, first, "SHA256SUMS")
	if other := read(t, second, "SHA256SUMS"); !bytes.Equal(sums, other) {
		t.Errorf("two builds differ:\n%s%s", sums, other)
	}
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		data := read(t, first, name)
		if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != sum {
			t.Errorf("%s has the sum %s, not %s", name, got, sum)
		}
		if bytes.Contains(data, []byte(filepath.Dir(first))) {
			t.Errorf("%s tells where it was built", name)
		}
	}
	program := filepath.Join(first, "deliverylint_"+runtime.GOOS+"_"+runtime.GOARCH)
	out, err := exec.Command(program, "version").Output()
	if want := "deliverylint v0.3.0 " + runtime.Version() + "\n"; err != nil || string(out) != want {
		t.Errorf("version: %q, %v; want %q", out, err, want)
	}
	if runtime.GOOS == "linux" {
		static(t, program)
	}
}

// static fails for a program that needs a loader of the system.
func static(t *testing.T, program string) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Errorf("%s is not static", program)
		}
	}
}

// tagged is a repository whose only commit has what is in this one now, committed or
// not, of what a build needs.
func tagged(t *testing.T, tag string) string {
	t.Helper()
	dir := t.TempDir()
	list, err := exec.Command("git", "-C", root, "ls-files", "-co", "--exclude-standard", "cmd", "internal", "analyzers", "go.mod", "go.sum", ".gitignore", ".ci").Output()
	if err != nil {
		t.Skipf("this is no work tree of git: %v", err)
	}
	for _, name := range strings.Fields(string(list)) {
		data, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed
		}
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	git(t, dir, "init", "--quiet")
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "-m", "All of it")
	git(t, dir, "tag", tag)
	return dir
}

// release clones the repository and builds there.
func release(t *testing.T, origin, place string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), place)
	git(t, ".", "clone", "--quiet", origin, dir)
	cmd := exec.Command(filepath.Join(dir, ".ci/release"), "dist")
	cmd.Env = append(os.Environ(), "GOFLAGS=-tags=nothing")
	if *all {
		cmd.Env = append(cmd.Env, "GOCACHE="+t.TempDir())
	} else {
		cmd.Env = append(cmd.Env, "PLATFORMS="+runtime.GOOS+"/"+runtime.GOARCH)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return filepath.Join(dir, "dist")
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=test", "-c", "user.email=test@example.com"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
