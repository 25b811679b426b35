package scaffold

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// all are the specs that are supported.
func all() []Spec {
	var list []Spec
	for _, kind := range Kinds() {
		for _, db := range DBs() {
			for _, driver := range Drivers() {
				for _, broker := range Brokers() {
					s := Spec{Kind: kind, DB: db, Driver: driver, Broker: broker, Package: kind}
					if s.Check() == nil {
						list = append(list, s)
					}
				}
			}
		}
	}
	return list
}

// TestRender makes each spec; the written code keeps to the measures of ours.
func TestRender(t *testing.T) {
	specs := all()
	if want := 2 * 12 * 4; len(specs) != want {
		t.Errorf("%d combinations, want %d", len(specs), want)
	}
	for _, s := range specs {
		files, err := Render(s)
		if err != nil {
			t.Errorf("%+v: %v", s, err)
		}
		for _, f := range files {
			checkFile(t, s, f)
		}
	}
}

func checkFile(t *testing.T, s Spec, f File) {
	t.Helper()
	text := string(f.Data)
	if strings.Contains(text, "deliverylint") || strings.Contains(text, "\n\n\n") || !strings.HasSuffix(text, "\n") {
		t.Errorf("%+v: %s names deliverylint, or has blank lines in a row", s, f.Name)
	}
	if n := strings.Count(text, "\n"); n > 350 {
		t.Errorf("%+v: %s has %d lines", s, f.Name, n)
	}
	if filepath.Ext(f.Name) != ".go" {
		return
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, f.Name, f.Data, 0)
	if err != nil {
		t.Errorf("%+v: %v", s, err)
		return
	}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			if n := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1; n > 35 {
				t.Errorf("%+v: %s: %s has %d lines", s, f.Name, fn.Name.Name, n)
			}
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	for text, s := range map[string]Spec{
		`scaffold: unknown "box" (known: outbox, inbox)`:                              {Kind: "box"},
		`scaffold: unknown -db "oracle" (known: postgres, mysql, sqlite)`:             {Kind: "inbox", DB: "oracle"},
		`scaffold: unknown -driver "ent" (known: sql, pgx, sqlx, gorm, bun)`:          {Kind: "inbox", DB: "mysql", Driver: "ent"},
		`scaffold: unknown -broker "sqs" (known: kafka, nats, amqp, watermill)`:       {Kind: "inbox", DB: "mysql", Driver: "sql", Broker: "sqs"},
		`scaffold outbox needs -broker: kafka, nats, amqp or watermill`:               {Kind: "outbox", DB: "mysql", Driver: "sql"},
		`scaffold: -driver pgx is written for postgres only, not for sqlite`:          {Kind: "inbox", DB: "sqlite", Driver: "pgx"},
		`scaffold: -driver bun is written for postgres or sqlite only, not for mysql`: {Kind: "inbox", DB: "mysql", Driver: "bun"},
	} {
		if err := s.Check(); err == nil || err.Error() != text {
			t.Errorf("%+v: %v, want %s", s, err, text)
		}
	}
}

func TestWriteNeverReplacesUnasked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "outbox")
	files := []File{{"a.go", []byte("new")}, {"b.go", []byte("new")}}
	if err := Write(dir, files[1:], false); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.go"), []byte("theirs"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, files, false); err == nil || !strings.HasSuffix(err.Error(), "b.go is already there (-force replaces)") {
		t.Errorf("no word of b.go: %v", err)
	}
	has(t, dir, map[string]string{"b.go": "theirs"})
	if err := Write(dir, files, true); err != nil {
		t.Fatal(err)
	}
	has(t, dir, map[string]string{"a.go": "new", "b.go": "new"})
}

// A link doesn't lead out of the folder: it is what gets replaced.
func TestWriteStaysInFolder(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("theirs"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "a.go")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, ".b.go.new")); err != nil {
		t.Skip(err)
	}
	if err := Write(dir, []File{{"a.go", []byte("new")}}, true); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, []File{{"b.go", []byte("new")}}, true); err == nil {
		t.Error("wrote through a link that leads out")
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "theirs" {
		t.Errorf("outside was changed: %q, %v", data, err)
	}
}

// A write that fails leaves what was there, and nothing beside it.
func TestWriteIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("theirs"), 0o666); err != nil {
		t.Fatal(err)
	}
	// The second file can't be laid ready.
	if err := os.Mkdir(filepath.Join(dir, ".b.go.new"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".b.go.new", "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, []File{{"a.go", []byte("new")}, {"b.go", []byte("new")}}, true); err == nil {
		t.Fatal("no error")
	}
	if err := os.RemoveAll(filepath.Join(dir, ".b.go.new")); err != nil {
		t.Fatal(err)
	}
	has(t, dir, map[string]string{"a.go": "theirs"})
}

// has checks that a folder holds these files and no others.
func has(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := want[e.Name()]; !ok || text != string(data) {
			t.Errorf("%s: %q, want %q", e.Name(), data, text)
		}
	}
	if len(entries) != len(want) {
		t.Errorf("%d files, want %d", len(entries), len(want))
	}
}
