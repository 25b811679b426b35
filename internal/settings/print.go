package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// Print is what holds, as a file that means the same: each category with its tier,
// and the other sections of the user's file as they are. data is that file.
func (s *Settings) Print(data []byte) (string, error) {
	var b strings.Builder
	if s.Config == nil {
		b.WriteString("# no " + FileName + ": what holds without one\n")
	} else {
		b.WriteString("# from " + s.Config.File + "\n")
	}
	b.WriteString("rules:\n")
	for _, name := range s.categories() {
		f := finding.Finding{Tier: s.builtin(name)}
		f.Rule, f.Category, _ = strings.Cut(name, "/")
		s.Retier(&f)
		value := string(f.Tier)
		if !s.Runs(name) {
			value = `"off"`
		}
		fmt.Fprintf(&b, "  %s: %s\n", name, value)
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return "", err
	}
	for _, doc := range file.Docs {
		for _, pair := range pairsOf(doc.Body) {
			if pair.Key.String() != "rules" {
				b.WriteString(strings.TrimRight(pair.String(), "\n") + "\n")
			}
		}
	}
	return b.String(), nil
}

// categories are all that a finding may be of, in display order.
func (s *Settings) categories() []string {
	var names []string
	for _, r := range s.all {
		for _, category := range slices.Sorted(maps.Keys(r.Tier)) {
			names = append(names, r.Name+"/"+category)
		}
	}
	return append(names, finding.DirectiveName, finding.BaselineName)
}

// builtin is the tier of a category without settings.
func (s *Settings) builtin(name string) finding.Tier {
	rule, category, _ := strings.Cut(name, "/")
	for _, r := range s.all {
		if r.Name == rule {
			return r.Tier[category]
		}
	}
	return finding.Warning
}

func pairsOf(body ast.Node) []*ast.MappingValueNode {
	switch n := body.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}
