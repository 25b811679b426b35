package settings

import (
	"path"
	"path/filepath"
	"strings"
)

// Excludes reports whether a file is left out: patterns are relative to the folder
// of the user's file or to the root of the file's module.
func (s *Settings) Excludes(file, module string) bool {
	for _, root := range []string{s.root, module} {
		rel, err := filepath.Rel(root, file)
		if root != "" && err == nil && s.Excluded(filepath.ToSlash(rel)) {
			return true
		}
	}
	return false
}

// Excluded reports whether a file lies on a path that is left out. The name is
// relative, with forward slashes.
func (s *Settings) Excluded(name string) bool {
	for _, pattern := range s.exclude {
		if matchPath(strings.Split(strings.Trim(pattern, "/"), "/"), strings.Split(name, "/")) {
			return true
		}
	}
	return false
}

// matchPath matches a pattern against a path or one of the folders above it; **
// stands for any folders.
func matchPath(pattern, name []string) bool {
	switch {
	case len(pattern) == 0:
		return true
	case pattern[0] == "**":
		return matchPath(pattern[1:], name) || len(name) > 0 && matchPath(pattern, name[1:])
	case len(name) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], name[0])
	return err == nil && ok && matchPath(pattern[1:], name[1:])
}
