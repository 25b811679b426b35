package effect

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/directive"
)

// Unit is one type-checked package with its syntax.
type Unit struct {
	Path  string
	Files []*ast.File
	Types *types.Package
	Info  *types.Info
	// Target: findings are wanted here. Own: it is of the module that is linted.
	Target, Own bool
	// Generated are the files that a tool wrote.
	Generated map[string]bool
}

// packageBuilder makes the graphs of all functions that the units reach.
type packageBuilder struct {
	cat     *catalog.Catalog
	classes *classes
	fset    *token.FileSet
	prog    *ssa.Program
	units   []*Unit

	calls   map[token.Pos]*ast.CallExpr // by left parenthesis, or by defer or go
	sends   map[token.Pos]*ast.SendStmt // by arrow
	queue   []*ssa.Function
	seen    map[*ssa.Function]bool
	ifaces  map[string]ifaceMethod
	inits   map[*ssa.Global][]ssa.Value
	convert map[types.Type]bool
	fields  map[string][]ssa.Value
	args    map[string][]ssa.Value
	// wide are more of what fields, parameters and captured variables hold, beside
	// what fields and args have.
	wide map[string][]ssa.Value
	// given are the functions that calls through an interface are given.
	given map[string][]givenFunc
	// declared is what comments say of how functions are run, by the position of their
	// name.
	declared map[token.Pos][]directive.Directive
	// declares is what comments say of methods, fields and functions, by their keys.
	declares map[string][]directive.Directive
	// clientMethods remembers which methods of interfaces stand for a client's.
	clientMethods map[*types.Func]*catalog.Entry
	// modelMethods remembers which methods are generated ones that write a model.
	modelMethods map[*types.Func]*catalog.Entry
	out          *Program
}

type givenFunc struct {
	param int
	value ssa.Value
}

type ifaceMethod struct {
	typ    types.Type
	method *types.Func
}

func newPackageBuilder(fset *token.FileSet, cat *catalog.Catalog) *packageBuilder {
	out := newProgram()
	out.stores = storesOf(cat)
	out.named = len(cat.Outbox().Tables)+len(cat.Outbox().Functions) > 0
	return &packageBuilder{
		cat: cat, classes: newClasses(cat), fset: fset,
		calls: map[token.Pos]*ast.CallExpr{}, sends: map[token.Pos]*ast.SendStmt{}, seen: map[*ssa.Function]bool{},
		ifaces: map[string]ifaceMethod{}, inits: map[*ssa.Global][]ssa.Value{},
		convert: map[types.Type]bool{}, fields: map[string][]ssa.Value{}, args: map[string][]ssa.Value{},
		wide: map[string][]ssa.Value{}, given: map[string][]givenFunc{},
		declared: map[token.Pos][]directive.Directive{}, declares: map[string][]directive.Directive{}, clientMethods: map[*types.Func]*catalog.Entry{}, modelMethods: map[*types.Func]*catalog.Entry{}, out: out,
	}
}

func (p *packageBuilder) reach(fn *ssa.Function) {
	if fn == nil || p.seen[fn] || len(fn.Blocks) == 0 {
		return
	}
	p.seen[fn] = true
	p.queue = append(p.queue, fn)
}

// drain builds graphs until nothing new is reached.
func (p *packageBuilder) drain() {
	for len(p.queue) > 0 {
		fn := p.queue[0]
		p.queue = p.queue[1:]
		p.scan(fn)
		f := p.function(fn)
		p.out.add(f)
	}
}

// indexCalls finds the call expression of a left parenthesis.
func (p *packageBuilder) indexCalls(u *Unit) {
	p.readDirectives(u)
	for _, f := range u.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				p.keepDDL(n)
			case *ast.CallExpr:
				p.calls[n.Lparen] = n
			case *ast.DeferStmt:
				p.calls[n.Defer] = n.Call
			case *ast.GoStmt:
				p.calls[n.Go] = n.Call
			case *ast.SendStmt:
				p.sends[n.Arrow] = n
			}
			return true
		})
	}
}

// keepDDL keeps a text that creates tables or indexes.
func (p *packageBuilder) keepDDL(l *ast.BasicLit) {
	if l.Kind != token.STRING || len(l.Value) < len("create table a") || len(l.Value) > maxSchemaFile {
		return
	}
	upper := strings.ToUpper(l.Value)
	if !strings.Contains(upper, "CREATE TABLE") && !strings.Contains(upper, "UNIQUE INDEX") && !strings.Contains(upper, "ALTER TABLE") {
		return
	}
	if text, err := strconv.Unquote(l.Value); err == nil {
		p.out.DDL = append(p.out.DDL, text)
	}
}

// position is where a call, statement or function stands. A call that is
// chained over several lines stands where its own method name does.
func (p *packageBuilder) position(pos token.Pos) Position {
	if !pos.IsValid() {
		return Position{}
	}
	start, end := pos, pos
	if c := p.calls[pos]; c != nil {
		start, end = c.Pos(), c.End()
		if s, ok := c.Fun.(*ast.SelectorExpr); ok && p.fset.Position(start).Line != p.fset.Position(s.Sel.Pos()).Line {
			start = s.Sel.Pos()
		}
	}
	a, z := p.fset.Position(start), p.fset.Position(end)
	return Position{File: filepath.ToSlash(a.Filename), Line: a.Line, Col: a.Column, EndLine: z.Line, EndCol: z.Column}
}

// text is the callee as written, at most two names long.
func (p *packageBuilder) text(pos token.Pos, c *ssa.CallCommon) string {
	if e := p.calls[pos]; e != nil {
		if s := exprText(e.Fun); s != "" {
			return s
		}
	}
	if c.IsInvoke() {
		return c.Method.Name()
	}
	if fn := c.StaticCallee(); fn != nil {
		return strings.TrimSuffix(fn.Name(), "$bound")
	}
	return "func"
}

// sent is what a send does, as written.
func (p *packageBuilder) sent(pos token.Pos) string {
	if s := p.sends[pos]; s != nil {
		if text := exprText(s.Chan); text != "" {
			return "send on " + text
		}
	}
	return "send on a channel"
}

func exprText(e ast.Expr) string {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		switch base := ast.Unparen(x.X).(type) {
		case *ast.Ident:
			return base.Name + "." + x.Sel.Name
		case *ast.SelectorExpr:
			return base.Sel.Name + "." + x.Sel.Name
		}
		return x.Sel.Name
	case *ast.IndexExpr:
		return exprText(x.X)
	case *ast.IndexListExpr:
		return exprText(x.X)
	case *ast.FuncLit:
		return "func"
	}
	return ""
}

// iface names an interface method for linking and remembers it.
func (p *packageBuilder) iface(t types.Type, m *types.Func) string {
	key := types.TypeString(types.Unalias(t), nil)
	if _, ok := p.ifaces[key+"."+m.Name()]; !ok {
		p.ifaces[key+"."+m.Name()] = ifaceMethod{t, m}
	}
	return key
}

// initial is the value that a variable of the package is set to, if only once.
func (p *packageBuilder) initial(g *ssa.Global) ssa.Value {
	if vs := p.inits[g]; len(vs) == 1 {
		return vs[0]
	}
	return nil
}

// driverMethod is the catalog entry of a driver's method under another name of
// the receiver.
func (p *packageBuilder) driverMethod(as, method string) *catalog.Entry {
	i := strings.LastIndexByte(as, '.')
	if e, ok := p.cat.Function(catalog.Symbol{Package: as[:i], Type: as[i+1:], Name: method}); ok {
		return &e
	}
	return nil
}

// roots queues every function of the units, in source order.
func (p *packageBuilder) roots() {
	for _, u := range p.units {
		pkg := p.prog.Package(u.Types)
		if pkg == nil {
			continue
		}
		p.collectInits(pkg)
		for _, fn := range p.declaredIn(pkg) {
			for _, f := range withLiterals(fn) {
				p.reach(f)
			}
		}
	}
}

// declaredIn are the functions and methods that a package declares, in source order.
func (p *packageBuilder) declaredIn(pkg *ssa.Package) []*ssa.Function {
	var fns []*ssa.Function
	for _, m := range pkg.Members {
		switch m := m.(type) {
		case *ssa.Function:
			fns = append(fns, m)
		case *ssa.Type:
			fns = append(fns, p.methods(m.Type())...)
		}
	}
	sort.Slice(fns, func(i, j int) bool {
		if fns[i].Pos() != fns[j].Pos() {
			return fns[i].Pos() < fns[j].Pos()
		}
		return symbolOf(fns[i]) < symbolOf(fns[j])
	})
	return fns
}

func (p *packageBuilder) methods(t types.Type) []*ssa.Function {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	var out []*ssa.Function
	for m := range n.Methods() {
		if fn := p.prog.FuncValue(m); fn != nil {
			out = append(out, fn)
		}
	}
	return out
}

func (p *packageBuilder) collectInits(pkg *ssa.Package) {
	fn := pkg.Func("init")
	if fn == nil {
		return
	}
	for _, block := range fn.Blocks {
		for _, instr := range block.Instrs {
			if s, ok := instr.(*ssa.Store); ok {
				if g, ok := s.Addr.(*ssa.Global); ok {
					p.inits[g] = append(p.inits[g], s.Val)
				}
			}
		}
	}
}
