package analysistest

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// want is one finding that a comment asks for.
type want struct {
	file     string
	line     int
	category string
	message  *regexp.Regexp // nil: any
}

// readWants reads the want comments of a file; tiers has the rule's categories.
func readWants(fset *token.FileSet, file *ast.File, tiers map[string]finding.Tier) ([]want, error) {
	var out []want
	var errs []error
	for _, group := range file.Comments {
		for _, c := range group.List {
			text, ok := strings.CutPrefix(c.Text, "// want ")
			if !ok {
				continue
			}
			pos := fset.Position(c.Pos())
			wants, err := parseWants(text, tiers)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", pos, err))
			}
			for _, w := range wants {
				w.file, w.line = pos.Filename, pos.Line
				out = append(out, w)
			}
		}
	}
	return out, errors.Join(errs...)
}

// parseWants reads categories, each with or without a quoted expression.
func parseWants(text string, tiers map[string]finding.Tier) ([]want, error) {
	var out []want
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		category, rest, _ := strings.Cut(text, " ")
		if _, ok := tiers[category]; !ok {
			return nil, fmt.Errorf("want %q: not a category of the rule", category)
		}
		w := want{category: category}
		text = strings.TrimSpace(rest)
		if quoted, err := strconv.QuotedPrefix(text); err == nil {
			pattern, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, fmt.Errorf("want %s: %w", quoted, err)
			}
			if w.message, err = regexp.Compile(pattern); err != nil {
				return nil, fmt.Errorf("want %s: %w", quoted, err)
			}
			text = text[len(quoted):]
		}
		out = append(out, w)
	}
	if len(out) == 0 {
		return nil, errors.New("want: no category")
	}
	return out, nil
}

// takes reports whether a finding is what is wanted.
func (w *want) takes(f *finding.Finding) bool {
	return w.file == f.Pos.Filename && w.line == f.Pos.Line && w.category == f.Category &&
		(w.message == nil || w.message.MatchString(f.Message))
}

func (w *want) String() string {
	if w.message == nil {
		return w.category
	}
	return fmt.Sprintf("%s %q", w.category, w.message)
}

// match pairs wants with findings, each with at most one, and returns those
// that are left.
func match(wants []want, found []finding.Finding) (missing []want, extra []finding.Finding) {
	taken := make([]bool, len(found))
next:
	for _, w := range wants {
		for i := range found {
			if !taken[i] && w.takes(&found[i]) {
				taken[i] = true
				continue next
			}
		}
		missing = append(missing, w)
	}
	for i, f := range found {
		if !taken[i] {
			extra = append(extra, f)
		}
	}
	return missing, extra
}
