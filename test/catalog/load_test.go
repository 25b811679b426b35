package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A loader type-checks packages from source without function bodies: the
// declarations are all that the catalog speaks of, and nothing is compiled.
type loader struct {
	fset  *token.FileSet
	meta  map[string]*packages.Package
	done  map[string]*types.Package
	sizes types.Sizes
}

// loadTypes returns the packages by import path. Type errors inside are borne
// (a declaration that cgo would complete); a package that can't be found is an
// error, but the others are returned.
func loadTypes(paths []string) (map[string]*types.Package, error) {
	cfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps,
		// With cgo off, the files of a client that binds a C library would be left out.
		Env: append(os.Environ(), "CGO_ENABLED=1"),
	}
	roots, err := packages.Load(cfg, paths...)
	if err != nil {
		return nil, err
	}
	l := &loader{
		fset: token.NewFileSet(), meta: map[string]*packages.Package{}, done: map[string]*types.Package{},
		sizes: types.SizesFor("gc", runtime.GOARCH),
	}
	packages.Visit(roots, nil, func(p *packages.Package) { l.meta[p.PkgPath] = p })
	found := map[string]*types.Package{}
	var errs []error
	for _, root := range roots {
		if len(root.GoFiles) == 0 {
			errs = append(errs, fmt.Errorf("%s has no files: %v", root.PkgPath, root.Errors))
			continue
		}
		found[root.PkgPath] = l.check(root)
	}
	return found, errors.Join(errs...)
}

// check type-checks a package after its imports.
func (l *loader) check(p *packages.Package) *types.Package {
	if p.PkgPath == "unsafe" {
		return types.Unsafe
	}
	if done, ok := l.done[p.PkgPath]; ok {
		return done
	}
	for _, path := range slices.Sorted(keys(p.Imports)) {
		l.check(p.Imports[path])
	}
	config := types.Config{
		IgnoreFuncBodies: true, FakeImportC: true, Sizes: l.sizes,
		Importer: imports{l, p}, Error: func(error) {},
	}
	pkg, _ := config.Check(p.PkgPath, l.fset, l.parse(p.GoFiles), nil)
	l.done[p.PkgPath] = pkg
	return pkg
}

func (l *loader) parse(names []string) []*ast.File {
	var files []*ast.File
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		file, _ := parser.ParseFile(l.fset, name, nil, parser.SkipObjectResolution)
		if file != nil {
			dropBodies(file)
			files = append(files, file)
		}
	}
	return files
}

// dropBodies frees what is not looked at.
func dropBodies(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
}

// imports gives a package its imports.
type imports struct {
	l *loader
	p *packages.Package
}

func (i imports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	dep, ok := i.p.Imports[path]
	if !ok {
		return nil, fmt.Errorf("%s imports %s, which was not loaded", i.p.PkgPath, path)
	}
	return i.l.check(dep), nil
}

func keys[K cmp.Ordered, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
