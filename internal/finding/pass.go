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
	ReportAll(pass, ignores.Filter(list))
}

// ReportAll hands over all findings, whatever the comments say.
func ReportAll(pass *analysis.Pass, list []Finding) {
	for _, f := range Dedup(list) {
		if pos, end := locate(pass.Fset, pass.Files, &f); pos.IsValid() {
			pass.Report(f.Diagnostic(pos, end, f.SuggestedFixes(pass.Fset)))
		}
	}
}

// locate finds the code that a finding points at.
func locate(fset *token.FileSet, files []*ast.File, f *Finding) (pos, end token.Pos) {
	for _, file := range files {
		if pos = place(fset, file, f.Pos); pos.IsValid() {
			if f.End.Column > 0 { // a line comment leaves no columns
				end = place(fset, file, f.End)
			}
			return pos, end
		}
	}
	return token.NoPos, token.NoPos
}

// place finds a position in a file. A line comment may have given the code
// another name and line than it has in the file; then the code is searched.
func place(fset *token.FileSet, file *ast.File, want token.Position) token.Pos {
	tf := fset.File(file.FileStart)
	if want.Line >= 1 && want.Line <= tf.LineCount() {
		at := int(tf.LineStart(want.Line)) - tf.Base() + want.Column - 1
		if at >= 0 && at <= tf.Size() && isAt(fset, tf.Pos(at), want) {
			return tf.Pos(at)
		}
	}
	found := token.NoPos
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || found.IsValid() {
			return false
		}
		for _, pos := range []token.Pos{n.Pos(), n.End()} {
			if !found.IsValid() && isAt(fset, pos, want) {
				found = pos
			}
		}
		return true
	})
	return found
}

func isAt(fset *token.FileSet, pos token.Pos, want token.Position) bool {
	if !pos.IsValid() {
		return false
	}
	p := fset.Position(pos)
	return p.Line == want.Line && p.Column == want.Column && filepath.ToSlash(p.Filename) == filepath.ToSlash(want.Filename)
}
