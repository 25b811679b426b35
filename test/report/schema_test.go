package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/xeipuuv/gojsonschema"
)

func settingsSchema(t *testing.T) *gojsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// valid tells whether an editor would be content with a settings file.
func valid(t *testing.T, schema *gojsonschema.Schema, text string) (bool, []gojsonschema.ResultError) {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	result, err := schema.Validate(gojsonschema.NewBytesLoader(data))
	if err != nil {
		t.Fatal(err)
	}
	return result.Valid(), result.Errors()
}

var wrongFile = regexp.MustCompile(`(?m)^-- schema (.*) --$`)

// TestSchemaFindsWhatIsWrong: of the wrong settings that the command is tested
// with, the schema finds those that don't need the code.
func TestSchemaFindsWhatIsWrong(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "internal", "driver", "testdata", "wrong.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	schema, text := settingsSchema(t), string(data)
	heads := wrongFile.FindAllStringSubmatchIndex(text, -1)
	if len(heads) < 20 {
		t.Errorf("%d files", len(heads))
	}
	for _, h := range heads {
		body, _, _ := strings.Cut(text[h[1]+1:], "\n-- ")
		if ok, _ := valid(t, schema, body); ok {
			t.Errorf("%s: the schema finds nothing", text[h[2]:h[3]])
		}
	}
}

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// TestSchemaTakesWhatIsRight: the examples of the pages, and an entry of each form.
func TestSchemaTakesWhatIsRight(t *testing.T) {
	schema := settingsSchema(t)
	texts := []string{"", "{}", "rules:\npaths:\noutbox:\nfunctions:\n", `functions:
  example.com/m.F: {kind: publish, topic: 0, confirm: none, handle: none, result: none}
  (*example.com/m.T).M: {kind: sql, sql: 1, handle: recv}
  example.com/v2/m.T.M: {kind: bind, text: 0, clause: where}
  (github.com/nats-io/nats.go.Conn).Publish: {kind: ignore}
types:
  github.com/nats-io/nats.go.Conn: {class: producer, broker: nats}
handlers:
  - {param: example.com/m.T, method: On}
inbox: {tables: [seen], functions: [example.com/m.Seen]}
`}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range yamlBlock.FindAllStringSubmatch(string(data), -1) {
			if !strings.HasPrefix(m[1], "library:") {
				texts = append(texts, m[1])
			}
		}
	}
	for _, text := range texts {
		if ok, errs := valid(t, schema, text); !ok {
			t.Errorf("%v in\n%s", errs, text)
		}
	}
}
