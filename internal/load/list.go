package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// metadata is what is asked of the go command. Compiled files, types or export
// data would make it run cgo or the compiler.
const metadata = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedModule | packages.NeedForTest

// loader is the state of one Load.
type loader struct {
	cfg     Config
	env     goEnv
	sizes   types.Sizes
	nodes   []*node // sorted by ID
	byID    map[string]*node
	needed  []*node // those parsed, dependencies first
	buffers sync.Pool
	res     *Result
	owners  map[string]bool // hosts and organisations of the main packages
	targets map[string]bool // import paths that the patterns name, nil for all roots
}

// goEnv is the part of `go env` that type-checking depends on.
type goEnv struct {
	GOARCH, GOROOT, GOVERSION string
}

// node is a package in the graph of the go command.
type node struct {
	meta    *packages.Package
	imports map[string]*node // by the path in the source

	sources []string // absolute names of the Go files
	std     bool     // part of the standard library
	main    bool     // part of the main module or workspace
	target  bool     // named by the patterns
	bodies  bool     // read with function bodies

	base   int // where the positions of its files begin
	limit  int // where those of the next package begin
	demand demand
	parsed bool
	whole  bool // all that is exported is kept
	files  []*file
	decls  *decls         // of a package read without bodies
	deps   map[*node]bool // what is needed of other packages

	pkg    *Package
	types  *types.Package
	failed error // the first type error of a package read without bodies
	errors []Error
}

// list asks the go command for the package graph.
func list(ctx context.Context, cfg Config) (*loader, error) {
	l := &loader{cfg: cfg, byID: map[string]*node{}}
	l.buffers.New = func() any { return new(bytes.Buffer) }
	var err error
	if l.env, err = readGoEnv(ctx, cfg); err != nil {
		return nil, err
	}
	l.sizes = types.SizesFor("gc", l.env.GOARCH)
	roots, err := l.roots(ctx)
	if err != nil {
		return nil, err
	}
	l.addNodes(roots)
	return l, nil
}

func (cfg Config) patterns() []string {
	if len(cfg.Patterns) == 0 {
		return []string{"."}
	}
	return cfg.Patterns
}

// environ is the environment of the go command. cgo is on even without a C
// compiler, else files that import "C" would be left out.
func (cfg Config) environ() []string {
	return append(append(os.Environ(), "CGO_ENABLED=1"), cfg.Env...)
}

func (l *loader) packagesConfig(ctx context.Context) *packages.Config {
	c := &packages.Config{
		Mode:    metadata,
		Context: ctx,
		Dir:     l.cfg.Dir,
		Env:     l.cfg.environ(),
		Tests:   l.cfg.Tests,
		Overlay: l.cfg.Overlay,
	}
	if l.cfg.Tags != "" {
		c.BuildFlags = []string{"-tags=" + l.cfg.Tags}
	}
	return c
}

func readGoEnv(ctx context.Context, cfg Config) (goEnv, error) {
	var env goEnv
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOARCH", "GOROOT", "GOVERSION")
	cmd.Dir, cmd.Env = cfg.Dir, cfg.environ()
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && len(exit.Stderr) > 0 {
			err = errors.New(string(exit.Stderr))
		}
		return env, oneLine(err)
	}
	if err := json.Unmarshal(out, &env); err != nil {
		return env, fmt.Errorf("cannot read the output of go env: %w", err)
	}
	return env, nil
}

// ErrNoPackages says that the patterns match no package that has files: there are
// none, or only tests, or only files that build tags leave out.
var ErrNoPackages = errors.New("no packages match")

// nothingLoaded returns an error if no package named by the patterns has files.
func nothingLoaded(cfg Config, roots []*packages.Package) error {
	var first error
	for _, p := range roots {
		if len(sources(p)) > 0 {
			return nil
		}
		if first == nil && len(p.Errors) > 0 {
			first = oneLine(errors.New(p.Errors[0].Msg))
		}
	}
	if first == nil {
		first = fmt.Errorf("%w %s", ErrNoPackages, strings.Join(cfg.patterns(), " "))
	}
	return first
}

// oneLine makes one clear line of what the go command said.
func oneLine(err error) error {
	if ctxErr := (*exec.Error)(nil); errors.As(err, &ctxErr) {
		return err
	}
	var kept []string
	for _, line := range strings.Split(err.Error(), "\n") {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			kept = append(kept, line)
		}
	}
	text := strings.Join(kept, " ")
	if i := strings.Index(text, "stderr: "); i >= 0 {
		text = text[i+len("stderr: "):]
	}
	return errors.New(strings.TrimPrefix(text, "go: "))
}

// addNodes fills the graph from its roots.
func (l *loader) addNodes(roots []*packages.Package) {
	packages.Visit(roots, nil, func(p *packages.Package) {
		if isTestMain(p) || l.byID[p.ID] != nil {
			return
		}
		n := &node{meta: p, sources: sources(p)}
		n.std = p.Module == nil && l.inGoroot(p.Dir)
		n.main = p.Module != nil && p.Module.Main
		l.byID[p.ID] = n
		l.nodes = append(l.nodes, n)
	})
	for _, p := range roots {
		if n := l.byID[p.ID]; n != nil {
			n.target = l.isTarget(p)
			n.main = n.main || p.Module == nil && !n.std
		}
	}
	sort.Slice(l.nodes, func(i, j int) bool { return l.nodes[i].meta.ID < l.nodes[j].meta.ID })
	for _, n := range l.nodes {
		// A package rebuilt for another package's test has no code of its own.
		n.bodies = n.target || n.main && n.meta.ForTest == ""
		n.imports = make(map[string]*node, len(n.meta.Imports))
		for path, p := range n.meta.Imports {
			n.imports[path] = l.byID[p.ID]
		}
	}
}

// sources returns a package's Go files. Where a package is missing, go/packages
// lists the file that imports it.
func sources(p *packages.Package) []string {
	var names []string
	for _, name := range p.GoFiles {
		if p.Dir == filepath.Dir(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// isTestMain tells the main package that the go command makes for a test.
func isTestMain(p *packages.Package) bool {
	return p.Name == "main" && strings.HasSuffix(p.ID, ".test") && p.PkgPath == p.ID
}

func (l *loader) inGoroot(dir string) bool {
	src := filepath.Join(l.env.GOROOT, "src") + string(filepath.Separator)
	return dir == "" || strings.HasPrefix(dir, src)
}
