package fix

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// Import is the name by which the file may use a package: the one that it has, or
// one that an import gets which the fix adds. A package that is not known, or may
// not be imported here, spoils the fix.
func (e *Edits) Import(importPath string) (name string) {
	if importPath == e.file.Types.Path() {
		return "" // spoils nothing: what is in the package needs no name
	}
	for _, spec := range e.file.Syntax.Imports {
		pkg := e.file.Info.PkgNameOf(spec)
		if pkg != nil && pkg.Imported().Path() == importPath && pkg.Name() != "_" && pkg.Name() != "." {
			return pkg.Name()
		}
	}
	pkg := e.file.known(importPath)
	if pkg == nil || pkg.Name() == "main" || !e.file.mayImport(pkg) {
		e.wrong = true
		return ""
	}
	if !slices.Contains(e.imports, importPath) {
		e.imports = append(e.imports, importPath)
	}
	return pkg.Name()
}

// Qualified is the name of something of a package as the file writes it.
func (e *Edits) Qualified(obj types.Object) string {
	if obj.Pkg() == nil {
		return obj.Name()
	}
	if name := e.Import(obj.Pkg().Path()); name != "" {
		return name + "." + obj.Name()
	}
	return obj.Name()
}

// known is a package by its path: one that this one imports, through others too, or
// one that was loaded beside it.
func (p *Package) known(importPath string) *types.Package {
	if p.Known != nil {
		if pkg := p.Known(importPath); pkg != nil {
			return pkg
		}
	}
	seen := map[*types.Package]bool{}
	var find func(from *types.Package) *types.Package
	find = func(from *types.Package) *types.Package {
		for _, imp := range from.Imports() {
			if imp.Path() == importPath {
				return imp
			}
		}
		for _, imp := range from.Imports() {
			if seen[imp] {
				continue
			}
			seen[imp] = true
			if found := find(imp); found != nil {
				return found
			}
		}
		return nil
	}
	return find(p.Types)
}

// mayImport reports whether the package may import another: it is not internal to
// others, and doesn't need this one itself.
func (p *Package) mayImport(pkg *types.Package) bool {
	root, _, internal := cutInternal(pkg.Path())
	if internal && p.Types.Path() != root && !strings.HasPrefix(p.Types.Path(), root+"/") {
		return false
	}
	seen := map[*types.Package]bool{}
	var needs func(from *types.Package) bool
	needs = func(from *types.Package) bool {
		if seen[from] {
			return false
		}
		seen[from] = true
		return from.Path() == p.Types.Path() || slices.ContainsFunc(from.Imports(), needs)
	}
	return !needs(pkg)
}

// cutInternal cuts a path at its last element that is internal.
func cutInternal(importPath string) (before, after string, found bool) {
	parts := strings.Split(importPath, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] == "internal" {
			return strings.Join(parts[:i], "/"), strings.Join(parts[i+1:], "/"), true
		}
	}
	return importPath, "", false
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// withImports adds the edit that imports what a fix needs: gofmt's form of the file
// with the imports, as far as it differs from what is there.
func (f *File) withImports(paths []string) (finding.Edit, bool) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, f.Name, f.Text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return finding.Edit{}, false
	}
	for _, importPath := range paths {
		astutil.AddNamedImport(fset, syntax, f.alias(importPath), importPath)
	}
	var out bytes.Buffer
	if err := format.Node(&out, fset, syntax); err != nil {
		return finding.Edit{}, false
	}
	return f.difference(out.Bytes()), true
}

// alias is the name that an import needs whose path doesn't tell its name.
func (f *File) alias(importPath string) string {
	name := f.known(importPath).Name()
	base := path.Base(importPath)
	if version.MatchString(base) {
		base = path.Base(path.Dir(importPath))
	}
	if name == base {
		return ""
	}
	return name
}

// difference is one edit, of whole lines, that makes of the file another text.
func (f *File) difference(text []byte) finding.Edit {
	old, now := bytes.SplitAfter(f.Text, []byte("\n")), bytes.SplitAfter(text, []byte("\n"))
	start, end := 0, len(f.Text)
	for len(old) > 0 && len(now) > 0 && bytes.Equal(old[0], now[0]) {
		start += len(old[0])
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && bytes.Equal(old[len(old)-1], now[len(now)-1]) {
		end -= len(old[len(old)-1])
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	return finding.Edit{File: f.Name, Start: start, End: end, NewText: string(bytes.Join(now, nil))}
}

// addsImports reports whether an edit only adds lines among the imports of a file.
func (f *File) addsImports(e finding.Edit) bool {
	if e.Start != e.End {
		return false
	}
	for _, line := range strings.Split(strings.TrimSuffix(e.NewText, "\n"), "\n") {
		spec := strings.TrimSpace(line)
		if _, quoted, named := strings.Cut(spec, " "); named {
			spec = quoted
		}
		if _, err := strconv.Unquote(spec); err != nil {
			return false
		}
	}
	for _, d := range f.Syntax.Decls {
		if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.IMPORT && f.tokens.Offset(gen.Pos()) <= e.Start && e.End <= f.tokens.Offset(gen.End()) {
			return true
		}
	}
	return false
}

// mergeImports takes the edits of one more fix in, which are in order: lines that
// import the same are added once, and two at one place in the order of their text.
func (f *File) mergeImports(edits, more []finding.Edit) []finding.Edit {
	for _, e := range more {
		if !f.addsImports(e) {
			edits = append(edits, e)
			continue
		}
		i := slices.IndexFunc(edits, func(have finding.Edit) bool { return have.Start == e.Start && f.addsImports(have) })
		if i < 0 {
			edits = append(edits, e)
			continue
		}
		lines := append(strings.SplitAfter(edits[i].NewText, "\n"), strings.SplitAfter(e.NewText, "\n")...)
		slices.Sort(lines)
		edits[i].NewText = strings.Join(slices.Compact(lines), "")
	}
	return edits
}
