package effect

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestSchema: migrations of all modules of a working tree count, and the texts in the
// code; dependencies and test data don't.
func TestSchema(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD":                 "ref: refs/heads/main",
		"svc/go.mod":                "module example.com/svc",
		"svc/main.go":               "package main",
		"svc/db/1_orders.up.sql":    "CREATE TABLE orders (id uuid PRIMARY KEY, ref text)",
		"migrations/2_ref.sql":      "CREATE UNIQUE INDEX u ON orders (ref); CREATE TABLE line_items (id serial PRIMARY KEY)",
		"svc/vendor/x/x.sql":        "CREATE TABLE vendored (id int)",
		"svc/testdata/x.sql":        "CREATE TABLE tested (id int)",
		"svc/db/3_parts.sql":        "CREATE TABLE parts PARTITION OF orders FOR VALUES IN (1)",
		"svc/db/4_index.sql":        "CREATE UNIQUE INDEX v ON legacy (a)",
		"svc/node_modules/p/p.sql":  "CREATE TABLE node (id int)",
		"svc/db/notes.txt":          "CREATE TABLE notes (id int)",
		"elsewhere/.hidden/old.sql": "CREATE TABLE hidden (id int)",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := newProgram()
	p.add(&Func{Symbol: "m.main", Package: "m", Pos: Position{File: filepath.ToSlash(filepath.Join(root, "svc/main.go"))}})
	p.Order, p.Own["m"], p.DDL = []string{"m.main"}, true, []string{"CREATE TABLE inline (k text UNIQUE)"}
	s := p.Schema()
	if got := s.Table("Orders"); got == nil || !reflect.DeepEqual(sorted(got.Keys), [][]string{{"id"}, {"ref"}}) {
		t.Errorf("orders is %+v", got)
	}
	if got := s.Table("inline"); got == nil || !reflect.DeepEqual(got.Keys, [][]string{{"k"}}) {
		t.Errorf("inline is %+v", got)
	}
	for _, name := range []string{"vendored", "tested", "node", "notes", "hidden", "parts", "legacy", "unknown"} {
		if got := s.Table(name); got != nil {
			t.Errorf("%s is %+v", name, got)
		}
	}
	if got, found := s.Of("LineItem"); got == nil || !found {
		t.Errorf("LineItem is kept in %+v", got)
	}
	if got, found := s.Of("Legacy"); got != nil || !found {
		t.Errorf("Legacy is kept in %+v, %v", got, found)
	}
	if got, found := s.Of("Note"); got != nil || found {
		t.Errorf("Note is kept in %+v", got)
	}
}

func sorted(keys [][]string) [][]string {
	if len(keys) == 2 && keys[0][0] > keys[1][0] {
		keys[0], keys[1] = keys[1], keys[0]
	}
	return keys
}
