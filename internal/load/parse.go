package load

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"
)

// file is a parsed file.
type file struct {
	syntax *ast.File
	tokens *token.File
	errors scanner.ErrorList
}

// reservePositions gives each package a range of positions of its own, so that
// positions don't depend on the order in which packages are parsed.
func (l *loader) reservePositions() {
	base := 1
	for _, n := range l.nodes {
		n.base = base
		for _, name := range n.sources {
			if text, ok := l.cfg.Overlay[name]; ok {
				base += len(text) + 1
			} else if info, err := os.Stat(name); err == nil {
				base += int(info.Size()) + 1
			}
		}
		n.limit = base
	}
}

// parse reads a package's files and asks whether its bodies are wanted.
func (l *loader) parse(n *node) {
	ask := !n.bodies && l.mayHaveBodies(n)
	mode := parser.SkipObjectResolution
	if n.bodies {
		mode |= parser.ParseComments
	}
	buf := l.buffers.Get().(*bytes.Buffer)
	defer l.buffers.Put(buf)
	base := n.base
	for _, name := range n.sources {
		if err := l.readFile(buf, name, n.limit-base-1); err != nil {
			n.errors = append(n.errors, Error{Pos: token.Position{Filename: name}, Package: n.meta.PkgPath, Message: err.Error()})
			continue
		}
		if !n.bodies && !ask {
			blankBodies(buf.Bytes())
		}
		f := parseAt(base, name, buf.Bytes(), mode)
		base += buf.Len() + 1
		n.files = append(n.files, f)
		standInForC(f.syntax)
	}
	if ask && !n.importsC() {
		n.bodies = l.cfg.Bodies(n.meta.PkgPath, sortedImports(n), n.syntax())
	}
}

// mayHaveBodies tells whether a dependency's bodies have to be parsed.
func (l *loader) mayHaveBodies(n *node) bool {
	if l.cfg.Bodies == nil || n.std || n.main {
		return false
	}
	return l.cfg.Candidate == nil || l.cfg.Candidate(n.meta.PkgPath, n.metaImports())
}

// metaImports returns the direct imports that the go command listed, sorted.
func (n *node) metaImports() []string {
	paths := make([]string, 0, len(n.meta.Imports))
	for _, p := range n.meta.Imports {
		paths = append(paths, p.PkgPath)
	}
	sort.Strings(paths)
	return paths
}

// readFile reads a file of at most max bytes.
func (l *loader) readFile(buf *bytes.Buffer, name string, max int) error {
	if text, ok := l.cfg.Overlay[name]; ok {
		buf.Reset()
		buf.Write(text)
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	buf.Reset()
	if _, err := buf.ReadFrom(f); err != nil {
		return err
	}
	if buf.Len() > max {
		return errors.New("the file changed while it was read")
	}
	return nil
}

// parseAt parses a file whose positions begin at base. They are places in the file
// itself, whatever its //line comments say: nothing is read from elsewhere, and
// comments and edits are about this file.
func parseAt(base int, name string, src []byte, mode parser.Mode) *file {
	fset := token.NewFileSet()
	if base > 1 {
		fset.AddFile("", 1, base-2)
	}
	syntax, err := parser.ParseFile(fset, name, src, mode)
	f := &file{syntax: syntax, tokens: token.NewFileSet().AddFile(name, base, len(src))}
	f.tokens.SetLines(fset.File(token.Pos(base)).Lines())
	if err != nil && !errors.As(err, &f.errors) {
		f.errors = scanner.ErrorList{{Pos: token.Position{Filename: name}, Msg: err.Error()}}
	}
	for _, e := range f.errors {
		if e.Pos.Line > 0 {
			e.Pos = f.tokens.Position(f.tokens.Pos(min(e.Pos.Offset, len(src))))
		}
	}
	return f
}

func (n *node) importsC() bool {
	return slices.ContainsFunc(n.files, func(f *file) bool { return importsC(f.syntax) })
}

func importsC(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` })
}

// nameOf returns the package name behind an import path, "" if unknown.
func (n *node) nameOf(path string) string {
	if dep := n.imports[path]; dep != nil {
		return dep.meta.Name
	}
	return ""
}

func sortedImports(n *node) []string {
	var paths []string
	for _, dep := range n.allImports() {
		paths = append(paths, dep.meta.PkgPath)
	}
	sort.Strings(paths)
	return paths
}

// order sorts the parsed packages, dependencies first, and registers their files.
func (l *loader) order() {
	visited := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if visited[n] {
			return
		}
		visited[n] = true
		for _, dep := range n.sortedDeps() {
			visit(dep)
		}
		l.needed = append(l.needed, n)
	}
	var files []*token.File
	for _, n := range l.nodes {
		if !n.parsed {
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

// sortedDeps returns what n needs of other packages, by ID.
func (n *node) sortedDeps() []*node {
	deps := slices.Collect(maps.Keys(n.deps))
	slices.SortFunc(deps, func(a, b *node) int { return strings.Compare(a.meta.ID, b.meta.ID) })
	return deps
}

// recoverTo turns a panic into an error of the package.
func (n *node) recoverTo(doing string) {
	if r := recover(); r != nil {
		err := fmt.Errorf("internal error while %s %s: %v", doing, n.meta.PkgPath, r)
		n.note(err)
		n.files, n.decls, n.pkg = nil, nil, nil
		n.errors = append(n.errors, Error{Package: n.meta.PkgPath, Message: err.Error()})
	}
}
