package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deliverylint/deliverylint/internal/load"
)

// modules are the directories to load packages from: dir itself where it lies
// in a module, else the modules below it, with what could not be read on the
// way.
func modules(dir string, environ []string) ([]string, []load.Error, error) {
	if root(dir, "go.mod") != "" || lookup(environ, "GO111MODULE") == "off" {
		return []string{dir}, nil, nil
	}
	found, errs := load.Modules(dir)
	switch {
	case len(found) > 0:
		return found, errs, nil
	case len(errs) > 0:
		return nil, nil, fmt.Errorf("looking for modules: %s %s", errs[0].Pos.Filename, errs[0].Message)
	}
	return nil, nil, fmt.Errorf("no go.mod in %s, above it or below it", dir)
}

// checkDir says what is wrong with the directory to run in.
func checkDir(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no directory %s", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no directory", dir)
	}
	return nil
}

// root is the nearest directory at or above dir that holds the file.
func root(dir, file string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, file)); err == nil && !info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// workspaceRoot is the folder that holds the code under analysis.
func workspaceRoot(dir string) string {
	if r := root(dir, "go.work"); r != "" {
		return r
	}
	if r := root(dir, "go.mod"); r != "" {
		return r
	}
	return dir
}

// lookup reads a variable of an environment; the last setting counts.
func lookup(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(environ[i], name+"="); ok {
			return value
		}
	}
	return ""
}
