package effect

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Analyzer makes the effect graphs of a package for the rules, on the catalog as
// it is.
var Analyzer = New(sync.OnceValues(catalog.Builtin))

// New is the same on a catalog of the caller's. The result is a *Program of the
// package's functions and of those below that they may reach; the fact of a
// package, a *Summary, carries the graphs to the packages that import it.
func New(cat func() (*catalog.Catalog, error)) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       "deliveryeffects",
		Doc:        "summarise what functions do to transactions, tables and brokers\n\nThe rules of deliverylint stand on it; it reports nothing itself.",
		Run:        func(pass *analysis.Pass) (any, error) { return run(pass, cat) },
		FactTypes:  []analysis.Fact{(*Summary)(nil)},
		ResultType: reflect.TypeFor[*Program](),
	}
}

func run(pass *analysis.Pass, load func() (*catalog.Catalog, error)) (*Program, error) {
	cat, err := load()
	if err != nil {
		return nil, err
	}
	if isStandard(pass) || cat.HasPackage(pass.Pkg.Path()) || onlyTests(pass) {
		return newProgram(), nil
	}
	below := &Summary{}
	for _, imp := range pass.Pkg.Imports() {
		var s Summary
		if pass.ImportPackageFact(imp, &s) {
			below.merge(&s)
		}
	}
	if len(below.tables) == 0 && !touchesLibrary(pass, cat) && !hasDirective(pass.Files) {
		return newProgram(), nil
	}
	program, own := summarise(pass, cat, below)
	if own != nil {
		below.add(own)
	}
	if len(below.tables) > 0 && pass.Pkg.Name() != "main" {
		pass.ExportPackageFact(below)
	}
	return program, nil
}

// summarise builds and links the package's graphs. A panic on the way is a
// failure of the package: it has no graphs and no table then.
func summarise(pass *analysis.Pass, cat *catalog.Catalog, below *Summary) (program *Program, own *table) {
	path := pass.Pkg.Path()
	p := newPackageBuilder(pass.Fset, cat)
	msg := p.try(func() {
		p.units = []*Unit{{Path: path, Files: pass.Files, Types: pass.Pkg, Info: pass.TypesInfo, Target: true}}
		if bad, msg := p.create(nil, nil); bad != nil {
			program = failed(path, msg)
			return
		}
		program = p.out
		own = p.packageTable(below, moduleOf(pass))
	})
	if msg != "" {
		return failed(path, msg), nil
	}
	return program, own
}

// packageTable builds, links and marks the graphs of the one package that p has,
// and makes its table.
func (p *packageBuilder) packageTable(below *Summary, module string) *table {
	u := p.units[0]
	p.indexCalls(u)
	p.out.Targets[u.Path] = true
	p.out.Own[u.Path] = true
	for _, f := range u.Files {
		if ast.IsGenerated(f) {
			p.out.Generated[p.position(f.Package).File] = true
		}
	}
	tables := openTables(below)
	maps.Copy(p.declares, tables.declares)
	p.passOverTests()
	p.findCarriers()
	p.roots()
	p.drain()
	l := newPackageLinker(p, tables, module)
	l.linkPackage()
	p.out.finish(p.handlerTypes())
	if u.Types.Name() == "main" {
		return nil
	}
	own, err := l.export(u.Path)
	if err != nil {
		p.out.Failures = append(p.out.Failures, Failure{u.Path, err.Error()})
	}
	return own
}

// passOverTests leaves the functions of test files out: what they call and hand
// over is not what the program does.
func (p *packageBuilder) passOverTests() {
	for _, m := range p.prog.Package(p.units[0].Types).Members {
		switch m := m.(type) {
		case *ssa.Function:
			p.passOver(m)
		case *ssa.Type:
			for _, fn := range p.methods(m.Type()) {
				p.passOver(fn)
			}
		}
	}
}

func (p *packageBuilder) passOver(fn *ssa.Function) {
	if !p.inTest(fn.Pos()) {
		return
	}
	p.seen[fn] = true
	for _, a := range fn.AnonFuncs {
		p.passOver(a)
	}
}

func (p *packageBuilder) inTest(pos token.Pos) bool {
	return pos.IsValid() && isTestFile(p.fset.PositionFor(pos, false).Filename)
}

func isTestFile(name string) bool { return strings.HasSuffix(name, "_test.go") }

// isTestSupport: testing.go, testutil/queue.go.
func isTestSupport(file string) bool {
	dir, name := filepath.Split(filepath.ToSlash(file))
	name = strings.TrimSuffix(name, ".go")
	for _, s := range []string{name, filepath.Base(dir)} {
		for _, word := range []string{"testing", "testutil", "testutils", "testhelper", "testhelpers"} {
			if s == word || strings.HasSuffix(s, "_"+word) {
				return true
			}
		}
	}
	return false
}

func onlyTests(pass *analysis.Pass) bool {
	return !slices.ContainsFunc(pass.Files, func(f *ast.File) bool {
		return !isTestFile(pass.Fset.PositionFor(f.FileStart, false).Filename)
	})
}

func failed(path, msg string) *Program {
	p := newProgram()
	p.Failures = []Failure{{path, msg}}
	return p
}

func moduleOf(pass *analysis.Pass) string {
	if pass.Module == nil {
		return ""
	}
	return pass.Module.Path
}

// touchesLibrary reports whether the package calls a function that the catalog
// knows, or, in the user's own modules, calls through an interface of which the
// name may tell something.
func touchesLibrary(pass *analysis.Pass, cat *catalog.Catalog) bool {
	if len(cat.Declared()) > 0 {
		return true
	}
	users := pass.Module == nil || pass.Module.Version == ""
	known := map[*types.Package]bool{}
	for _, obj := range pass.TypesInfo.Uses {
		f, ok := obj.(*types.Func)
		if !ok || f.Pkg() == nil {
			continue
		}
		is, ok := known[f.Pkg()]
		if !ok {
			is = cat.HasPackage(f.Pkg().Path())
			known[f.Pkg()] = is
		}
		if is && hasMeaning(f, cat) || users && f.Pkg() == pass.Pkg && isInterfaceMethod(f) {
			return true
		}
	}
	return false
}

// hasMeaning reports whether a library's function is one that graphs are made
// for. Of the standard library's only some are.
func hasMeaning(f *types.Func, cat *catalog.Catalog) bool {
	if first, _, _ := strings.Cut(f.Pkg().Path(), "/"); !standardRoot(first) {
		return true
	}
	for _, s := range catalogSymbols(f, nil) {
		if e, ok := cat.Function(s); ok && (e.Kind == catalog.SQL || KindOf(&Effect{Kind: e.Kind})&told != 0) {
			return true
		}
	}
	return false
}

func isInterfaceMethod(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// isStandard reports whether the package is of the standard library, which says
// nothing of delivery beyond what the catalog does.
func isStandard(pass *analysis.Pass) bool {
	first, _, _ := strings.Cut(pass.Pkg.Path(), "/")
	return moduleOf(pass) == "" && !strings.Contains(first, ".") && standardRoot(first)
}

func standardRoot(name string) bool {
	switch name {
	case "archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "database", "debug", "embed",
		"encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image", "index", "internal", "io", "iter",
		"log", "maps", "math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime", "slices", "sort",
		"strconv", "strings", "structs", "sync", "syscall", "testing", "text", "time", "unicode", "unique", "unsafe",
		"vendor", "weak":
		return true
	}
	return false
}
