package finding

import (
	"go/ast"
	"go/token"
	"strings"
)

// Ignores are the ignore comments of the files under analysis.
type Ignores struct {
	// rules are the rule and rule/category names that a comment may write.
	rules []string
	list  []*directive
	files map[string]bool
}

// NewIgnores makes an empty set; rules are the names that a comment may write,
// nil for any.
func NewIgnores(rules []string) *Ignores {
	return &Ignores{rules: rules, files: map[string]bool{}}
}

// Read takes in the comments of a package's files. A file that was read before,
// as part of the package without its tests, is passed over.
func (ig *Ignores) Read(fset *token.FileSet, pkg string, files []*ast.File) {
	for _, file := range files {
		name := fset.Position(file.Package).Filename
		if ig.files[name] {
			continue
		}
		ig.files[name] = true
		ig.list = append(ig.list, directivesOf(fset, file, pkg, ig.rules)...)
	}
}

// Filter takes the findings away that a comment silences.
func (ig *Ignores) Filter(list []Finding) []Finding {
	byFile := map[string][]*directive{}
	for _, d := range ig.list {
		byFile[d.pos.Filename] = append(byFile[d.pos.Filename], d)
	}
	var kept []Finding
	for _, f := range list {
		silent := false
		for _, d := range byFile[f.Pos.Filename] {
			if name := d.silences(&f); name != "" {
				silent = true
				d.use(name)
			}
		}
		if !silent {
			kept = append(kept, f)
		}
	}
	return kept
}

func (d *directive) use(name string) {
	if d.used == nil {
		d.used = map[string]bool{}
	}
	d.used[name] = true
}

// Complaints are the findings about the comments themselves: malformed ones,
// ones without a reason, and names that silenced nothing although sure says
// that the rule has run over all of the file's code. Call it after Filter.
func (ig *Ignores) Complaints(sure func(name, file string) bool) []Finding {
	var out []Finding
	for _, d := range ig.list {
		if d.flaw != "" {
			out = append(out, d.complaint(d.text+" "+d.flaw))
			continue
		}
		var idle []string
		for _, name := range d.names {
			if !d.used[name] && sure(name, d.pos.Filename) {
				idle = append(idle, name)
			}
		}
		if len(idle) > 0 {
			out = append(out, d.complaint(d.text+" silences nothing: there is no finding of "+strings.Join(idle, ", ")+" here"))
		}
	}
	return out
}

func (d *directive) complaint(message string) Finding {
	return Finding{
		Rule: DirectiveRule, Category: DirectiveCategory, Tier: Warning, Evidence: Proven,
		Pos: d.pos, End: d.end, Package: d.pkg, Function: d.function, Callee: d.text, Message: message,
	}
}
