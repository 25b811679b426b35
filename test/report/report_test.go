package report

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // for its copy of the schema
	"github.com/reviewdog/reviewdog/proto/rdf"
	"github.com/xeipuuv/gojsonschema"
	"google.golang.org/protobuf/encoding/protojson"
)

const root = "../.."

// built is the command, built once.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "deliverylint-report-")
	if err != nil {
		return "", err
	}
	tool := filepath.Join(dir, "deliverylint")
	cmd := exec.Command("go", "build", "-C", root, "-o", tool, "./cmd/deliverylint")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return tool, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if tool, err := built(); err == nil {
		os.RemoveAll(filepath.Dir(tool))
	}
	os.Exit(code)
}

// reports lints a module and returns its report in a format.
func reports(t *testing.T, dir, format string, args ...string) []byte {
	t.Helper()
	tool, err := built()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report")
	cmd := exec.Command(tool, append([]string{"-C", dir, "-o", format + "=" + file}, args...)...)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		t.Fatalf("no findings in %s: %v %s", dir, err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return data
}

// modules are what is reported on: the example, a module that can't be read whole, and
// one with fixes.
func modules(t *testing.T) map[string]string {
	t.Helper()
	broken := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":     "module example.com/broken\n\ngo 1.24\n",
		"b/ö [1].go": "package b\n\nvar ü int = x\n",
	} {
		file := filepath.Join(broken, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return map[string]string{
		"shop": filepath.Join(root, "examples", "shop"), "broken": broken, "mended": filepath.Join(repository(t), "svc"),
	}
}

// TestSARIFSchema holds the log to the JSON schema.
func TestSARIFSchema(t *testing.T) {
	schema, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(sarifSchema(t)))
	if err != nil {
		t.Fatal(err)
	}
	for name, dir := range modules(t) {
		result, err := schema.Validate(gojsonschema.NewBytesLoader(reports(t, dir, "sarif")))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, e := range result.Errors() {
			t.Errorf("%s: %s", name, e)
		}
	}
}

// sarifSchema is the schema of SARIF 2.1.0, a constant in the source of go-sarif.
func sarifSchema(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	schema := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && len(lit.Value) > len(schema) {
			schema = lit.Value
		}
		return true
	})
	text, err := strconv.Unquote(schema)
	if err != nil || !strings.Contains(text, "sarif-schema-2.1.0") {
		t.Fatalf("no schema in schema.go: %v", err)
	}
	return text
}

// TestSARIFMultitool asks Microsoft's validator, which knows what viewers and code
// hosts want beyond the schema.
func TestSARIFMultitool(t *testing.T) {
	tool := multitool(t)
	for name, dir := range modules(t) {
		file := filepath.Join(t.TempDir(), name+".sarif")
		if err := os.WriteFile(file, reports(t, dir, "sarif"), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(tool, "validate", file).CombinedOutput()
		text := string(out)
		if err != nil || !strings.Contains(text, "Analysis completed successfully") ||
			strings.Contains(text, ": error ") || strings.Contains(text, ": warning ") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// multitool installs the validator by package.json, once.
func multitool(t *testing.T) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed: the SARIF multitool can't be had")
	}
	tool := filepath.Join("node_modules", ".bin", "sarif-multitool")
	if _, err := os.Stat(tool); err != nil {
		if out, err := exec.Command(npm, "ci", "--no-audit", "--no-fund").CombinedOutput(); err != nil {
			t.Fatalf("npm ci: %v\n%s", err, out)
		}
	}
	return tool
}

// TestRdjson reads the report as reviewdog does.
func TestRdjson(t *testing.T) {
	for name, dir := range modules(t) {
		var result rdf.DiagnosticResult
		if err := protojson.Unmarshal(reports(t, dir, "rdjson"), &result); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(result.Diagnostics) == 0 {
			t.Errorf("%s: no diagnostics", name)
		}
		for _, d := range result.Diagnostics {
			if d.Message == "" || d.GetLocation().GetPath() == "" || d.GetCode().GetValue() == "" || d.Severity == rdf.Severity_UNKNOWN_SEVERITY {
				t.Errorf("%s: %v", name, d)
			}
		}
	}
}
