package fix

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
)

// Check type-checks the package with files that have other bytes. They
// may import what is known.
func (p *Package) Check(changed map[string][]byte) error {
	files := make([]*ast.File, len(p.Files))
	for i, f := range p.Files {
		files[i] = f
		for _, spec := range f.Imports {
			if spec.Path.Value == `"C"` {
				return fmt.Errorf("%s uses C", p.Types.Path())
			}
		}
		name := p.Fset.File(f.FileStart).Name()
		if text, ok := changed[name]; ok {
			var err error
			if files[i], err = parser.ParseFile(p.Fset, name, text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
				return err
			}
		}
	}
	conf := types.Config{GoVersion: p.Types.GoVersion(), Importer: importer{p}}
	_, err := conf.Check(p.Types.Path(), p.Fset, files, nil)
	return err
}

// importer gives what a package may import.
type importer struct{ pkg *Package }

// Import implements types.Importer.
func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	for _, imp := range i.pkg.Types.Imports() {
		if imp.Path() == path {
			return imp, nil
		}
	}
	if imp := i.pkg.known(path); imp != nil {
		return imp, nil
	}
	return nil, fmt.Errorf("package %s is not known", path)
}
