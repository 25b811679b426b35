package catalog

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const shop = `library: shopbus
modules: [example.org/bus, example.org/bus/v2]
packages: [example.org/bus, example.org/bus/v2]
broker: kafka
types:
  Bus: {class: producer}
  Event: {class: message, only: [example.org/bus/v2]}
functions:
  Bus.Emit: {kind: publish, topic: 0, payload: 1}
  Bus.EmitAll: {kind: publish, payload: 0, confirm: async, except: [example.org/bus/v2]}
  InTx: {kind: run-in-tx, func: 1, tx-param: 0, retries: true}
  Log: {kind: ignore}
handlers:
  - {interface: Handler, method: Handle, ack: return, on-error: redeliver}
  - {method: On, param: Event}
  - {method: OnAny, param: example.org/other.Event}
`

func mustRead(t *testing.T, files ...string) *Catalog {
	t.Helper()
	c, err := readFiles(files...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func readFiles(files ...string) (*Catalog, error) {
	fsys := fstest.MapFS{}
	for i, text := range files {
		fsys["libraries/"+string(rune('a'+i))+".yaml"] = &fstest.MapFile{Data: []byte(text)}
	}
	return read(fsys)
}

func TestBuiltinIsSound(t *testing.T) {
	c, err := read(libraries)
	if err != nil {
		t.Fatal(err)
	}
	e, ok := c.Function(Symbol{"database/sql", "DB", "ExecContext"})
	if !ok || e.Kind != SQL || e.SQL != 1 || e.Handle.Arg != ReceiverArg || e.Library != "database/sql" {
		t.Errorf("DB.ExecContext = %+v, %v", e, ok)
	}
	if ty, ok := c.Type("database/sql", "Tx"); !ok || ty.Class != Tx {
		t.Errorf("sql.Tx = %+v, %v", ty, ok)
	}
}

// TestBuiltinMeanings holds the entries that rules lean on most.
func TestBuiltinMeanings(t *testing.T) {
	c, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for s, holds := range map[Symbol]func(Entry) bool{
		{"github.com/jackc/pgx/v5", "", "BeginFunc"}:            func(e Entry) bool { return e.Kind == RunInTx && e.Handle.Arg == 1 && e.TxParam == 0 },
		{"github.com/jackc/pgx/v4", "Tx", "BeginFunc"}:          func(e Entry) bool { return e.Kind == RunInTx && e.Func == 1 },
		{"github.com/jackc/pgx/v5", "Tx", "Exec"}:               func(e Entry) bool { return e.Kind == SQL && e.SQL == 1 },
		{"gorm.io/gorm", "DB", "Save"}:                          func(e Entry) bool { return e.Kind == Write && e.Op == Save && e.Entity == 0 },
		{"gorm.io/gorm", "DB", "ToSQL"}:                         func(e Entry) bool { return e.Kind == Ignore },
		{"gorm.io/gorm", "ChainInterface", "Limit"}:             func(e Entry) bool { return e.Kind == Bind },
		{"github.com/uptrace/bun", "InsertQuery", "On"}:         func(e Entry) bool { return e.Clause == "conflict" && e.Text == 0 },
		{"xorm.io/xorm", "Session", "Begin"}:                    func(e Entry) bool { return e.Kind == Begin && e.Result == NoArg },
		{"cloud.google.com/go/firestore", "DocumentRef", "Set"}: func(e Entry) bool { return e.Kind == Write && e.Autocommit },
		{"go.mongodb.org/mongo-driver/v2/mongo", "Session", "WithTransaction"}: func(e Entry) bool {
			return e.Kind == RunInTx && e.CtxParam == 0 && e.TxParam == NoArg && e.Retries
		},
		{"go.mongodb.org/mongo-driver/mongo", "Collection", "UpdateOne"}: func(e Entry) bool {
			return e.Kind == Write && e.Handle.Arg == 0 && !e.Autocommit
		},
		{"github.com/aws/aws-sdk-go/service/dynamodb/dynamodbiface", "DynamoDBAPI", "PutItemWithContext"}: func(e Entry) bool {
			return e.Kind == Write && e.Autocommit && e.Entity == 1
		},
	} {
		if e, ok := c.Function(s); !ok || !holds(e) {
			t.Errorf("%s = %+v, %v", s, e, ok)
		}
	}
}

func TestEntryDefaults(t *testing.T) {
	c := mustRead(t, shop)
	emit, _ := c.Function(Symbol{"example.org/bus", "Bus", "Emit"})
	want := Entry{
		Symbol: Symbol{"example.org/bus", "Bus", "Emit"}, Kind: Publish, Handle: Place{ReceiverArg},
		SQL: NoArg, Entity: NoArg, Func: NoArg, Topic: 0, Key: NoArg, Payload: 1, TxParam: NoArg, CtxParam: NoArg, Text: NoArg, Expires: NoArg,
		Confirm: "sync", Broker: "kafka", Library: "shopbus", Source: "a.yaml:9",
	}
	if emit != want {
		t.Errorf("Bus.Emit = %+v, want %+v", emit, want)
	}
	inTx, _ := c.Function(Symbol{"example.org/bus/v2", "", "InTx"})
	if inTx.Handle.Arg != 0 || inTx.Func != 1 || inTx.TxParam != 0 || inTx.CtxParam != NoArg || !inTx.Retries {
		t.Errorf("InTx = %+v", inTx)
	}
	log, _ := c.Function(Symbol{"example.org/bus", "", "Log"})
	if log.Handle.Arg != NoArg {
		t.Errorf("an ignored function has handle %d", log.Handle.Arg)
	}
}

func TestOnlyAndExcept(t *testing.T) {
	c := mustRead(t, shop)
	if _, ok := c.Function(Symbol{"example.org/bus/v2", "Bus", "EmitAll"}); ok {
		t.Error("except doesn't hold")
	}
	if e, ok := c.Function(Symbol{"example.org/bus", "Bus", "EmitAll"}); !ok || e.Confirm != "async" {
		t.Errorf("Bus.EmitAll = %+v, %v", e, ok)
	}
	_, v1 := c.Type("example.org/bus", "Event")
	_, v2 := c.Type("example.org/bus/v2", "Event")
	if v1 || !v2 {
		t.Errorf("only doesn't hold: v1 %v, v2 %v", v1, v2)
	}
}

func TestAnyMethod(t *testing.T) {
	c := mustRead(t, head+`functions:
  Query.*: {kind: bind}
  Query.Where: {kind: bind, clause: where, text: 0}
  Query.Exec: {kind: write}
  Lock: {kind: bind, clause: lock}
`)
	limit, ok := c.Function(Symbol{"example.org/x", "Query", "Limit"})
	if !ok || limit.Kind != Bind || limit.Handle.Arg != ReceiverArg || limit.Symbol.Name != "Limit" {
		t.Errorf("Query.Limit = %+v, %v", limit, ok)
	}
	if e, _ := c.Function(Symbol{"example.org/x", "Query", "Exec"}); e.Kind != Write {
		t.Errorf("Query.Exec = %+v", e)
	}
	if e, _ := c.Function(Symbol{"example.org/x", "Query", "Where"}); e.Clause != "where" || e.Text != 0 || e.SQL != NoArg {
		t.Errorf("Query.Where = %+v", e)
	}
	if e, ok := c.Function(Symbol{"example.org/x", "", "Limit"}); ok {
		t.Errorf("Limit = %+v", e)
	}
	if got, want := c.MethodNames("example.org/x"), []string{"Exec", "Lock", "Where"}; !slices.Equal(got, want) {
		t.Errorf("MethodNames() = %q", got)
	}
}

func TestHandlers(t *testing.T) {
	var got []string
	for _, h := range mustRead(t, shop).Handlers() {
		got = append(got, strings.Join([]string{h.Package, h.Interface, h.Method, h.Param, h.Ack, h.OnError, h.Broker, h.Source}, "|"))
	}
	want := []string{
		"example.org/bus|Handler|Handle||return|redeliver|kafka|a.yaml:14",
		"example.org/bus/v2|Handler|Handle||return|redeliver|kafka|a.yaml:14",
		"||On|example.org/bus.Event|||kafka|a.yaml:15",
		"||On|example.org/bus/v2.Event|||kafka|a.yaml:15",
		"||OnAny|example.org/other.Event|||kafka|a.yaml:16",
	}
	if !slices.Equal(got, want) {
		t.Errorf("handlers:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestHandlersOf: only libraries that a program has a package of are read.
func TestHandlersOf(t *testing.T) {
	c := mustRead(t, shop, head+"handlers:\n  - {interface: I, method: M}\n")
	c, _, err := c.With("u.yml", []byte("handlers:\n  - {interface: example.org/own.H, method: On}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for pkg, want := range map[string]int{"example.org/bus": 6, "example.org/x": 2, "example.org/y": 1} {
		got := c.HandlersOf(func(path string) bool { return path == pkg })
		if len(got) != want || got[0].Package != "example.org/own" {
			t.Errorf("%s: %d handlers: %+v", pkg, len(got), got)
		}
	}
	if n := len(c.OwnEntries()) + len(c.OwnTypes()); n != 0 {
		t.Errorf("%d entries of the user's", n)
	}
}

func TestHasPackage(t *testing.T) {
	c := mustRead(t, shop, "library: sql\nmodules: []\npackages: [database/sql]\n")
	for path, want := range map[string]bool{
		"example.org/bus": true, "example.org/bus/v2": true, "example.org/bus/internal/x": true,
		"example.org/business": false, "example.org": false, "": false,
		"database/sql": true, "database/sql/driver": false, "database": false,
	} {
		if got := c.HasPackage(path); got != want {
			t.Errorf("HasPackage(%q) = %v", path, got)
		}
	}
	if got, want := c.Packages(), []string{"database/sql", "example.org/bus", "example.org/bus/v2"}; !slices.Equal(got, want) {
		t.Errorf("Packages() = %q", got)
	}
	if got, want := c.MethodNames("example.org/bus"), []string{"Emit", "EmitAll", "InTx", "Log"}; !slices.Equal(got, want) {
		t.Errorf("MethodNames() = %q", got)
	}
}

func TestEntriesAreSorted(t *testing.T) {
	entries := mustRead(t, shop).Entries()
	if len(entries) != 7 {
		t.Errorf("%d entries", len(entries))
	}
	if !slices.IsSortedFunc(entries, func(a, b Entry) int { return compareSymbols(a.Symbol, b.Symbol) }) {
		t.Error("not sorted")
	}
}

// errorLines returns the joined errors, each of which must be an *Error.
func errorLines(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var lines []string
		for _, e := range joined.Unwrap() {
			lines = append(lines, errorLines(t, e)...)
		}
		return lines
	}
	if e := (*Error)(nil); !errors.As(err, &e) || e.File == "" || e.Line < 1 {
		t.Errorf("%v has no file and line", err)
	}
	return []string{err.Error()}
}
