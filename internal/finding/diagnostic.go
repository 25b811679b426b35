package finding

import (
	"go/token"

	"golang.org/x/tools/go/analysis"
)

// Diagnostic is the finding as package-by-package drivers take it. Its message
// ends with the name that a comment silences it by, as in our own report. It
// carries no related places: golangci-lint would make an issue of each, so the
// message stands alone. pos and end are the site, and fixes are the edits that
// hold in the driver's own file set.
func (f *Finding) Diagnostic(pos, end token.Pos, fixes []analysis.SuggestedFix) analysis.Diagnostic {
	return analysis.Diagnostic{
		Pos:            pos,
		End:            end,
		Category:       f.Name(),
		Message:        f.Message + " (" + f.Name() + ")",
		SuggestedFixes: fixes,
	}
}

// SuggestedFixes turns the finding's edits into ones of a file set, and leaves
// out each fix that touches a file the set doesn't hold, or more than one file:
// drivers apply such fixes in part.
func (f *Finding) SuggestedFixes(fset *token.FileSet) []analysis.SuggestedFix {
	var out []analysis.SuggestedFix
	for _, fix := range f.Fixes {
		if edits := textEdits(fset, fix.Edits); edits != nil {
			out = append(out, analysis.SuggestedFix{Message: fix.Message, TextEdits: edits})
		}
	}
	return out
}

func textEdits(fset *token.FileSet, edits []Edit) []analysis.TextEdit {
	var out []analysis.TextEdit
	for _, e := range edits {
		file := fileOf(fset, e.File)
		if file == nil || e.File != edits[0].File || e.Start < 0 || e.End > file.Size() {
			return nil
		}
		out = append(out, analysis.TextEdit{Pos: file.Pos(e.Start), End: file.Pos(e.End), NewText: []byte(e.NewText)})
	}
	return out
}

func fileOf(fset *token.FileSet, name string) *token.File {
	var found *token.File
	fset.Iterate(func(f *token.File) bool {
		if f.Name() == name {
			found = f
		}
		return found == nil
	})
	return found
}
