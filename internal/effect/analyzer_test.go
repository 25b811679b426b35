package effect

import (
	"bytes"
	"encoding/gob"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// The packages of the tests stand below one another in this order; those of
// libraries are stubs of them.
const (
	sqlSource = `package sql
type DB struct{}
type Tx struct{}
type Result interface{ RowsAffected() (int64, error) }
func (*DB) Begin() (*Tx, error) { return nil, nil }
func (*DB) Exec(q string, args ...any) (Result, error) { return nil, nil }
func (*Tx) Exec(q string, args ...any) (Result, error) { return nil, nil }
func (*Tx) Commit() error { return nil }
`
	natsSource = `package nats
type Conn struct{}
func (*Conn) Publish(subject string, data []byte) error { return nil }
`
	busSource = `package bus
import "github.com/nats-io/nats.go"
type bus struct{ conn *nats.Conn }
func New(c *nats.Conn) *bus { return &bus{c} }
func (b *bus) Tell(text string) error { return b.send(text) }
func (b *bus) send(text string) error { return b.conn.Publish("t", []byte(text)) }
func (b *bus) Each(list []string) error { return Each(list, b.Tell) }
func Each[T any](list []T, f func(T) error) error {
	for _, x := range list {
		if err := f(x); err != nil { return err }
	}
	return nil
}
func Upper(s string) string { return s }
`
	storeSource = `package store
import ("database/sql"; "example.com/m/bus")
type Repository interface{ Save(id int) error }
type repo struct{ db *sql.DB }
func New(db *sql.DB) Repository { return &repo{db} }
func (r *repo) Save(id int) error { _, err := r.db.Exec("INSERT INTO orders VALUES (1)"); return err }
type GhostBus interface{ PublishAll() error }
func Haunt(g GhostBus) error { return g.PublishAll() }
var Bus = bus.New(nil)
`
	orderSource = `package order
import "example.com/m/store"
type Teller interface{ Tell(text string) error }
type Service struct{ repo store.Repository; bus Teller }
func New(r store.Repository) *Service { return &Service{r, store.Bus} }
func (s *Service) Place(id int) error {
	if err := s.repo.Save(id); err != nil { return err }
	return s.bus.Tell("placed")
}
`
)

// stack are packages that were run in turn, each with the facts of those below
// as they come out of a file.
type stack struct {
	t     *testing.T
	cat   *catalog.Catalog
	fset  *token.FileSet
	types map[string]*types.Package
	facts map[string][]byte
	// test is the source of a test file of the package that is run next.
	test string
}

var builtinCatalog = sync.OnceValues(catalog.Builtin)

func newStack(t *testing.T) *stack {
	t.Helper()
	cat, err := builtinCatalog()
	if err != nil {
		t.Fatal(err)
	}
	s := &stack{t: t, cat: cat, fset: token.NewFileSet(), types: map[string]*types.Package{}, facts: map[string][]byte{}}
	s.run("database/sql", sqlSource)
	s.run("github.com/nats-io/nats.go", natsSource)
	return s
}

func (s *stack) Import(path string) (*types.Package, error) { return s.types[path], nil }

func (s *stack) run(path, source string) *Program {
	s.t.Helper()
	p, err := run(s.pass(path, source), func() (*catalog.Catalog, error) { return s.cat, nil })
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

func (s *stack) pass(path, source string) *analysis.Pass {
	s.t.Helper()
	file, err := parser.ParseFile(s.fset, "/src/"+path+"/file.go", source, parser.ParseComments)
	if err != nil {
		s.t.Fatal(err)
	}
	files := []*ast.File{file}
	if s.test != "" {
		test, err := parser.ParseFile(s.fset, "/src/"+path+"/file_test.go", s.test, 0)
		if err != nil {
			s.t.Fatal(err)
		}
		files, s.test = append(files, test), ""
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	pkg, err := (&types.Config{Importer: s}).Check(path, s.fset, files, info)
	if err != nil {
		s.t.Fatal(err)
	}
	s.types[path] = pkg
	return &analysis.Pass{
		Fset: s.fset, Files: files, Pkg: pkg, TypesInfo: info,
		Module:            &analysis.Module{Path: "example.com/m"},
		ImportPackageFact: s.importFact, ExportPackageFact: func(f analysis.Fact) { s.exportFact(path, f) },
	}
}

func (s *stack) exportFact(path string, fact analysis.Fact) {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(fact); err != nil {
		s.t.Fatal(err)
	}
	s.facts[path] = buf.Bytes()
}

func (s *stack) importFact(pkg *types.Package, fact analysis.Fact) bool {
	data := s.facts[pkg.Path()]
	if data == nil {
		return false
	}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(fact); err != nil {
		s.t.Fatal(err)
	}
	return true
}

// TestFactsThroughPackages: the topmost package knows neither the publisher nor
// the repository by type, and gets the graphs of both.
func TestFactsThroughPackages(t *testing.T) {
	s := newStack(t)
	s.run("example.com/m/bus", busSource)
	s.run("example.com/m/store", storeSource)
	p := s.run("example.com/m/order", orderSource)
	const place = "(*example.com/m/order.Service).Place"
	if !p.Reach[place].Has(Writes | Publishes) {
		t.Errorf("Place reaches %b; there are %q", p.Reach[place], slices.Sorted(maps.Keys(p.Funcs)))
	}
	for key, want := range map[string]string{
		"example.com/m/order.Teller.Tell":     "(*example.com/m/bus.bus).Tell",
		"example.com/m/store.Repository.Save": "(*example.com/m/store.repo).Save",
	} {
		if got := p.Impl[key]; !slices.Equal(got, []string{want}) {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	send := p.Funcs["(*example.com/m/bus.bus).send"]
	if send == nil || send.Pos.File != "file.go" || send.Pos.Line != 6 {
		t.Fatalf("send is %+v", send)
	}
	if e := send.Nodes[0].Entry; e == nil || e.Kind != catalog.Publish || len(send.Nodes[0].Effects) != 1 {
		t.Errorf("its call is %+v", send.Nodes[0])
	}
	if !p.Targets["example.com/m/order"] || len(p.Targets) != 1 {
		t.Errorf("targets are %v", p.Targets)
	}
}

// TestFactsAreLean: functions that do nothing, libraries and programs tell
// nothing, and what was only guessed isn't passed on.
func TestFactsAreLean(t *testing.T) {
	s := newStack(t)
	s.run("example.com/m/bus", busSource)
	s.run("example.com/m/store", storeSource)
	s.run("example.com/m/plain", "package plain\nfunc F(x *int) *int { return x }\n")
	s.run("example.com/m/cmd", "package main\nimport \"example.com/m/store\"\nfunc main() { store.New(nil).Save(1) }\n")
	if got, want := slices.Sorted(maps.Keys(s.facts)), []string{"example.com/m/bus", "example.com/m/store"}; !slices.Equal(got, want) {
		t.Fatalf("facts of %q, want %q", got, want)
	}
	var sum Summary
	s.importFact(s.types["example.com/m/store"], &sum)
	if len(sum.tables) != 2 {
		t.Fatalf("%d tables", len(sum.tables))
	}
	below := openTables(&sum)
	for symbol, want := range map[string]bool{
		"(*example.com/m/bus.bus).Tell": true, "example.com/m/bus.Each": false, "example.com/m/bus.Upper": false,
		"(*example.com/m/store.repo).Save": true, "example.com/m/store.Haunt": true,
	} {
		if got := below.owner[symbol] != nil; got != want {
			t.Errorf("%s in a table: %v", symbol, got)
		}
	}
	for _, n := range below.graph("example.com/m/store.Haunt", s.cat).Nodes {
		if n != nil && len(n.Effects) > 0 {
			t.Errorf("a guess was passed on: %+v", n.Effects)
		}
	}
}

// TestFactsAreSteady: equal code gives equal bytes.
func TestFactsAreSteady(t *testing.T) {
	var first map[string][]byte
	for range 5 {
		s := newStack(t)
		s.run("example.com/m/bus", busSource)
		s.run("example.com/m/store", storeSource)
		s.run("example.com/m/order", orderSource)
		if first == nil {
			first = s.facts
		}
		for path, data := range s.facts {
			if !bytes.Equal(data, first[path]) {
				t.Fatalf("the fact of %s differs", path)
			}
		}
	}
}

// TestGenericFunctions: the graph of a generic function stands for the instances
// that another package makes.
func TestGenericFunctions(t *testing.T) {
	s := newStack(t)
	s.run("example.com/m/box", `package box
import "database/sql"
type Box[T any] struct{ db *sql.DB }
func (b *Box[T]) Put(x T) error { return b.store("INSERT INTO boxes VALUES ($1)", x) }
func (b *Box[T]) store(q string, x T) error { _, err := b.db.Exec(q, x); return err }
func Drop[T any](db *sql.DB, x T) error { _, err := db.Exec("DELETE FROM boxes WHERE x = $1", x); return err }
`)
	p := s.run("example.com/m/use", `package use
import "example.com/m/box"
func F(b *box.Box[string]) error { return b.Put("x") }
func G() error { return box.Drop(nil, 3) }
`)
	for _, name := range []string{"F", "G"} {
		if !p.Reach["example.com/m/use."+name].Has(Writes) {
			t.Errorf("%s doesn't write; there are %q", name, slices.Sorted(maps.Keys(p.Funcs)))
		}
	}
}

// TestPanicIsAFailure: what the SSA builder can't take is said of the package.
func TestPanicIsAFailure(t *testing.T) {
	s := newStack(t)
	pass := s.pass("example.com/m/bus", busSource)
	clear(pass.TypesInfo.Types)
	p, err := run(pass, func() (*catalog.Catalog, error) { return s.cat, nil })
	if err != nil || len(p.Failures) != 1 || p.Failures[0].Package != "example.com/m/bus" {
		t.Errorf("got %+v, %v", p.Failures, err)
	}
	if len(s.facts) > 0 {
		t.Error("it has a fact")
	}
}

func TestStandardLibraryIsSkipped(t *testing.T) {
	s := newStack(t)
	pass := s.pass("net/http/proxy", "package proxy\nimport \"database/sql\"\nfunc F(db *sql.DB) { db.Exec(\"DELETE FROM x\") }\n")
	pass.Module = nil
	p, err := run(pass, func() (*catalog.Catalog, error) { return s.cat, nil })
	if err != nil || len(p.Funcs) > 0 || len(s.facts) > 0 {
		t.Errorf("%d functions, %v", len(p.Funcs), err)
	}
}

func TestWithoutTypeArgs(t *testing.T) {
	for symbol, want := range map[string]string{
		"p.F": "p.F", "p.F[int]": "p.F", "(*p.T[map[string]q.U]).M[int]$1": "(*p.T).M$1", "p.F]": "p.F]",
	} {
		if got := withoutTypeArgs(symbol); got != want {
			t.Errorf("%s gives %s", symbol, got)
		}
	}
	if strings.Contains(withoutTypeArgs("p.F[[][]int]"), "int") {
		t.Error("nested brackets")
	}
}

// TestTestsAreLeftOut: what a test puts into an interface or a field says
// nothing of the program.
func TestTestsAreLeftOut(t *testing.T) {
	s := newStack(t)
	s.run("example.com/m/bus", busSource)
	s.test = `package order
type memory struct{}
func (memory) Tell(text string) error { return nil }
func TestPlace() { New(memory{}).Place(1) }
`
	p := s.run("example.com/m/order", `package order
import "example.com/m/bus"
type Teller interface{ Tell(text string) error }
type Service struct{ bus Teller }
func New(t Teller) *Service { return &Service{t} }
func Default() *Service { return New(bus.New(nil)) }
func (s *Service) Place(id int) error { return s.bus.Tell("placed") }
`)
	if got := p.Impl["example.com/m/order.Teller.Tell"]; !slices.Equal(got, []string{"(*example.com/m/bus.bus).Tell"}) {
		t.Errorf("Teller.Tell is %q", got)
	}
	for symbol := range p.Funcs {
		if strings.Contains(symbol, "memory") || strings.Contains(symbol, "TestPlace") {
			t.Errorf("there is %s", symbol)
		}
	}
}
