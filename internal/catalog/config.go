package catalog

import (
	"slices"
	"strings"
)

// Config is what a user's file says beside its entries. The catalog only reads
// it; what the names mean is the driver's.
type Config struct {
	File string
	// Rules are the settings of analyzers and their categories, in file order.
	Rules []RuleSetting
	// Exclude are the globs of paths that are left out.
	Exclude []Named
	// Outbox and Inbox name what holds events to be sent and deliveries that
	// were handled.
	Outbox, Inbox Names
}

// RuleSetting turns a rule off or sets its tier.
type RuleSetting struct {
	// Rule is a rule's or a category's name as written.
	Rule string
	// Value is "off", "error" or "warning".
	Value  string
	Source string
}

// Named is a word of the user's with its place.
type Named struct {
	Name, Source string
}

// NamedSymbol is a function of the user's with its place.
type NamedSymbol struct {
	Symbol Symbol
	Source string
}

// Names are the tables and functions of an outbox or inbox.
type Names struct {
	Tables    []Named
	Functions []NamedSymbol
}

// section is a key of a user's file.
type section struct {
	key, about string
	read       func(p *problems, lib *library, cfg *Config, v pair)
	schema     func(rules []string) schema
}

// sections are the keys of a user's file, in the order of the manual.
func sections() []section {
	return []section{
		{"functions", "What functions and methods mean, by their full names.",
			func(p *problems, lib *library, _ *Config, v pair) { p.readFunctions(lib, v, ParseSymbol) }, functionsSchema},
		{"types", "What the values of types are to a transaction or a broker.",
			func(p *problems, lib *library, _ *Config, v pair) { p.readTypes(lib, v, parseQualifiedType) }, typesSchema},
		{"handlers", "The methods that a library or framework calls with deliveries.",
			func(p *problems, lib *library, _ *Config, v pair) { p.readHandlers(lib, v) }, handlersSchema},
		{"rules", "Rules and categories that are off, or of another tier.",
			func(p *problems, _ *library, cfg *Config, v pair) { p.readRules(cfg, v) }, rulesSchema},
		{"paths", "Which files are left out.",
			func(p *problems, _ *library, cfg *Config, v pair) { readFields(p, v, cfg, pathFields()) },
			func([]string) schema { return objectOf(pathFields()) }},
		{"outbox", "What holds events until a relay publishes them.",
			func(p *problems, _ *library, cfg *Config, v pair) { readFields(p, v, &cfg.Outbox, nameFields()) },
			func([]string) schema { return objectOf(nameFields()) }},
		{"inbox", "What holds the IDs of deliveries that were handled.",
			func(p *problems, _ *library, cfg *Config, v pair) { readFields(p, v, &cfg.Inbox, nameFields()) },
			func([]string) schema { return objectOf(nameFields()) }},
	}
}

// readConfig reads a user's file: entries with fully qualified names, and the
// settings.
func readConfig(file string, data []byte) (*library, *Config, error) {
	p := &problems{file: file}
	lib := &library{}
	cfg := &Config{File: file}
	body := p.parseDocument(data)
	table := sections()
	for _, v := range p.mapping(body, "the file") {
		i := slices.IndexFunc(table, func(s section) bool { return s.key == v.key })
		if i < 0 {
			p.add(v.line, "unknown key %s (known: %s)", v.key, sectionKeys(table))
			continue
		}
		table[i].read(p, lib, cfg, v)
	}
	return lib, cfg, p.err()
}

func sectionKeys(table []section) string {
	var keys []string
	for _, s := range table {
		keys = append(keys, s.key)
	}
	return strings.Join(keys, ", ")
}

// readFields reads a mapping by a table.
func readFields[T any](p *problems, v pair, t *T, table []field[T]) {
	for _, one := range p.mapping(v.value, v.key) {
		f, ok := find(table, one.key)
		if !ok {
			p.add(one.line, "%s: unknown key %s (known: %s)", v.key, one.key, keysIn(table))
			continue
		}
		f.put(p, t, one)
	}
}

func pathFields() []field[Config] {
	return []field[Config]{
		{"exclude", "Patterns of files and folders, relative to this file's folder or the module's root; ** stands for any folders.",
			shape{form: formTexts}, func(p *problems, c *Config, v pair) { c.Exclude = p.named(v) }},
	}
}

func nameFields() []field[Names] {
	return []field[Names]{
		{"tables", "The names of tables.", shape{form: formTexts}, func(p *problems, n *Names, v pair) { n.Tables = p.named(v) }},
		{"functions", "Functions that write such a row, by their full names.", shape{form: formSymbols}, func(p *problems, n *Names, v pair) { n.Functions = p.symbols(v) }},
	}
}

// ruleValues are what a rule may be set to.
func ruleValues() []string { return []string{"off", "error", "warning"} }

func (p *problems) readRules(cfg *Config, section pair) {
	for _, v := range p.mapping(section.value, section.key) {
		value := p.oneOf(v, ruleValues()...)
		cfg.Rules = append(cfg.Rules, RuleSetting{Rule: v.key, Value: value, Source: p.source(v.line)})
	}
}

func (p *problems) named(v pair) []Named {
	var list []Named
	for _, item := range p.items(v) {
		line := lineOf(item)
		list = append(list, Named{Name: p.text(pair{key: v.key, line: line, value: item}), Source: p.source(line)})
	}
	return list
}

func (p *problems) symbols(v pair) []NamedSymbol {
	var list []NamedSymbol
	for _, item := range p.items(v) {
		line := lineOf(item)
		sym, err := ParseSymbol(p.text(pair{key: v.key, line: line, value: item}))
		if err != nil {
			p.add(line, "%v", err)
			continue
		}
		list = append(list, NamedSymbol{Symbol: sym, Source: p.source(line)})
	}
	return list
}
