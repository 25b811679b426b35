package finding

import (
	"go/ast"
	"go/token"
	"path/filepath"

	"golang.org/x/tools/go/analysis"
)

// Report hands findings to a driver that goes package by package, those that no
// comment silences. What the comments themselves get wrong is not said here.
func Report(pass *analysis.Pass, list []Finding) {
	ignores := NewIgnores(nil)
	ignores.Read(pass.Fset, pass.Pkg.Path(), pass.Files)
	for _, f := range Dedup(ignores.Filter(list)) {
		if pos, end := locate(pass.Fset, pass.Files, &f); pos.IsValid() {
			pass.Report(f.Diagnostic(pos, end, f.SuggestedFixes(pass.Fset)))
		}
	}
}

// locate finds the code that a finding points at. Line comments may have given
// it another name and line than it has in the file.
func locate(fset *token.FileSet, files []*ast.File, f *Finding) (pos, end token.Pos) {
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil || pos.IsValid() && end.IsValid() {
				return false
			}
			if !pos.IsValid() && isAt(fset, n.Pos(), f.Pos) {
				pos = n.Pos()
			}
			if !end.IsValid() && isAt(fset, n.End(), f.End) {
				end = n.End()
			}
			return true
		})
		if pos.IsValid() {
			break
		}
	}
	return pos, end
}

func isAt(fset *token.FileSet, pos token.Pos, want token.Position) bool {
	if !pos.IsValid() {
		return false
	}
	p := fset.Position(pos)
	return p.Line == want.Line && p.Column == want.Column && filepath.ToSlash(p.Filename) == filepath.ToSlash(want.Filename)
}
