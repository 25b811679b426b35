package load

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"sort"
	"sync"
)

// file is a parsed file.
type file struct {
	syntax *ast.File
	tokens *token.File
	errors scanner.ErrorList
}

// parseAll parses the packages with bodies and then, again and again, what the
// declarations kept so far import.
func (l *loader) parseAll(ctx context.Context) error {
	l.reservePositions()
	q := newQueue()
	var mu sync.Mutex
	seen := map[*node]bool{}
	claim := func(nodes []*node) (fresh []*node) {
		mu.Lock()
		defer mu.Unlock()
		for _, n := range nodes {
			if !seen[n] {
				seen[n] = true
				fresh = append(fresh, n)
			}
		}
		return fresh
	}
	var start []*node
	for _, n := range l.nodes {
		if n.bodies {
			start = append(start, n)
		}
	}
	q.add(claim(start)...)
	err := q.run(ctx, func(n *node) {
		l.parse(n)
		q.add(claim(n.deps)...)
	})
	if err != nil {
		return err
	}
	l.order(seen)
	return nil
}

// reservePositions gives each package a range of positions of its own, so that
// positions don't depend on the order in which packages are parsed.
func (l *loader) reservePositions() {
	base := 1
	for _, n := range l.nodes {
		n.base = base
		for _, name := range n.meta.GoFiles {
			if info, err := os.Stat(name); err == nil {
				base += int(info.Size()) + 1
			}
		}
	}
}

// parse reads a package's files and finds what they import.
func (l *loader) parse(n *node) {
	defer n.recoverTo("parsing")
	mode := parser.SkipObjectResolution
	if n.bodies {
		mode |= parser.ParseComments
	}
	base := n.base
	for _, name := range n.meta.GoFiles {
		src, err := os.ReadFile(name)
		if err != nil {
			n.errors = append(n.errors, Error{Pos: token.Position{Filename: name}, Package: n.meta.PkgPath, Message: err.Error()})
			continue
		}
		f := parseAt(base, name, src, mode)
		base = f.tokens.Base() + f.tokens.Size() + 1
		n.files = append(n.files, f)
	}
	if !n.bodies {
		l.trim(n)
	}
	for _, f := range n.files {
		standInForC(f.syntax)
	}
	n.deps = directDeps(n)
}

// trim drops what other packages can't see, unless the package is to be read
// with bodies.
func (l *loader) trim(n *node) {
	if l.cfg.Bodies != nil && !n.std && !n.main && !n.importsC() {
		if l.cfg.Bodies(n.meta.PkgPath, sortedImports(n), n.syntax()) {
			n.bodies = true
			return
		}
	}
	for _, f := range n.files {
		trimFile(f.syntax, n.nameOf)
	}
}

// parseAt parses a file whose positions begin at base.
func parseAt(base int, name string, src []byte, mode parser.Mode) *file {
	fset := token.NewFileSet()
	if base > 1 {
		fset.AddFile("", 1, base-2)
	}
	syntax, err := parser.ParseFile(fset, name, src, mode)
	f := &file{syntax: syntax, tokens: fset.File(token.Pos(base))}
	if err != nil && !errors.As(err, &f.errors) {
		f.errors = scanner.ErrorList{{Pos: token.Position{Filename: name}, Msg: err.Error()}}
	}
	return f
}

func (n *node) syntax() []*ast.File {
	files := make([]*ast.File, len(n.files))
	for i, f := range n.files {
		files[i] = f.syntax
	}
	return files
}

func (n *node) importsC() bool {
	for _, f := range n.files {
		for _, spec := range f.syntax.Imports {
			if spec.Path.Value == `"C"` {
				return true
			}
		}
	}
	return false
}

// nameOf returns the package name behind an import path, "" if unknown.
func (n *node) nameOf(path string) string {
	if dep := n.imports[path]; dep != nil {
		return dep.meta.Name
	}
	return ""
}

// directDeps returns the packages that the files of n import, by ID.
func directDeps(n *node) []*node {
	seen := map[*node]bool{}
	var deps []*node
	for _, f := range n.files {
		for _, spec := range f.syntax.Imports {
			dep := n.imports[importPath(spec)]
			if dep != nil && !seen[dep] {
				seen[dep] = true
				deps = append(deps, dep)
			}
		}
	}
	sort.Slice(deps, func(i, j int) bool { return deps[i].meta.ID < deps[j].meta.ID })
	return deps
}

func sortedImports(n *node) []string {
	var paths []string
	for _, dep := range directDeps(n) {
		paths = append(paths, dep.meta.PkgPath)
	}
	sort.Strings(paths)
	return paths
}

// order sorts the parsed packages, dependencies first, and registers their files.
func (l *loader) order(parsed map[*node]bool) {
	visited := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if visited[n] {
			return
		}
		visited[n] = true
		for _, dep := range n.deps {
			visit(dep)
		}
		l.needed = append(l.needed, n)
	}
	var files []*token.File
	for _, n := range l.nodes {
		if !parsed[n] {
			continue
		}
		visit(n)
		for _, f := range n.files {
			files = append(files, f.tokens)
		}
	}
	l.res = &Result{Fset: token.NewFileSet()}
	l.res.Fset.AddExistingFiles(files...)
}

// recoverTo turns a panic into an error of the package.
func (n *node) recoverTo(doing string) {
	if r := recover(); r != nil {
		n.errors = append(n.errors, Error{Package: n.meta.PkgPath, Message: fmt.Sprintf("internal error while %s: %v", doing, r)})
	}
}
