package catalog

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

func (p *problems) checkHandler(h HandlerType, line int, packages []string) {
	if h.Method == "" {
		p.add(line, "a handler: method is missing")
	}
	if h.Interface == "" && h.Param == "" {
		p.add(line, "a handler: interface or param is missing")
	}
	if len(packages) > 0 {
		return
	}
	for _, name := range []string{h.Interface, h.Param} {
		if name != "" && !strings.Contains(name, ".") {
			p.add(line, "a handler: %s has no import path", name)
		}
	}
}

// spread makes one handler type for each package that its names are local to.
func spread(h HandlerType, packages []string) []HandlerType {
	localParam := h.Param != "" && !strings.Contains(h.Param, ".")
	if dot := strings.LastIndex(h.Interface, "."); dot >= 0 {
		h.Package, h.Interface = h.Interface[:dot], h.Interface[dot+1:]
		return []HandlerType{h}
	}
	if h.Interface == "" && !localParam {
		return []HandlerType{h}
	}
	var list []HandlerType
	for _, path := range packages {
		one := h
		if one.Interface != "" {
			one.Package = path
		}
		if localParam {
			one.Param = path + "." + h.Param
		}
		list = append(list, one)
	}
	return list
}

func sortedByLine(sections map[string]pair) []pair {
	return slices.SortedFunc(maps.Values(sections), func(a, b pair) int { return cmp.Compare(a.line, b.line) })
}
