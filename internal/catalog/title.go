package catalog

import (
	"slices"
	"strings"
)

// readTitle finds the modules and packages of a library without reading YAML.
// They stand at the top of the file, before what they hold for, as lists in
// brackets on one line or with a dash on each.
func readTitle(text string) (modules, packages []string) {
	var list *[]string
	for line := range strings.Lines(text) {
		word, rest, isKey := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		switch {
		case strings.HasPrefix(line, "#"):
		case isKey && word == "modules":
			list = &modules
			*list = append(*list, inBrackets(rest)...)
		case isKey && word == "packages":
			list = &packages
			*list = append(*list, inBrackets(rest)...)
		case isKey && word != "" && word[0] != ' ' && word[0] != '-':
			if list = nil; word == "functions" || word == "types" || word == "handlers" {
				return modules, packages
			}
		case list != nil:
			if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
				*list = append(*list, strings.TrimSpace(item))
			}
		}
	}
	return modules, packages
}

// inBrackets are the items of a list on one line.
func inBrackets(s string) []string {
	s = strings.Trim(strings.TrimSpace(s), "[]")
	if s == "" {
		return nil
	}
	items := strings.Split(s, ",")
	for i, item := range items {
		items[i] = strings.TrimSpace(item)
	}
	return items
}

// checkTitle makes sure that readTitle finds what the file says.
func (v *volume) checkTitle() error {
	if v.err != nil {
		return nil
	}
	modules, packages := readTitle(string(v.data))
	if slices.Equal(modules, v.lib.modules) && slices.Equal(packages, v.lib.packages) {
		return nil
	}
	return errorAt(v.file+":1", "modules and packages are not at the top, before types and functions, as plain lists")
}
