package deliverylint_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/deliverylint/deliverylint"

// layers says which of the module's own packages a package may import; * stands
// for one folder. Imports go downward only, and a package that is not listed
// belongs nowhere.
func layers() map[string][]string {
	return map[string][]string{
		"internal/catalog":   {},
		"internal/sqltext":   {},
		"internal/finding":   {"internal/directive"},
		"internal/load":      {},
		"internal/changes":   {},
		"internal/directive": {},
		"internal/baseline":  {"internal/finding"},
		"internal/fix":       {"internal/finding"},
		"internal/docgen":    {},
		"internal/scaffold":  {},
		"internal/report":    {"internal/finding"},
		"internal/effect":    {"internal/directive", "internal/fix", "internal/catalog", "internal/sqltext", "internal/finding"},
		"internal/flow":      {"internal/directive", "internal/effect", "internal/catalog", "internal/sqltext", "internal/finding"},
		"analyzers/*":        {"internal/fix", "internal/flow", "internal/effect", "internal/catalog", "internal/sqltext", "internal/finding"},
		"analyzers":          {"analyzers/*", "internal/fix", "internal/flow", "internal/effect", "internal/catalog", "internal/finding"},
		"analysistest":       {"analyzers", "internal/fix", "internal/load", "internal/effect", "internal/catalog", "internal/finding"},
		"internal/settings":  {"analyzers", "internal/effect", "internal/catalog", "internal/finding"},
		"test/servers":       {},
		"plugin":             {"analyzers", "internal/settings", "internal/catalog"},
		"internal/driver": {
			"analyzers", "internal/fix", "internal/load", "internal/report", "internal/flow", "internal/effect", "internal/catalog",
			"internal/directive", "internal/finding", "internal/docgen", "internal/settings", "internal/scaffold", "internal/baseline", "internal/changes",
		},
		"cmd/deliverylint": {"internal/driver"},
	}
}

func TestImportsGoDownward(t *testing.T) {
	table := layers()
	for pkg, imports := range packages(t) {
		layer, ok := layerOf(table, pkg)
		if !ok {
			t.Errorf("package %s is in no layer", pkg)
			continue
		}
		for _, imp := range imports {
			target, _ := layerOf(table, imp)
			if !slices.Contains(table[layer], target) {
				t.Errorf("%s imports %s: not a layer below it", pkg, imp)
			}
		}
	}
}

// TestLayersHaveNoCycle keeps the table itself honest.
func TestLayersHaveNoCycle(t *testing.T) {
	table := layers()
	var visit func(layer string, above []string)
	visit = func(layer string, above []string) {
		if slices.Contains(above, layer) {
			t.Fatalf("layers go round: %s", strings.Join(append(above, layer), " -> "))
		}
		for _, below := range table[layer] {
			if _, ok := table[below]; !ok {
				t.Errorf("%s lists %s, which is no layer", layer, below)
			}
			visit(below, append(slices.Clone(above), layer))
		}
	}
	for layer := range table {
		visit(layer, nil)
	}
}

func layerOf(table map[string][]string, pkg string) (string, bool) {
	if _, ok := table[pkg]; ok {
		return pkg, true
	}
	for layer := range table {
		if ok, err := path.Match(layer, pkg); ok && err == nil {
			return layer, true
		}
	}
	return "", false
}

// packages are the module's packages with what they import of it, tests left
// out.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return skip(name, d)
		case strings.HasSuffix(name, "_test.go") || !strings.HasSuffix(name, ".go"):
			return nil
		}
		pkg := filepath.ToSlash(filepath.Dir(name))
		found[pkg] = append(found[pkg], own(t, name)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// skip leaves out hidden folders, test data and modules of their own.
func skip(name string, d fs.DirEntry) error {
	if name == "." {
		return nil
	}
	if strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

// own are the imports of a file that are the module's.
func own(t *testing.T, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, spec := range file.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if rel, ok := strings.CutPrefix(imp, module+"/"); ok {
			list = append(list, rel)
		}
	}
	return list
}
