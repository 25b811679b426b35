package catalog

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

// readConfig reads a user's file: entries with fully qualified names, and the
// settings.
func readConfig(file string, data []byte) (*library, *Config, error) {
	p := &problems{file: file}
	lib := &library{}
	cfg := &Config{File: file}
	body := p.parseDocument(data)
	for _, v := range p.mapping(body, "the file") {
		switch v.key {
		case "types":
			p.readTypes(lib, v, parseQualifiedType)
		case "functions":
			p.readFunctions(lib, v, ParseSymbol)
		case "handlers":
			p.readHandlers(lib, v)
		case "rules":
			p.readRules(cfg, v)
		case "paths":
			p.readPaths(cfg, v)
		case "outbox":
			cfg.Outbox = p.readNames(v)
		case "inbox":
			cfg.Inbox = p.readNames(v)
		default:
			p.add(v.line, "unknown key %s", v.key)
		}
	}
	return lib, cfg, p.err()
}

func (p *problems) readRules(cfg *Config, section pair) {
	for _, v := range p.mapping(section.value, section.key) {
		value := p.oneOf(v, "off", "error", "warning")
		cfg.Rules = append(cfg.Rules, RuleSetting{Rule: v.key, Value: value, Source: p.source(v.line)})
	}
}

func (p *problems) readPaths(cfg *Config, section pair) {
	for _, v := range p.mapping(section.value, section.key) {
		if v.key != "exclude" {
			p.add(v.line, "paths: unknown key %s", v.key)
			continue
		}
		cfg.Exclude = p.named(v)
	}
}

func (p *problems) readNames(section pair) Names {
	var names Names
	for _, v := range p.mapping(section.value, section.key) {
		switch v.key {
		case "tables":
			names.Tables = p.named(v)
		case "functions":
			names.Functions = p.symbols(v)
		default:
			p.add(v.line, "%s: unknown key %s", section.key, v.key)
		}
	}
	return names
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
