package load

import (
	"errors"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// Modules lists the roots of the modules and workspaces at or below dir. A
// module that a go.work above it uses is covered by the workspace's root.
// Directories that the go command ignores are left out, and vendor. What can't
// be read is an error of its own and keeps nothing else from being found.
func Modules(dir string) ([]string, []Error) {
	var roots []string
	var errs []Error
	fail := func(path string, err error) {
		if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
			err = pe.Err
		}
		errs = append(errs, Error{Pos: token.Position{Filename: path}, Message: "cannot be read: " + oneLine(err).Error()})
	}
	covered := map[string]bool{}
	// The function returns no error but SkipDir.
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			fail(path, err)
			return nil
		case !d.IsDir():
			return nil
		case path != dir && skipDir(d.Name()):
			return filepath.SkipDir
		}
		used, err := workspaceModules(path)
		if err != nil {
			fail(filepath.Join(path, "go.work"), err)
		}
		for _, module := range used {
			covered[module] = true
		}
		if used != nil || isFile(filepath.Join(path, "go.mod")) && !covered[path] {
			roots = append(roots, path)
		}
		return nil
	})
	return roots, errs
}

func skipDir(name string) bool {
	return name == "vendor" || name == "testdata" || name == "node_modules" ||
		strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// workspaceModules returns the module roots that dir's go.work uses, nil if
// there is no go.work.
func workspaceModules(dir string) ([]string, error) {
	name := filepath.Join(dir, "go.work")
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) { // the folder's own error is told
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(name, data, nil)
	if err != nil {
		return nil, err
	}
	used := []string{}
	for _, use := range work.Use {
		path := use.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		used = append(used, filepath.Clean(path))
	}
	return used, nil
}
