package catalog

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// scope is where the entries of a file hold.
type scope struct {
	library, broker string
	packages        []string
}

// entry is a parsed entry before it is spread over its packages.
type parsed struct {
	Entry
	packages []string
	line     int
}

// readEntry reads the properties of one function.
func (p *problems) readEntry(key pair, sym Symbol, sc scope) (parsed, bool) {
	before := len(p.errs)
	e := newEntry(sym, sc)
	e.Source = p.source(key.line)
	props := p.mapping(key.value, key.key)
	e.Kind = p.kindOf(key, props)
	if e.Kind == "" {
		return parsed{}, false
	}
	p.setHandle(&e, key, props)
	packages := p.setProps(&e, key, props, sc)
	p.checkNeeded(key, props, e)
	return parsed{Entry: e, packages: packages, line: key.line}, len(p.errs) == before
}

// NewEntry is an entry of a symbol that says nothing yet: it names no argument.
func NewEntry(sym Symbol) Entry { return newEntry(sym, scope{}) }

func newEntry(sym Symbol, sc scope) Entry {
	return Entry{
		Symbol: sym, Broker: sc.broker, Library: sc.library,
		SQL: NoArg, Entity: NoArg, Func: NoArg, Topic: NoArg, Key: NoArg, Payload: NoArg,
		Text: NoArg, Expires: NoArg, TxParam: NoArg, CtxParam: NoArg, Handle: Place{Arg: NoArg},
	}
}

func (p *problems) kindOf(key pair, props []pair) Kind {
	for _, v := range props {
		if v.key == "kind" {
			return Kind(p.oneOf(v, kinds()...))
		}
	}
	p.add(key.line, "%s: kind is missing (one of %s)", key.key, strings.Join(kinds(), ", "))
	return ""
}

// setHandle sets what a method or function goes through when it doesn't say.
func (p *problems) setHandle(e *Entry, key pair, props []pair) {
	switch {
	case e.Kind == Ignore:
	case e.Symbol.Type != "":
		e.Handle.Arg = ReceiverArg
	case throughHandle(e.Kind):
		e.Handle.Arg = 0
	}
	for _, v := range props {
		if v.key == "handle" {
			e.Handle.Arg = p.handle(v, e.Symbol.Type != "")
		}
	}
}

func (p *problems) handle(v pair, method bool) int {
	if _, ok := v.value.(*ast.IntegerNode); ok {
		return p.index(v)
	}
	switch p.oneOf(v, "recv", "none") {
	case "recv":
		if !method {
			p.add(v.line, "handle: a function has no receiver")
		}
		return ReceiverArg
	}
	return NoArg
}

// setProps sets the properties that the entry gives and returns its packages.
func (p *problems) setProps(e *Entry, key pair, props []pair, sc scope) []string {
	packages := sc.packages
	allowed := keysOf(e.Kind)
	for _, v := range props {
		switch {
		case v.key == "kind":
		case v.key == "only" || v.key == "except":
			packages = p.restrict(v, packages)
		case !slices.Contains(allowed, v.key):
			p.addStray(key, v, e.Kind, allowed)
		default:
			if f, ok := p.entryField(v.key); ok {
				f.put(p, e, v)
			}
		}
	}
	if e.Kind == Publish && e.Confirm == "" {
		e.Confirm = "sync"
	}
	return packages
}

// addStray tells of a key that a kind doesn't take.
func (p *problems) addStray(key, v pair, kind Kind, allowed []string) {
	takes := "it takes no more keys"
	if len(allowed) > 0 {
		takes = "it takes " + strings.Join(allowed, ", ")
	}
	if _, ok := p.entryField(v.key); !ok {
		p.add(v.line, "%s: unknown key %s (kind %s: %s)", key.key, v.key, kind, takes)
		return
	}
	p.add(v.line, "%s: %s makes no sense for kind %s (%s)", key.key, v.key, kind, takes)
}

// entryField is the field of a key of a function. The table is made once a file.
func (p *problems) entryField(key string) (field[Entry], bool) {
	if p.fields == nil {
		p.fields = entryFields()
	}
	return find(p.fields, key)
}

// result reads the index of a result, or none where the handle itself is what
// the function begins or binds.
func (p *problems) result(v pair) int {
	if p.scalar(v) == "none" {
		return NoArg
	}
	return p.index(v)
}

// checkNeeded tells of missing keys and of one argument in two roles.
func (p *problems) checkNeeded(key pair, props []pair, e Entry) {
	for _, name := range neededBy(e.Kind) {
		if !slices.ContainsFunc(props, func(v pair) bool { return v.key == name }) {
			p.add(key.line, "%s: kind %s wants %s", key.key, e.Kind, name)
		}
	}
	if e.Text >= 0 && e.Clause == "" {
		p.add(key.line, "%s: text wants clause", key.key)
	}
	if e.Symbol.Name == anyMethod && e.Kind != Bind {
		p.add(key.line, "%s: only kind bind holds for any method", key.key)
	}
	for _, arg := range []struct {
		name string
		at   int
	}{{"sql", e.SQL}, {"func", e.Func}, {"topic", e.Topic}, {"entity", e.Entity}, {"text", e.Text}} {
		if arg.at >= 0 && arg.at == e.Handle.Arg {
			p.add(key.line, "%s: argument %d can't be both handle and %s", key.key, arg.at, arg.name)
		}
	}
	if e.SQL >= 0 && e.SQL == e.Func {
		p.add(key.line, "%s: argument %d can't be both sql and func", key.key, e.SQL)
	}
}

// restrict narrows packages by an only or except list.
func (p *problems) restrict(v pair, packages []string) []string {
	list := p.texts(v)
	if len(list) == 0 {
		p.add(v.line, "%s is empty", v.key)
	}
	for _, path := range list {
		if !slices.Contains(packages, path) {
			p.add(v.line, "%s: %s is not among the packages", v.key, path)
		}
	}
	var kept []string
	for _, path := range packages {
		if slices.Contains(list, path) == (v.key == "only") {
			kept = append(kept, path)
		}
	}
	return kept
}
