package driver

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// run runs the command line in a folder as on a terminal or not.
func run(t *testing.T, env Env, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env.Stdout, env.Stderr = &out, &errs
	env.Environ = append(env.Environ, "GOFLAGS=", "GOWORK=off", "GOPROXY=off")
	if env.Now == nil {
		env.Now = time.Now
	}
	code = Main(context.Background(), env, args)
	return code, out.String(), errs.String()
}

// shop writes a module of several packages, each with the same mistakes.
func shop(t *testing.T, packages int) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/shop\n\ngo 1.24\n")
	write(".deliverylint.yml", "functions:\n  (example.com/shop/bus.Bus).Publish: {kind: publish}\n")
	write("bus/bus.go", "package bus\n\ntype Bus interface{ Publish(event string) error }\n")
	for i := range packages {
		write(fmt.Sprintf("p%d/p.go", i), fmt.Sprintf(pay, i, i))
	}
	return dir
}

const pay = `package p%d

import (
	"database/sql"

	"example.com/shop/bus"
)

type Payer interface{ Pay(id string) error }

type Service struct {
	db  *sql.DB
	bus bus.Bus
}

func (s *Service) Pay(id string) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := save(tx, id); err != nil {
		return err
	}
	if err := s.bus.Publish("paying " + id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return s.bus.Publish("paid " + id)
}

func save(tx *sql.Tx, id string) error {
	_, err := tx.Exec("UPDATE payments%d SET state = 'paid' WHERE id = $1", id)
	return err
}

func All(p Payer, ids []string) error {
	for _, id := range ids {
		if err := p.Pay(id); err != nil {
			return err
		}
	}
	return nil
}
`

// TestSameBytes runs a module ten times: the reports are the
// same to the byte.
func TestSameBytes(t *testing.T) {
	dir := shop(t, 3)
	for format, runs := range map[string]int{"json": 10, "text": 3} {
		var first string
		for i := range runs {
			code, out, errs := run(t, Env{Dir: dir}, "-f", format)
			if code != exitFindings {
				t.Fatalf("exit code %d: %s%s", code, out, errs)
			}
			if i == 0 {
				first = out
			}
			if out != first {
				t.Fatalf("run %d differs:\n%s\nfirst:\n%s", i, out, first)
			}
		}
	}
}

func TestColor(t *testing.T) {
	dir := shop(t, 1)
	for _, test := range []struct {
		env  Env
		want bool
	}{
		{Env{}, false},
		{Env{StdoutTerminal: true, Environ: []string{"TERM=xterm"}}, true},
		{Env{StdoutTerminal: true, Environ: []string{"TERM=dumb"}}, false},
		{Env{StdoutTerminal: true, Environ: []string{"TERM=xterm", "NO_COLOR=1"}}, false},
		{Env{StdoutTerminal: true, Environ: []string{"TERM=xterm", "NO_COLOR="}}, true},
		{Env{StderrTerminal: true, Environ: []string{"TERM=xterm"}}, false},
	} {
		test.env.Dir = dir
		_, out, _ := run(t, test.env)
		if got := strings.Contains(out, "\x1b["); got != test.want {
			t.Errorf("%+v: coloured is %v", test.env, got)
		}
	}
}

// TestProgress looks at what a long run says on a terminal.
func TestProgress(t *testing.T) {
	dir := shop(t, 1)
	clock := func(step time.Duration) func() time.Time {
		now := time.Unix(0, 0)
		return func() time.Time {
			now = now.Add(step)
			return now
		}
	}
	for _, test := range []struct {
		env  Env
		step time.Duration
		want bool
	}{
		{Env{StderrTerminal: true}, time.Second, true},
		{Env{StderrTerminal: true}, 0, false},
		{Env{StderrTerminal: true, Environ: []string{"TERM=dumb"}}, time.Second, false},
		{Env{StdoutTerminal: true}, time.Second, false},
	} {
		test.env.Dir, test.env.Now = dir, clock(test.step)
		_, out, errs := run(t, test.env, "-f", "json")
		if got := strings.Contains(errs, "reading packages"); got != test.want {
			t.Errorf("%+v: progress is %v", test.env, got)
		}
		if test.want && !strings.HasSuffix(errs, "\r\x1b[K") {
			t.Errorf("the progress line stays: %q", errs)
		}
		if strings.Contains(out, "reading packages") {
			t.Error("progress in the report")
		}
	}
}

func TestStats(t *testing.T) {
	_, _, errs := run(t, Env{Dir: shop(t, 2)}, "-stats", "-f", "json")
	for _, want := range []string{"packages analysed:", "functions analysed:", "load:", "memory from system:"} {
		if !strings.Contains(errs, want) {
			t.Errorf("-stats doesn't tell %q:\n%s", want, errs)
		}
	}
}

func TestIsVet(t *testing.T) {
	for args, want := range map[string]bool{
		"-V=full": true, "-flags": true, "vet.cfg": true, "-json vet.cfg": true,
		"": false, "./...": false, "-f json ./...": false, "-flags ./...": false,
	} {
		if got := isVet(strings.Fields(args)); got != want {
			t.Errorf("isVet(%q) = %v", args, got)
		}
	}
}

// A transaction helper that a whole program goes through is not given up on.
func TestHelperOfAll(t *testing.T) {
	const callers = 140
	dir := shop(t, 0)
	var b strings.Builder
	b.WriteString(within)
	for i := range callers {
		fmt.Fprintf(&b, changed, i)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n", "shop.go": b.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, out, errs := run(t, Env{Dir: dir}, "-stats", "-f", "json")
	if n := strings.Count(out, `"publishoutsidetx/after-commit"`); n != callers {
		t.Errorf("%d of %d publishes after a commit are found", n, callers)
	}
	if !strings.Contains(errs, "given up on:        no function") {
		t.Errorf("something was given up on:\n%s", errs)
	}
}

const within = `package shop

import (
	"database/sql"

	"example.com/shop/bus"
)

type Service struct {
	db  *sql.DB
	bus bus.Bus
}

func (s *Service) within(fn func(tx *sql.Tx) error) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}
`

const changed = `
func (s *Service) Change%[1]d(id string) error {
	err := s.within(func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE orders SET changed = %[1]d WHERE id = ?", id)
		return err
	})
	if err != nil {
		return err
	}
	return s.bus.Publish(id)
}
`
