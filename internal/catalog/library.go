package catalog

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// library is what one file says.
type library struct {
	scope
	modules   []string
	functions []Entry
	types     []TypeEntry
	handlers  []HandlerType
}

// readLibrary reads a file of libraries/.
func readLibrary(file string, data []byte) (*library, error) {
	p := &problems{file: file}
	sections := map[string]pair{}
	body := p.parseDocument(data)
	if len(p.errs) > 0 {
		return &library{}, p.err()
	}
	for _, v := range p.mapping(body, "the file") {
		sections[v.key] = v
	}
	lib := &library{}
	p.readHead(lib, sections)
	for _, v := range sortedByLine(sections) {
		switch v.key {
		case "library", "modules", "packages", "broker":
		case "types":
			p.readTypes(lib, v, parseLocalType)
		case "functions":
			p.readFunctions(lib, v, parseLocal)
		case "handlers":
			p.readHandlers(lib, v)
		default:
			p.add(v.line, "unknown key %s", v.key)
		}
	}
	return lib, p.err()
}

// readHead reads what holds for the whole file.
func (p *problems) readHead(lib *library, sections map[string]pair) {
	for _, key := range []string{"library", "modules", "packages"} {
		if _, ok := sections[key]; !ok {
			p.add(1, "%s is missing", key)
		}
	}
	if v, ok := sections["library"]; ok {
		lib.library = p.text(v)
	}
	if v, ok := sections["broker"]; ok {
		lib.broker = p.text(v)
	}
	lib.modules = p.texts(sections["modules"])
	lib.packages = p.texts(sections["packages"])
	if v, ok := sections["packages"]; ok {
		p.checkPackages(lib, v)
	}
}

func (p *problems) checkPackages(lib *library, v pair) {
	if len(lib.packages) == 0 {
		p.add(v.line, "packages is empty")
	}
	seen := map[string]bool{}
	for _, path := range lib.packages {
		if seen[path] {
			p.add(v.line, "packages: %s stands twice", path)
		}
		seen[path] = true
		if len(lib.modules) > 0 && !inside(lib.modules, path) {
			p.add(v.line, "packages: %s is in none of the modules", path)
		}
	}
}

func inside(modules []string, path string) bool {
	for _, m := range modules {
		if path == m || strings.HasPrefix(path, m+"/") {
			return true
		}
	}
	return false
}

// names turns a key of a section into a symbol, without a package in a library
// file, with one in a user's.
type names func(key string) (Symbol, error)

func (p *problems) readFunctions(lib *library, section pair, name names) {
	for _, key := range p.mapping(section.value, section.key) {
		sym, err := name(key.key)
		if err != nil {
			p.add(key.line, "%v", err)
			continue
		}
		got, ok := p.readEntry(key, sym, lib.at(sym))
		if !ok {
			continue
		}
		for _, path := range got.packages {
			e := got.Entry
			e.Symbol.Package = path
			lib.functions = append(lib.functions, e)
		}
	}
}

// at is the scope of a symbol: a qualified one holds in its own package only.
func (lib *library) at(sym Symbol) scope {
	sc := lib.scope
	if sym.Package != "" {
		sc.packages = []string{sym.Package}
	}
	return sc
}

func (p *problems) readTypes(lib *library, section pair, name names) {
	for _, key := range p.mapping(section.value, section.key) {
		sym, err := name(key.key)
		if err != nil {
			p.add(key.line, "%v", err)
			continue
		}
		p.readType(lib, key, sym)
	}
}

func (p *problems) readType(lib *library, key pair, sym Symbol) {
	sc := lib.at(sym)
	t := TypeEntry{Name: sym.Name, Broker: sc.broker, Library: sc.library, Source: p.source(key.line)}
	packages, table := sc.packages, typeFields()
	given := false
	for _, v := range p.mapping(key.value, key.key) {
		given = given || v.key == "class"
		f, ok := find(table, v.key)
		switch {
		case ok:
			f.put(p, &t, v)
		case v.key == "only" || v.key == "except":
			packages = p.restrict(v, packages)
		default:
			p.add(v.line, "%s: unknown key %s (known: %s)", key.key, v.key, keysIn(table))
		}
	}
	if !given {
		p.add(key.line, "%s: class is missing (one of %s)", key.key, strings.Join(classes(), ", "))
	}
	for _, path := range packages {
		t.Package = path
		lib.types = append(lib.types, t)
	}
}

func (p *problems) readHandlers(lib *library, section pair) {
	for _, item := range p.items(section) {
		p.readHandler(lib, item)
	}
}

func (p *problems) readHandler(lib *library, item ast.Node) {
	h := HandlerType{Broker: lib.broker, Source: p.source(lineOf(item))}
	packages, table := lib.packages, handlerFields()
	before := len(p.errs)
	for _, v := range p.mapping(item, "a handler") {
		f, ok := find(table, v.key)
		switch {
		case ok:
			f.put(p, &h, v)
		case v.key == "only" || v.key == "except":
			packages = p.restrict(v, packages)
		default:
			p.add(v.line, "a handler: unknown key %s (known: %s)", v.key, keysIn(table))
		}
	}
	p.checkHandler(h, lineOf(item), packages)
	if len(p.errs) == before {
		lib.handlers = append(lib.handlers, spread(h, packages)...)
	}
}
