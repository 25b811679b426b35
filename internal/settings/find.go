package settings

import (
	"os"
	"path/filepath"
)

// Find is the user's file that holds for a folder: the nearest one from the root of
// its module upward to the root of the repository. It is "" where there is none.
func Find(dir string) string {
	from := Nearest(dir, "go.mod")
	if from == "" {
		from = dir
	}
	top := Nearest(from, ".git")
	if top == "" {
		top = from
	}
	for at := from; ; at = filepath.Dir(at) {
		file := filepath.Join(at, FileName)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
		if at == top || at == filepath.Dir(at) {
			return ""
		}
	}
}

// Nearest is the folder at or above dir that holds a name, "" if none does.
func Nearest(dir, name string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
