package settings

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/finding"
)

func rules() []analyzers.Rule {
	return []analyzers.Rule{
		{Name: "r", Tier: map[string]finding.Tier{"a": finding.Error, "b": finding.Error}},
		{Name: "s", Tier: map[string]finding.Tier{"c": finding.Warning}},
	}
}

// builtin reads the catalog once for all tests; it doesn't change.
var builtin = sync.OnceValues(catalog.Builtin)

func newSettings(t *testing.T) *Settings {
	t.Helper()
	cat, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	return New(cat, rules())
}

func TestRuns(t *testing.T) {
	all := []string{"deliverylint/directive", "r/a", "r/b", "s/c"}
	for _, test := range []struct {
		file            string
		enable, disable []string
		want            string
		rules           string
	}{
		{want: "deliverylint/directive r/a r/b s/c", rules: "r s"},
		{enable: []string{"r"}, want: "r/a r/b", rules: "r"},
		{enable: []string{"r/a", "s"}, want: "r/a s/c", rules: "r s"},
		{disable: []string{"r"}, want: "deliverylint/directive s/c", rules: "s"},
		{disable: []string{"r/a"}, want: "deliverylint/directive r/b s/c", rules: "r s"},
		{enable: []string{"r/a"}, disable: []string{"r"}, want: "r/a", rules: "r"},
		{enable: []string{"r"}, disable: []string{"r/a"}, want: "r/b", rules: "r"},
		{file: "rules:\n  r: off\n", want: "deliverylint/directive s/c", rules: "s"},
		{file: "rules:\n  r: off\n", enable: []string{"r"}, want: "r/a r/b", rules: "r"},
		{file: "rules:\n  r/a: off\n  deliverylint: off\n", want: "r/b s/c", rules: "r s"},
	} {
		s := newSettings(t)
		readFile(t, s, test.file)
		if err := s.Enable(test.enable); err != nil {
			t.Fatal(err)
		}
		if err := s.Disable(test.disable); err != nil {
			t.Fatal(err)
		}
		runs := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !s.Runs(name) })
		var names []string
		for _, r := range s.Rules() {
			names = append(names, r.Name)
		}
		if got := strings.Join(runs, " "); got != test.want {
			t.Errorf("%+v: runs %s", test, got)
		}
		if got := strings.Join(names, " "); got != test.rules {
			t.Errorf("%+v: rules %s", test, got)
		}
	}
}

func readFile(t *testing.T, s *Settings, text string) {
	t.Helper()
	if text == "" {
		return
	}
	file := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.ReadFile(file, FileName); err != nil {
		t.Fatal(err)
	}
}

func TestWhole(t *testing.T) {
	s := newSettings(t)
	if err := s.Disable([]string{"r/a"}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"deliverylint": false, "r": false, "r/a": false, "r/b": true, "s": true} {
		if got := s.Whole(name); got != want {
			t.Errorf("Whole(%s) = %v", name, got)
		}
	}
}

func TestRetier(t *testing.T) {
	s := newSettings(t)
	readFile(t, s, "rules:\n  r: warning\n  r/b: error\n  s/c: error\n")
	for name, want := range map[string]finding.Tier{"r/a": finding.Warning, "r/b": finding.Error, "s/c": finding.Error} {
		f := finding.Finding{Rule: name[:1], Category: name[2:]}
		s.Retier(&f)
		if f.Tier != want {
			t.Errorf("%s has tier %s", name, f.Tier)
		}
	}
}

func TestExcluded(t *testing.T) {
	s := newSettings(t)
	readFile(t, s, "paths:\n  exclude: [gen/, internal/*/fake.go, \"**/mocks\", /x/y/**/z]\n")
	for name, want := range map[string]bool{
		"gen/a.go":            true,
		"gen/sub/a.go":        true,
		"generated/a.go":      false,
		"internal/a/fake.go":  true,
		"internal/a/b.go":     false,
		"internal/fake.go":    false,
		"mocks/m.go":          true,
		"a/b/mocks/m.go":      true,
		"a/mocks.go":          false,
		"x/y/z":               true,
		"x/y/1/2/z/f.go":      true,
		"../other/mocks/m.go": true,
		"../gen/a.go":         false,
	} {
		if got := s.Excluded(name); got != want {
			t.Errorf("Excluded(%s) = %v", name, got)
		}
	}
}

func TestResolve(t *testing.T) {
	s := newSettings(t)
	readFile(t, s, `functions:
  example.com/p.Missing: {kind: publish}
  (example.com/p.T).M: {kind: publish}
  (example.com/p.T).Gone: {kind: publish}
  example.com/elsewhere.Fn: {kind: publish}
handlers:
  - {interface: example.com/p.T, method: M}
  - {interface: example.com/p.T, method: Lost}
  - {interface: example.com/p.I, method: M}
  - {param: example.com/p.T, method: M}
  - {param: example.com/p.U, method: M}
  - {param: example.com/elsewhere.U, method: M}
outbox:
  functions: [example.com/p.T]
`)
	pkg := types.NewPackage("example.com/p", "p")
	typ := types.NewTypeName(0, pkg, "T", nil)
	named := types.NewNamed(typ, types.NewStruct(nil, nil), nil)
	sig := types.NewSignatureType(types.NewVar(0, pkg, "t", types.NewPointer(named)), nil, nil, nil, nil, false)
	named.AddMethod(types.NewFunc(0, pkg, "M", sig))
	pkg.Scope().Insert(typ)
	err := s.Resolve(map[string]*types.Package{"example.com/p": pkg})
	want := strings.Join([]string{
		".deliverylint.yml:2: there is no example.com/p.Missing (example.com/p has T)",
		".deliverylint.yml:4: there is no example.com/p.T.Gone (T has M)",
		".deliverylint.yml:8: there is no example.com/p.T.Lost (T has M)",
		".deliverylint.yml:9: there is no example.com/p.I.M (example.com/p has T)",
		".deliverylint.yml:11: there is no example.com/p.U (example.com/p has T)",
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
