package effect

import (
	"fmt"
	"go/token"
	"go/types"
	"sort"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Program is all graphs of a run and what linking knows of them.
type Program struct {
	// Funcs are the graphs by symbol; Order lists the symbols, sorted by
	// package and position.
	Funcs map[string]*Func
	Order []string
	// Impl are the functions that an interface method may be, by interface and
	// method; ImplEntry the catalogued library method among them.
	Impl      map[string][]string
	ImplEntry map[string]*catalog.Entry
	// FuncsIn are the functions that a field, variable or parameter of func
	// type may hold.
	FuncsIn map[string][]string
	// FuncsWide are more of them, found on longer ways.
	FuncsWide map[string][]string
	// Handlers are the functions that a library calls with deliveries.
	Handlers map[string]Handler
	// Dispatched are the functions that handlers pass a delivery on to, through a
	// function value or a method that is called to handle it. They are acked as
	// the handler that calls them is.
	Dispatched map[string]Handler
	// Entered are functions of which a comment says that handlers call them, in packages
	// that were not read.
	Entered map[string]Handler
	// Passed are more functions that handlers call with a delivery, to handle it or a part
	// of it. They matter to people, who look for what handles a message; to the
	// rules they are calls like others.
	Passed map[string]Handler
	// Feeders are the functions that hand on deliveries in a type of their own.
	Feeders map[string][]string
	// Relevant are the functions that can have an effect, themselves or
	// through what they call.
	Relevant map[string]bool
	// Callers are the static and linked callers of each function, and those that hand
	// it on; Calling are the first alone.
	Callers, Calling map[string][]string
	// Targets are the packages in which findings are wanted.
	Targets map[string]bool
	// Own are the packages of the module that is linted.
	Own map[string]bool
	// Generated are files that a tool wrote.
	Generated map[string]bool
	// Channels are the channels (fields, variables) whose readers publish.
	Channels map[string]bool
	// Takers are the functions that take values out of a channel.
	Takers map[string][]string
	// Keepers are the functions that look at a list.
	Keepers map[string][]string
	// Publishers says which functions reach a publish, and so on.
	Reach map[string]Kinds
	// Polled are the tables whose rows some loop reads, publishes and marks, with the
	// packages of these loops.
	Polled map[string][]string
	// Swept are the types of the rows that a loop on a timer reads and works off
	// as a handler does, by table.
	Swept map[string]map[string]bool
	// Texts are the parameters of each function that hand a SQL text on to where
	// it is run.
	Texts map[string]map[int]bool
	// Foreign are interface methods that are implemented outside the module.
	Foreign map[string]bool
	// HandlerMethods are the methods that implement the catalog's handler types.
	HandlerMethods map[string][]string
	// Contexts says how each function comes to be run.
	Contexts map[string]Context
	// Kept are the values of libraries' types that fields and variables hold.
	Kept map[string][]Kept
	// Handling are the functions that some handler reaches.
	Handling map[string]bool
	// Mediated are the methods that a mediator hands requests to, by their type.
	Mediated map[string][]string
	// Sites are the methods and fields of the module that comments can speak of.
	Sites []Site
	// DDL are the texts in the code that create or change tables.
	DDL []string
	// whole: every package of the module was read.
	whole bool
	// named: the user's file names an outbox; stores are its functions that store events.
	named  bool
	stores map[catalog.Symbol]*catalog.Entry
	// schema reads the schema once.
	schema func() *Schema
	// indexesDocuments: some index of a document store is a unique one. makesTables:
	// tables are made from the tags of structs. Both look through the program once.
	indexesDocuments, makesTables func() bool
	// Failures are packages that could not be read, where a driver goes package
	// by package.
	Failures []Failure
}

func newProgram() *Program {
	p := &Program{
		Funcs: map[string]*Func{}, Impl: map[string][]string{}, ImplEntry: map[string]*catalog.Entry{},
		FuncsIn: map[string][]string{}, FuncsWide: map[string][]string{}, Handlers: map[string]Handler{}, Dispatched: map[string]Handler{}, Entered: map[string]Handler{}, Passed: map[string]Handler{}, Feeders: map[string][]string{}, Relevant: map[string]bool{},
		Callers: map[string][]string{}, Calling: map[string][]string{}, Targets: map[string]bool{}, Own: map[string]bool{}, Generated: map[string]bool{},
		Channels: map[string]bool{}, Takers: map[string][]string{}, Keepers: map[string][]string{}, Reach: map[string]Kinds{}, Foreign: map[string]bool{}, Polled: map[string][]string{}, Swept: map[string]map[string]bool{},
		Texts:          map[string]map[int]bool{},
		HandlerMethods: map[string][]string{}, Contexts: map[string]Context{}, Kept: map[string][]Kept{}, Handling: map[string]bool{}, Mediated: map[string][]string{},
	}
	p.schema = sync.OnceValue(p.readSchema)
	p.indexesDocuments = sync.OnceValue(func() bool { return p.calls("SetUnique") })
	p.makesTables = sync.OnceValue(func() bool { return p.calls("AutoMigrate") })
	return p
}

func (p *Program) add(f *Func) {
	if old := p.Funcs[f.Symbol]; old != nil && len(old.Blocks) >= len(f.Blocks) {
		return
	}
	p.Funcs[f.Symbol] = f
}

// Failure is a package whose functions could not be read.
type Failure struct {
	Package, Message string
}

// Build makes the graphs of all units and links them. all are the types of
// every package loaded, with and without bodies.
func Build(fset *token.FileSet, units []*Unit, all map[string]*types.Package, cat *catalog.Catalog) (*Program, []Failure) {
	var failures []Failure
	skip := map[*Unit]bool{}
	for {
		p := newPackageBuilder(fset, cat)
		p.units, p.out.whole = units, true
		bad, msg := p.create(all, skip)
		if bad != nil {
			skip[bad] = true
			failures = append(failures, Failure{bad.Path, msg})
			continue
		}
		for _, u := range units {
			p.indexCalls(u)
			if u.Target {
				p.out.Targets[u.Path] = true
			}
			if u.Target || u.Own {
				p.out.Own[u.Path] = true
			}
			for f, g := range u.Generated {
				p.out.Generated[f] = g
			}
		}
		p.findCarriers()
		p.roots()
		p.drain()
		p.link()
		p.out.finish(p.handlerTypes())
		p.fillSites()
		return p.out, failures
	}
}

// create makes the SSA of all units. A unit at which the builder panics is
// returned; the caller starts over without it, in a fresh program.
func (p *packageBuilder) create(all map[string]*types.Package, skip map[*Unit]bool) (bad *Unit, msg string) {
	p.prog = ssa.NewProgram(p.fset, ssa.InstantiateGenerics)
	p.prog.SetNoReturn(noReturn)
	own := map[*types.Package]bool{}
	for _, u := range p.units {
		if !skip[u] {
			own[u.Types] = true
		}
	}
	paths := make([]string, 0, len(all))
	for path := range all {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		if t := all[path]; t != nil && !own[t] && p.prog.Package(t) == nil {
			p.prog.CreatePackage(t, nil, nil, true)
		}
	}
	if p.prog.Package(types.Unsafe) == nil {
		p.prog.CreatePackage(types.Unsafe, nil, nil, true)
	}
	for _, u := range p.units {
		p.createMissing(u.Types, own)
		if !own[u.Types] {
			continue
		}
		if msg := p.try(func() { p.prog.CreatePackage(u.Types, u.Files, u.Info, false) }); msg != "" {
			return u, msg
		}
	}
	for _, u := range p.units {
		if !own[u.Types] {
			continue
		}
		if msg := p.try(p.prog.Package(u.Types).Build); msg != "" {
			return u, msg
		}
	}
	return nil, ""
}

// createMissing declares imports that are in no table (test variants).
func (p *packageBuilder) createMissing(t *types.Package, own map[*types.Package]bool) {
	for _, imp := range t.Imports() {
		if !own[imp] && p.prog.Package(imp) == nil {
			p.prog.CreatePackage(imp, nil, nil, true)
			p.createMissing(imp, own)
		}
	}
}

func (p *packageBuilder) try(f func()) (msg string) {
	defer func() {
		if r := recover(); r != nil {
			msg = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// finish sorts what must not depend on the order of work.
func (p *Program) finish(handlers []catalog.HandlerType) {
	p.addStubs()
	for s := range p.Funcs {
		p.Order = append(p.Order, s)
	}
	sort.Slice(p.Order, func(i, j int) bool {
		a, b := p.Funcs[p.Order[i]], p.Funcs[p.Order[j]]
		if a.Package != b.Package {
			return a.Package < b.Package
		}
		if a.Pos.File != b.Pos.File {
			return a.Pos.File < b.Pos.File
		}
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line < b.Pos.Line
		}
		return a.Symbol < b.Symbol
	})
	p.adopt()
	p.applyDeclared()
	p.guess()
	p.mark()
	if unreached := p.applyUnreached(); p.withoutStandIns() || unreached {
		clear(p.Callers)
		clear(p.Calling)
		p.mark()
	}
	p.markTexts()
	p.markHandlers(handlers)
	p.markPolled()
	p.markSwept()
	p.markContexts()
}
