// Bench compares the CPU time and peak memory of deliverylint with those of
// staticcheck on one tree: each starts without a cache of its own, on a warm
// module cache and a build cache that go vet has filled.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	tree := flag.String("tree", ".", "module to measure on")
	ours := flag.String("deliverylint", "deliverylint", "the binary")
	theirs := flag.String("staticcheck", "", "staticcheck's package and version")
	rounds := flag.Int("n", 3, "rounds; the best one counts")
	flag.Parse()
	tmp, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	install := exec.Command("go", "install", *theirs)
	install.Env = append(os.Environ(), "GOBIN="+tmp)
	install.Stderr = os.Stderr
	if err := install.Run(); err != nil {
		return fmt.Errorf("building staticcheck: %w", err)
	}
	b := bench{tree: *tree, tmp: tmp, rounds: *rounds}
	a, err := b.best("deliverylint", *ours, "./...")
	if err != nil {
		return err
	}
	s, err := b.best("staticcheck", filepath.Join(tmp, "staticcheck"), "./...")
	if err != nil {
		return err
	}
	fmt.Printf("ratio         CPU %.2f  memory %.2f\n", a.cpu.Seconds()/s.cpu.Seconds(), float64(a.kib)/float64(s.kib))
	return nil
}

type bench struct {
	tree, tmp string
	rounds    int
}

type usage struct {
	cpu, wall time.Duration
	kib       int64
}

// best runs a program some times and returns the run with the least CPU time.
func (b bench) best(name, program string, args ...string) (usage, error) {
	var best usage
	for i := range b.rounds {
		u, err := b.once(fmt.Sprintf("%s-cache-%d", name, i), program, args...)
		if err != nil {
			return best, fmt.Errorf("%s: %w", name, err)
		}
		if i == 0 || u.cpu < best.cpu {
			best = u
		}
	}
	fmt.Printf("%-13s CPU %6.2fs  wall %6.2fs  memory %5d MB\n", name, best.cpu.Seconds(), best.wall.Seconds(), best.kib>>10)
	return best, nil
}

func (b bench) once(cache, program string, args ...string) (usage, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = b.tree
	cmd.Env = append(os.Environ(), "STATICCHECK_CACHE="+filepath.Join(b.tmp, cache))
	start := time.Now()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return usage{}, err
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		return usage{}, fmt.Errorf("exit code %d in %s", code, b.tree)
	}
	u := usage{wall: time.Since(start), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.kib = int64(r.Maxrss)
	}
	return u, nil
}
