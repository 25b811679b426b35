package catalog

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

const head = "library: x\nmodules: [example.org/x]\npackages: [example.org/x]\n"

func TestStrictLibrary(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"unknown section": {head + "extra: 1\n", []string{"a.yaml:4: unknown key extra"}},
		"nothing":         {"", []string{"a.yaml:1: library is missing", "a.yaml:1: modules is missing", "a.yaml:1: packages is missing"}},
		"no mapping": {"- x\n", []string{"a.yaml:1: the file: a mapping is wanted, not Sequence",
			"a.yaml:1: library is missing", "a.yaml:1: modules is missing", "a.yaml:1: packages is missing"}},
		"package outside": {"library: x\nmodules: [example.org/x]\npackages: [example.org/xy]\n",
			[]string{"a.yaml:3: packages: example.org/xy is in none of the modules"}},
		"no packages":   {"library: x\nmodules: []\npackages: []\n", []string{"a.yaml:3: packages is empty"}},
		"package twice": {"library: x\nmodules: []\npackages: [a, a]\n", []string{"a.yaml:3: packages: a stands twice"}},
		"lists":         {"library: [x]\nmodules: x\npackages: [1]\n", []string{"a.yaml:1: library: a string is wanted", "a.yaml:2: modules: a list is wanted", "a.yaml:3: packages: a string is wanted"}},
		"unknown kind": {head + "functions:\n  A.B: {kind: sing}\n  C: {handle: none}\n",
			[]string{`a.yaml:5: kind: unknown value "sing" (known: begin, `, "a.yaml:6: C: kind is missing"}},
		"unknown words": {head + "functions:\n  A: {kind: publish, confirm: maybe}\n  B: {kind: receive, ack: x, on-error: y}\n  C: {kind: write, op: z}\n",
			[]string{`a.yaml:5: confirm: unknown value "maybe"`, `a.yaml:6: ack: unknown value "x"`, `a.yaml:6: on-error: unknown value "y"`, `a.yaml:7: op: unknown value "z"`}},
		"unknown key": {head + "functions:\n  A:\n    kind: write\n    entitty: 0\n", []string{"a.yaml:7: A: unknown key entitty"}},
		"senseless key": {head + "functions:\n  A: {kind: publish, sql: 0}\n  B: {kind: ignore, handle: none}\n",
			[]string{"a.yaml:5: A: sql makes no sense for kind publish", "a.yaml:6: B: handle makes no sense for kind ignore"}},
		"needed key": {head + "functions:\n  A: {kind: sql}\n  B: {kind: run-in-tx}\n",
			[]string{"a.yaml:5: A: kind sql wants sql", "a.yaml:6: B: kind run-in-tx wants func"}},
		"one argument, two roles": {head + "functions:\n  A: {kind: sql, sql: 0}\n", []string{"a.yaml:5: A: argument 0 can't be both handle and sql"}},
		"indices": {head + "functions:\n  T.A: {kind: sql, sql: -1}\n  T.B: {kind: sql, sql: one}\n  T.C: {kind: sql, sql: 99}\n  T.D: {kind: sql, sql: 1.5}\n",
			[]string{"a.yaml:5: sql: an index from 0 to 31 is wanted", "a.yaml:6: sql: an index", "a.yaml:7: sql: an index", "a.yaml:8: sql: an index"}},
		"handle": {head + "functions:\n  A: {kind: write, handle: recv}\n  B: {kind: write, handle: here}\n",
			[]string{"a.yaml:5: handle: a function has no receiver", `a.yaml:6: handle: unknown value "here"`}},
		"boolean":          {head + "functions:\n  A: {kind: write, autocommit: yes please}\n", []string{"a.yaml:5: autocommit: true or false is wanted"}},
		"symbol twice":     {head + "functions:\n  A: {kind: write}\n  A: {kind: read}\n", []string{"a.yaml:6: functions: A stands twice, first in line 5"}},
		"names":            {head + "functions:\n  A.B.C: {kind: write}\n  'A-B': {kind: write}\ntypes:\n  A.B: {class: tx}\n", []string{`a.yaml:5: "A.B.C" is no Func or Type.Method`, `a.yaml:6: "A-B"`, `a.yaml:8: "A.B" is no type name`}},
		"entry no mapping": {head + "functions:\n  A: write\n", []string{"a.yaml:5: A: a mapping is wanted, not String", "a.yaml:5: A: kind is missing"}},
		"class":            {head + "types:\n  A: {class: pond}\n  B: {}\n  C: {class: tx, size: 1}\n", []string{`a.yaml:5: class: unknown value "pond"`, "a.yaml:6: B: class is missing", "a.yaml:7: C: unknown key size"}},
		"only": {head + "functions:\n  A: {kind: write, only: [example.org/y]}\n  B: {kind: write, except: []}\n",
			[]string{"a.yaml:5: only: example.org/y is not among the packages", "a.yaml:6: except is empty"}},
		"clause": {head + "functions:\n  A: {kind: bind, text: 1}\n  B: {kind: bind, clause: verse}\n  C: {kind: sql, sql: 1, clause: where}\n",
			[]string{"a.yaml:5: A: text wants clause", `a.yaml:6: clause: unknown value "verse"`, "a.yaml:7: C: clause makes no sense for kind sql"}},
		"any method": {head + "functions:\n  A.*: {kind: write}\n  '*': {kind: bind}\n",
			[]string{"a.yaml:5: A.*: only kind bind holds for any method", `a.yaml:6: "*" is no Func or Type.Method`}},
		"handlers": {head + "handlers:\n  - {method: M}\n  - {interface: I}\n  - {interface: I, method: M, ack: never}\n  - {interface: I, method: M, extra: 1}\n",
			[]string{"a.yaml:5: a handler: interface or param is missing", "a.yaml:6: a handler: method is missing", `a.yaml:7: ack: unknown value "never"`, "a.yaml:8: a handler: unknown key extra"}},
		"second document": {head + "---\nlibrary: y\n", []string{"a.yaml:5: a second document in one file"}},
		"merge key":       {head + "functions:\n  A: {<<: {}, kind: write}\n", []string{"a.yaml:5: A: a key that is not a string"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readFiles(tc.text)
			expect(t, errorLines(t, err), tc.want)
		})
	}
}

// TestTitle: what a file is about is found without reading it as YAML.
func TestTitle(t *testing.T) {
	for text, want := range map[string][]string{
		head:                  nil,
		"# x: [y]\n\n" + head: nil,
		"library: x\nmodules:\n- example.org/x # one\npackages: [example.org/x]\n":                                                               {"a.yaml:1: modules and packages are not"},
		"library: x\nmodules:\n  - example.org/x\n  - example.org/y\n# z\npackages:\n  - example.org/x\n  # w\n  - example.org/y/z\nbroker: b\n": nil,
		"library: x\nmodules: []\npackages: [net/http,  net/smtp]\ntypes:\n  A: {class: tx, only: [net/http]}\n":                                 nil,
		"library: x\nfunctions:\n  A: {kind: write}\nmodules: []\npackages: [example.org/x]\n":                                                   {"a.yaml:1: modules and packages are not"},
		"library: x\nmodules: []\npackages:\n  [example.org/x]\n":                                                                                {"a.yaml:1: modules and packages are not"},
	} {
		_, err := readFiles(text)
		expect(t, errorLines(t, err), want)
	}
}

// TestFilesAreReadWhenAskedFor: the others cost nothing.
func TestFilesAreReadWhenAskedFor(t *testing.T) {
	c, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if _, ok := c.Type("database/sql", "Tx"); !ok {
				t.Error("sql.Tx is not known")
			}
		})
	}
	wait.Wait()
	if _, ok := c.Function(Symbol{"example.org/x", "T", "M"}); ok || c.HasPackage("example.org/x") {
		t.Error("example.org/x is known")
	}
	var read []string
	for _, v := range c.shelf.volumes {
		if v.got != nil {
			read = append(read, v.file)
		}
	}
	if !slices.Equal(read, []string{"database-sql.yaml"}) {
		t.Errorf("read %q", read)
	}
}

func BenchmarkBuiltin(b *testing.B) {
	for b.Loop() {
		c, err := Builtin()
		if err != nil {
			b.Fatal(err)
		}
		c.Type("database/sql", "Tx")
	}
}

func TestSyntaxErrorHasLine(t *testing.T) {
	_, err := readFiles(head + "functions: {A: [\n")
	lines := errorLines(t, err)
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "a.yaml:") {
		t.Errorf("got %q", lines)
	}
}

func TestSymbolInTwoFiles(t *testing.T) {
	text := head + "types:\n  T: {class: tx}\nfunctions:\n  A: {kind: write}\n"
	_, err := readFiles(text, text)
	expect(t, errorLines(t, err), []string{
		"b.yaml:7: example.org/x.A stands twice, first at a.yaml:7",
		"b.yaml:5: example.org/x.T stands twice, first at a.yaml:5",
	})
}

// expect compares messages by their beginnings.
func expect(t *testing.T, got, want []string) {
	t.Helper()
	got = slices.Sorted(slices.Values(got))
	want = slices.Sorted(slices.Values(want))
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("errors:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(head + "functions:\n  A: {kind: sql, sql: 1}\n")
	f.Add("a: &x [*x]\n? {b}\n: c\n--- !t\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := readFiles(text)
		errorLines(t, err)
		_, _, err = newCatalog().With("u.yml", []byte(text))
		errorLines(t, err)
	})
}
