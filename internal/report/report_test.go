package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/finding"
)

var update = flag.Bool("update", false, "write the golden files")

const pay = `package order

func (s *Service) Pay(ctx context.Context, id string) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	if err := s.save(tx, id); err != nil {
		return err
	}

	if err := tx.Commit(); err != nil {
		return err
	}
	return s.bus.Publish(ctx, event(id))
}
`

const save = "package order\n\nfunc (s *Service) save(tx *sql.Tx, id string) error {\n\treturn insert(tx, \"größe\", id)\n}\n"

func readFile(name string) ([]byte, error) {
	switch name {
	case "/repo/svc/order/pay.go":
		return []byte(pay), nil
	case "/repo/svc/order/save.go":
		return []byte(save), nil
	}
	return nil, errors.New("no such file")
}

func at(file string, line, column int) token.Position {
	return token.Position{Filename: file, Line: line, Column: column}
}

// sample has a story over two files, a finding without one, and one in a file
// that can't be read.
func sample() *Report {
	return &Report{
		Findings: []finding.Finding{
			{
				Rule: "publishoutsidetx", Category: "after-commit", Tier: finding.Error, Evidence: finding.Proven,
				Pos: at("/repo/svc/order/pay.go", 15, 9), End: at("/repo/svc/order/pay.go", 15, 37),
				Package: "example.com/svc/order", Function: "(*Service).Pay", Callee: "Bus.Publish",
				Message: "s.bus.Publish runs after tx.Commit (line 12): a crash in between loses the event",
				Flow: []finding.Step{
					{Pos: at("/repo/svc/order/save.go", 4, 9), Message: "insert writes orders"},
					{Pos: at("/repo/svc/order/pay.go", 12, 12), Message: "tx.Commit commits"},
					{Pos: at("/repo/svc/order/pay.go", 15, 9), Message: "a crash before this loses the event", Crash: true},
				},
				Fixes: []finding.Fix{{Message: "write an outbox row", Edits: []finding.Edit{
					{File: "/repo/svc/order/pay.go", Start: 1, End: 2, NewText: "<&>"},
				}}},
				Fingerprint: "0123",
			},
			{
				Rule: "deliverylint", Category: "directive", Tier: finding.Warning, Evidence: finding.Proven,
				Pos: at("/repo/svc/order/save.go", 3, 1), Function: "", Message: "//nolint:deliverylint gives no reason",
			},
			{
				Rule: "publishoutsidetx", Category: "dual-write", Tier: finding.Error, Evidence: finding.ByName,
				Pos: at("/cache/dep@v1/gone.go", 7, 2), Message: "x.Publish looks like a publish",
			},
		},
		Problems: []Problem{
			{File: "/repo/lib/broken.go", Line: 3, Column: 5, Message: "undefined: x"},
			{Message: "example.com/svc/gone: no Go files"},
		},
	}
}

func TestGolden(t *testing.T) {
	paths, repo := Paths{Dir: "/repo/svc", Root: "/repo"}, Paths{Dir: "/repo", Root: "/repo"}
	all := Options{Paths: paths, Repo: repo, ReadFile: readFile, Version: "v1.2.3", Rules: []Rule{
		{"publishoutsidetx/after-commit", finding.Error, "The event is lost.", "after-commit: the event is lost.", "**after-commit**"},
		{"publishoutsidetx/dual-write", finding.Error, "The same.", "dual-write: the same.", "**dual-write**"},
	}}
	for name, opts := range map[string]Options{
		"sample.github":     all,
		"sample.gitlab":     all,
		"sample.rdjson":     all,
		"sample.sarif":      all,
		"sample.checkstyle": all,
		"sample.junit":      all,
		"plain.text":        {Paths: paths, ReadFile: readFile},
		"context.text":      {Paths: paths, ReadFile: readFile, Context: 2},
		"short.text":        {Paths: paths, ReadFile: readFile, Context: -1},
		"color.text":        {Paths: paths, ReadFile: readFile, Color: true},
		"sample.json":       {Paths: paths, ReadFile: readFile},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := New(strings.TrimPrefix(filepath.Ext(name), "."), opts)
			if err != nil {
				t.Fatal(err)
			}
			var buf bytes.Buffer
			if err := w.Write(&buf, sample()); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", name), buf.Bytes())
		})
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (run the test with -update and read the change)\ngot:\n%s", file, got)
	}
}

func TestEmptyListsAreNotNull(t *testing.T) {
	var buf bytes.Buffer
	if err := (jsonWriter{}).Write(&buf, &Report{Findings: []finding.Finding{{}}}); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(buf.Bytes(), []byte("null")) {
		t.Errorf("null in %s", buf.Bytes())
	}
	if !json.Valid(buf.Bytes()) {
		t.Errorf("no JSON: %s", buf.Bytes())
	}
}

func TestUnknownFormat(t *testing.T) {
	_, err := New("xml", Options{})
	if err == nil || err.Error() != `unknown format "xml" (known: checkstyle, github, gitlab, json, junit, rdjson, sarif, text)` {
		t.Errorf("New: %v", err)
	}
}

func TestPaths(t *testing.T) {
	p := Paths{Dir: "/repo/svc", Root: "/repo"}
	for name, want := range map[string]string{
		"/repo/svc/a/b.go": "a/b.go",
		"/repo/svc":        ".",
		"/repo/lib/c.go":   "../lib/c.go",
		"/repository/c.go": "/repository/c.go",
		"/go/pkg/mod/x.go": "/go/pkg/mod/x.go",
		"rel/d.go":         "rel/d.go",
		"":                 "",
	} {
		if got := p.Show(name); got != want {
			t.Errorf("Show(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestLongLine: of a line of data only the beginning is shown.
func TestLongLine(t *testing.T) {
	long := "\tx := 1; y := \"" + strings.Repeat("ö", 5000) + "\"; publish()"
	w, err := New("text", Options{ReadFile: func(string) ([]byte, error) { return []byte(long), nil }})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r := &Report{Findings: []finding.Finding{
		{Rule: "r", Category: "c", Message: "m", Pos: at("a.go", 1, 2)},
		{Rule: "r", Category: "c", Message: "m", Pos: at("a.go", 1, len(long)-8)},
	}}
	if err := w.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if len(line) > 500 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	if n := strings.Count(out.String(), "ö…\n"); n != 2 {
		t.Errorf("%d lines are cut:\n%s", n, out.String())
	}
}
