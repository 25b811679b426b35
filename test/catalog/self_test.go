package catalog

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

const store = `package store

import "context"

type Tx struct{ base }
type base struct{}
type Alias = context.Context
type Getter interface{ Get(q string) error }
type Box[T any] struct{}

func (*base) Promoted(q string) {}
func (*Box[T]) Put(v T)         {}
func (*Tx) Exec(ctx context.Context, q string, args ...any) error
func Begin() (*Tx, error)
func InTx(ctx context.Context, f func(ctx context.Context, tx *Tx) error) error
func Handle(topics []string, g Getter)
`

// TestChecksFail holds the checks themselves to a small package.
func TestChecksFail(t *testing.T) {
	pkg := checkSource(t, store)
	for entry, want := range map[string]string{
		"Tx.Exec: {kind: sql, sql: 1}":                                  "",
		"Tx.Promoted: {kind: sql, sql: 0}":                              "",
		"Getter.Get: {kind: read}":                                      "",
		"Box.Put: {kind: write, entity: 0}":                             "",
		"Begin: {kind: begin, handle: none}":                            "",
		"InTx: {kind: run-in-tx, func: 1, tx-param: 1, ctx-param: 0}":   "",
		"Handle: {kind: handler, func: 1}":                              "",
		"Tx.Query: {kind: sql, sql: 1}":                                 "Tx has no method Query",
		"Txx.Exec: {kind: sql, sql: 1}":                                 "no type Txx",
		"Alias.Done: {kind: ignore}":                                    "Alias is an alias of context.Context",
		"Open: {kind: begin}":                                           "no function Open",
		"Tx.Exec: {kind: sql, sql: 0}":                                  "sql: argument 0 is no string",
		"Tx.Exec: {kind: sql, sql: 3}":                                  "sql: no argument 3",
		"Begin: {kind: begin, handle: none, result: 1}":                 "result: result 1 is an error",
		"Begin: {kind: begin, handle: none, result: 2}":                 "result: no result 2",
		"Begin: {kind: begin}":                                          "handle: no argument 0",
		"Tx.Exec: {kind: publish-channel}":                              "result: result 0 is an error",
		"Begin: {kind: publish-channel}":                                "result: result 0 is no channel",
		"InTx: {kind: run-in-tx, handle: none, func: 0}":                "",
		"InTx: {kind: run-in-tx, handle: none, func: 1, tx-param: 2}":   "tx-param or ctx-param: the function has 2 parameters",
		"InTx: {kind: run-in-tx, handle: none, func: 1, tx-param: 0}":   "tx-param: parameter 0 is a context",
		"InTx: {kind: run-in-tx, handle: none, func: 1, ctx-param: 1}":  "ctx-param: parameter 1 is no context",
		"Handle: {kind: handler, func: 0}":                              "func: argument 0 is no function",
		"Handle: {kind: run-in-tx, handle: none, func: 1, tx-param: 0}": "tx-param: argument 1 is an interface",
		"Begin: {kind: receive, result: 2}":                             "result: no result 2",
		"Tx.Exec: {kind: publish, topic: 1, key: 4}":                    "key: no argument 4",
	} {
		err := checkEntry(pkg, readEntry(t, entry))
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", entry, err, want)
		}
	}
}

func checkSource(t *testing.T, text string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "store.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil), IgnoreFuncBodies: true}
	pkg, err := config.Check("example.org/store", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// readEntry reads an entry in the words of a file, as a user's of the package.
func readEntry(t *testing.T, entry string) catalog.Entry {
	t.Helper()
	base, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := base.With("entry.yml", []byte("functions:\n  example.org/store."+entry+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range c.Entries() {
		if e.Symbol.Package == "example.org/store" {
			return e
		}
	}
	t.Fatalf("no entry in %q", entry)
	return catalog.Entry{}
}
