package deliverylint_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/catalog"
)

// pages are the pages written by hand.
func pages(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, name := range append(names, "README.md", "CHANGELOG.md") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(data)
	}
	return texts
}

var link = regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)

func TestLinksLeadSomewhere(t *testing.T) {
	for name, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s: dead link %s", name, m[1])
			}
		}
	}
}

// TestIndexListsEveryPage: its lists are the navigation of the site.
func TestIndexListsEveryPage(t *testing.T) {
	const index = "docs/index.md"
	rules, err := filepath.Glob("docs/rules/*.md")
	if err != nil || len(rules) == 0 {
		t.Fatalf("no pages of rules: %v", err)
	}
	texts := pages(t)
	for _, name := range append(rules, slices.Sorted(maps.Keys(texts))...) {
		to, err := filepath.Rel("docs", name)
		if err != nil {
			t.Fatal(err)
		}
		if name != index && !strings.Contains(texts[index], "]("+filepath.ToSlash(to)+")") {
			t.Errorf("%s doesn't list %s", index, name)
		}
	}
}

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// TestSettingsInPagesAreValid reads each example of a user's file.
func TestSettingsInPagesAreValid(t *testing.T) {
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range pages(t) {
		for _, m := range yamlBlock.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], "library:") {
				continue
			}
			if _, _, err := cat.With(name, []byte(m[1])); err != nil {
				t.Errorf("%s:\n%s%v", name, m[1], err)
			}
		}
	}
}

func TestReadmeListsTheRules(t *testing.T) {
	readme := pages(t)["README.md"]
	for _, r := range analyzers.All() {
		if !strings.Contains(readme, "["+r.Name+"](docs/rules/"+r.Name+".md)") {
			t.Errorf("README.md doesn't list %s", r.Name)
		}
		for category, tier := range r.Tier {
			row := regexp.MustCompile(`\| ` + regexp.QuoteMeta(category) + ` \| .* \| ` + string(tier) + ` \|`)
			if !row.MatchString(readme) {
				t.Errorf("README.md doesn't list %s/%s as %s", r.Name, category, tier)
			}
		}
	}
}

// TestKindsAreDocumented holds the table of kinds to the catalog's own list.
func TestKindsAreDocumented(t *testing.T) {
	page := pages(t)["docs/adding-a-library.md"]
	for _, kind := range constants(t, "internal/catalog/model.go", "Kind") {
		row := regexp.MustCompile(`(?m)^\| ([a-z-]+, )*` + regexp.QuoteMeta(kind) + `(, [a-z-]+)* \|`)
		if !row.MatchString(page) {
			t.Errorf("docs/adding-a-library.md doesn't tell of kind %s", kind)
		}
	}
	for _, class := range constants(t, "internal/catalog/model.go", "Class") {
		if !strings.Contains(page, "`"+class+"`") {
			t.Errorf("docs/adding-a-library.md doesn't tell of class %s", class)
		}
	}
}

// constants are the string constants of a type in a file.
func constants(t *testing.T, name, typ string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != typ {
			return true
		}
		for _, v := range spec.Values {
			if lit, ok := v.(*ast.BasicLit); ok {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, text)
			}
		}
		return true
	})
	if len(list) == 0 {
		t.Fatalf("%s has no constants of type %s", name, typ)
	}
	return list
}
