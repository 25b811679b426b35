package catalog

import (
	"reflect"
	"testing"
)

const user = `rules:
  publishoutsidetx: off
  checkthenact/volatile-store: warning
paths:
  exclude: ["gen/**", internal/mock]
outbox: {tables: [events_out], functions: [example.org/shop/store.Store.Queue]}
inbox:
  tables:
    - seen
types:
  example.org/shop/events.Bus: {class: producer, broker: kafka}
functions:
  "example.org/shop/events.Bus.Emit": {kind: publish, topic: 1}
  "example.org/bus.Bus.Emit": {kind: ignore}
handlers:
  - {interface: example.org/shop/events.Handler, method: On, ack: return}
`

func TestWith(t *testing.T) {
	base := mustRead(t, shop)
	c, cfg, err := base.With(".deliverylint.yml", []byte(user))
	if err != nil {
		t.Fatal(err)
	}
	emit, ok := c.Function(Symbol{"example.org/shop/events", "Bus", "Emit"})
	if !ok || emit.Kind != Publish || emit.Topic != 1 || emit.Source != ".deliverylint.yml:13" || emit.Library != "" {
		t.Errorf("Bus.Emit = %+v, %v", emit, ok)
	}
	if e, _ := c.Function(Symbol{"example.org/bus", "Bus", "Emit"}); e.Kind != Ignore {
		t.Errorf("the user's entry doesn't win: %+v", e)
	}
	if e, _ := base.Function(Symbol{"example.org/bus", "Bus", "Emit"}); e.Kind != Publish {
		t.Errorf("With changed its receiver: %+v", e)
	}
	if ty, ok := c.Type("example.org/shop/events", "Bus"); !ok || ty.Class != Producer || ty.Broker != "kafka" {
		t.Errorf("Bus = %+v, %v", ty, ok)
	}
	if h := c.Handlers()[0]; h.Package != "example.org/shop/events" || h.Interface != "Handler" || h.Method != "On" {
		t.Errorf("handler = %+v", h)
	}
	if got := c.Declared(); !reflect.DeepEqual(got, []string{"example.org/shop/events", "example.org/shop/store"}) || c.HasPackage("example.org/shop/events") {
		t.Errorf("Declared() = %q", got)
	}
	if got := c.MethodNames("example.org/shop/events"); !reflect.DeepEqual(got, []string{"Emit"}) {
		t.Errorf("MethodNames() = %q", got)
	}
	checkConfig(t, cfg)
}

func checkConfig(t *testing.T, got *Config) {
	t.Helper()
	const at = ".deliverylint.yml:"
	want := &Config{
		File: ".deliverylint.yml",
		Rules: []RuleSetting{
			{Rule: "publishoutsidetx", Value: "off", Source: at + "2"},
			{Rule: "checkthenact/volatile-store", Value: "warning", Source: at + "3"},
		},
		Exclude: []Named{{"gen/**", at + "5"}, {"internal/mock", at + "5"}},
		Outbox: Names{
			Tables:    []Named{{"events_out", at + "6"}},
			Functions: []NamedSymbol{{Symbol{"example.org/shop/store", "Store", "Queue"}, at + "6"}},
		},
		Inbox: Names{Tables: []Named{{"seen", at + "9"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("config %+v, want %+v", got, want)
	}
}

func TestStrictConfig(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"empty":          {"", nil},
		"library's keys": {"library: x\npackages: [y]\n", []string{"u.yml:1: unknown key library", "u.yml:2: unknown key packages"}},
		"rules":          {"rules:\n  a: maybe\n", []string{`u.yml:2: a: unknown value "maybe"`}},
		"paths":          {"paths: {include: [x], exclude: x}\n", []string{"u.yml:1: paths: unknown key include", "u.yml:1: exclude: a list is wanted"}},
		"outbox": {"outbox:\n  functions:\n    - Queue\n  columns: [x]\n",
			[]string{`u.yml:3: "Queue" is no import/path.Func or import/path.Type.Method`, "u.yml:4: outbox: unknown key columns"}},
		"unqualified": {"types:\n  Bus: {class: pool}\nfunctions:\n  Emit: {kind: publish}\nhandlers:\n  - {interface: H, method: M}\n",
			[]string{`u.yml:2: "Bus" is no import/path.Type`, `u.yml:4: "Emit" is no import`, "u.yml:6: a handler: H has no import path"}},
		"two spellings": {"functions:\n  example.org/b.B.E: {kind: ignore}\n  (*example.org/b.B).E: {kind: publish}\n",
			[]string{"u.yml:3: example.org/b.B.E stands twice, first at u.yml:2"}},
		"all at once": {"rule: {}\nfunctions:\n  a/b.C: {kind: x}\n", []string{"u.yml:1: unknown key rule", `u.yml:3: kind: unknown value "x"`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := newCatalog().With("u.yml", []byte(tc.text))
			expect(t, errorLines(t, err), tc.want)
		})
	}
}

func TestParseSymbol(t *testing.T) {
	for text, want := range map[string]Symbol{
		"example.org/shop/events.Bus.Emit":      {"example.org/shop/events", "Bus", "Emit"},
		"example.org/shop/events.Emit":          {"example.org/shop/events", "", "Emit"},
		"example.org/shop.bus.emit":             {"example.org/shop", "bus", "emit"},
		"github.com/nats-io/nats.go.Conn.Flush": {"github.com/nats-io/nats.go", "Conn", "Flush"},
		"github.com/nats-io/nats.go.Connect":    {"github.com/nats-io/nats.go", "", "Connect"},
		"gopkg.in/yaml.v2.Unmarshal":            {"gopkg.in/yaml.v2", "", "Unmarshal"},
		"gopkg.in/yaml.v2.Decoder.Decode":       {"gopkg.in/yaml.v2", "Decoder", "Decode"},
		"(*example.org/shop/events.Bus).Emit":   {"example.org/shop/events", "Bus", "Emit"},
		"(example.org/my.pkg.Bus).Emit":         {"example.org/my.pkg", "Bus", "Emit"},
		"fmt.Println":                           {"fmt", "", "Println"},
		"example.org/shop/v2.Bus.Emit":          {"example.org/shop/v2", "Bus", "Emit"},
		"example.org/shop/v2.Emit":              {"example.org/shop/v2", "", "Emit"},
	} {
		if got, err := ParseSymbol(text); err != nil || got != want {
			t.Errorf("ParseSymbol(%q) = %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "Emit", "a/b", ".x", "a/b.C.", "a/b.1", "(a/b.C)", "(a/b).", "(*C).D", "a b.C", "x/.y"} {
		if got, err := ParseSymbol(text); err == nil {
			t.Errorf("ParseSymbol(%q) = %+v", text, got)
		}
	}
}
