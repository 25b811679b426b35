package finding

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	declares "github.com/deliverylint/deliverylint/internal/directive"
)

// prefix opens deliverylint's own directives.
const prefix = declares.Prefix

// directive is one ignore comment.
type directive struct {
	// text is the comment up to the reason, for messages.
	text string
	// names are the rules or rule/category names that it silences.
	names []string
	// reason is what the user wrote, flaw what is wrong with the comment.
	reason, flaw string
	// used are the names that silenced something.
	used map[string]bool

	pos, end token.Position
	// last is the last line that it covers, from its own line on.
	last          int
	pkg, function string
}

// silences returns the name of the directive that takes a finding away, "" if
// none does.
func (d *directive) silences(f *Finding) string {
	if f.Pos.Filename != d.pos.Filename || !d.covers(f) {
		return ""
	}
	for _, name := range d.names {
		if name == DirectiveRule || name == f.Rule || name == f.Name() {
			return name
		}
	}
	return ""
}

// covers reports whether a finding stands in the directive's lines, or the call
// that it points at ends on the directive's line.
func (d *directive) covers(f *Finding) bool {
	if f.Pos.Line >= d.pos.Line && f.Pos.Line <= d.last {
		return true
	}
	return f.Pos.Line <= d.pos.Line && d.pos.Line <= f.End.Line
}

// parseDirective reads a comment; nil if it is none of ours.
func parseDirective(text string, rules []string) *directive {
	body, ok := strings.CutPrefix(text, "//")
	if !ok {
		return nil
	}
	if rest, ok := strings.CutPrefix(body, prefix); ok {
		return parseOwn(rest, rules)
	}
	trimmed := strings.TrimLeft(body, " \t")
	if rest, ok := strings.CutPrefix(trimmed, prefix+"ignore "); ok {
		return parseSpaced(rest, rules)
	}
	if rest, ok := strings.CutPrefix(trimmed, "nolint:"); ok {
		return parseNolint(rest, rules)
	}
	return nil
}

// parseOwn reads what follows //deliverylint: on a line.
func parseOwn(rest string, rules []string) *directive {
	verb, rest, _ := strings.Cut(rest, " ")
	d := &directive{text: "//" + prefix + verb}
	if _, flaw, ok := declares.Parse(d.text + " " + rest); ok {
		if d.flaw = flaw; flaw == "" {
			return nil
		}
		return d
	}
	if verb != "ignore" {
		d.flaw = "is no directive that deliverylint knows"
		return d
	}
	list, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	d.reason = strings.TrimSpace(strings.TrimLeft(reason, "/ "))
	if list == "" {
		d.flaw = "names no rule"
		return d
	}
	d.text += " " + list
	for _, name := range strings.Split(list, ",") {
		if !known(rules, name) {
			d.flaw = "names a rule that doesn't exist: " + name
			return d
		}
		d.names = append(d.names, name)
	}
	if d.reason == "" {
		d.flaw = "gives no reason: nobody can tell later whether it still holds"
	}
	return d
}

// parseSpaced catches a directive that is plain text because of a space; prose
// that happens to open alike names no rule.
func parseSpaced(rest string, rules []string) *directive {
	list, _, _ := strings.Cut(rest, " ")
	first, _, _ := strings.Cut(list, ",")
	if !known(rules, first) {
		return nil
	}
	return &directive{
		text: "// " + prefix + "ignore " + list,
		flaw: "is plain text: a directive has no space after the slashes",
	}
}

// parseNolint reads what follows //nolint: on a line; the names of other
// linters in the list are not ours.
func parseNolint(rest string, rules []string) *directive {
	list, reason, _ := strings.Cut(rest, "//")
	d := &directive{reason: strings.TrimSpace(reason)}
	for _, name := range strings.Split(list, ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); known(rules, name) {
			d.names = append(d.names, name)
		}
	}
	if len(d.names) == 0 {
		return nil
	}
	d.text = "//nolint:" + strings.Join(d.names, ",")
	if d.reason == "" {
		d.flaw = "gives no reason: nobody can tell later whether it still holds"
	}
	return d
}

// known reports whether a name is that of the linter, of a rule or of a rule's
// category. One rule alone doesn't know the others: without a list any will do.
func known(rules []string, name string) bool {
	return len(rules) == 0 || name == DirectiveRule || slices.Contains(rules, name)
}

// directivesOf reads the ignore comments of a file.
func directivesOf(fset *token.FileSet, file *ast.File, pkg string, rules []string) []*directive {
	var list []*directive
	for _, group := range file.Comments {
		for _, c := range group.List {
			d := parseDirective(c.Text, rules)
			if d == nil {
				continue
			}
			d.pos, d.end = fset.Position(c.Pos()), fset.Position(c.End())
			d.pkg, d.function = pkg, enclosing(file, c)
			d.last = fset.Position(group.End()).Line
			list = append(list, d)
		}
	}
	if len(list) > 0 {
		extend(fset, file, list)
	}
	return list
}

// extend widens each directive to the code it stands for: what begins on its
// line, or, if there is no code before it on that line, what begins on the line
// below the comment group it is in.
func extend(fset *token.FileSet, file *ast.File, list []*directive) {
	trailing := map[int]bool{}
	code(file, func(n ast.Node) {
		trailing[fset.Position(begin(n)).Line] = true
		trailing[fset.Position(n.End()-1).Line] = true
	})
	starts := map[int][]*directive{}
	for _, d := range list {
		from := d.last + 1
		if trailing[d.pos.Line] {
			from, d.last = d.pos.Line, d.pos.Line
		}
		starts[from] = append(starts[from], d)
	}
	code(file, func(n ast.Node) {
		for _, d := range starts[fset.Position(begin(n)).Line] {
			d.last = max(d.last, fset.Position(n.End()).Line)
		}
	})
}

// code visits the nodes of a file that are no comments.
func code(file *ast.File, visit func(ast.Node)) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		}
		visit(n)
		return true
	})
}

// begin is where a node's code begins: a file's is its package clause.
func begin(n ast.Node) token.Pos {
	if file, ok := n.(*ast.File); ok {
		return file.Package
	}
	return n.Pos()
}

// enclosing names the function around a comment, or the one it documents.
func enclosing(file *ast.File, c *ast.Comment) string {
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		from := fn.Pos()
		if fn.Doc != nil {
			from = fn.Doc.Pos()
		}
		if from <= c.Pos() && c.Pos() < fn.End() {
			return FuncName(fn)
		}
	}
	return ""
}
