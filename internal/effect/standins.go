package effect

import (
	"slices"
	"strings"
	"unicode"
)

// withoutStandIns takes implementations that only stand in for others out of what calls
// through an interface may reach, and reports whether there were any: a store in
// memory, a publisher that prints. They are told by their name, and by reaching nothing
// where another implementation of the interface reaches something. With them a
// path would store its row in one implementation and find it missing in the other.
func (p *Program) withoutStandIns() bool {
	does := p.doers()
	found := false
	for key, symbols := range p.Impl {
		iface := key[:strings.LastIndexByte(key, '.')]
		kept := slices.DeleteFunc(slices.Clone(symbols), func(s string) bool {
			t := receiver(s)
			return isStandIn(t) && !does[iface][t] && len(does[iface]) > 0
		})
		if len(kept) > 0 && len(kept) < len(symbols) {
			p.Impl[key], found = kept, true
		}
	}
	return found
}

// doers are, by interface, the implementers of which some method reaches a library.
func (p *Program) doers() map[string]map[string]bool {
	does := map[string]map[string]bool{}
	for key, symbols := range p.Impl {
		iface := key[:strings.LastIndexByte(key, '.')]
		for _, s := range symbols {
			if p.Reach[s]&^(CallsParam|Remembering) == 0 {
				continue
			}
			if does[iface] == nil {
				does[iface] = map[string]bool{}
			}
			does[iface][receiver(s)] = true
		}
	}
	return does
}

// receiver is the type of a method's symbol, with its package; "" for a function.
func receiver(symbol string) string {
	t, _, ok := strings.Cut(strings.TrimPrefix(symbol, "("), ").")
	if !ok {
		return ""
	}
	return strings.TrimPrefix(t, "*")
}

// isStandIn tells by a type's name, or that of its package, whether it stands in for
// what would reach a database or a broker.
func isStandIn(t string) bool {
	dir, name, _ := strings.Cut(t[strings.LastIndexByte(t, '/')+1:], ".")
	words := append(camel(name), dir)
	return slices.ContainsFunc(words, func(w string) bool {
		switch w {
		case "mem", "memory", "inmem", "inmemory", "memstore", "memdb", "memrepo", "memorystore", "noop", "nop", "dummy", "null", "discard", "disabled", "stdout", "console":
			return true
		}
		return false
	})
}

// camel are the words of a name in camel case, in lower case.
func camel(name string) []string {
	var words []string
	start := 0
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			words = append(words, strings.ToLower(name[start:i]))
			start = i
		}
	}
	return append(words, strings.ToLower(name[start:]))
}
