package scaffold

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/version"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// minGo is the language version that the written code needs.
const minGo = "go1.22"

// Target is where code is written to.
type Target struct {
	// Dir is the folder, which need not exist.
	Dir string
	// ImportPath and Package are what the folder is called in Go.
	ImportPath, Package string
	// Root is the folder of the module.
	Root string
}

// Locate finds the module that dir lies in and names the package.
func Locate(dir string) (Target, error) {
	t := Target{Dir: dir, Package: filepath.Base(dir)}
	root, err := moduleRoot(dir)
	if err != nil {
		return t, err
	}
	t.Root = root
	module, err := readModule(filepath.Join(root, "go.mod"))
	if err != nil {
		return t, err
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return t, err
	}
	if rel == "." {
		return t, errors.New("scaffold writes a package of its own: name a folder with -dir")
	}
	t.ImportPath = module + "/" + filepath.ToSlash(rel)
	if !token.IsIdentifier(t.Package) || t.Package == "main" || t.Package == "_" {
		return t, fmt.Errorf("%q is no name for a package: name another folder with -dir", t.Package)
	}
	return t, t.checkNeighbours()
}

// moduleRoot is the folder at or above dir that has a go.mod.
func moduleRoot(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		if info, err := os.Stat(filepath.Join(at, "go.mod")); err == nil && info.Mode().IsRegular() {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s lies in no module: there is no go.mod in it or above (go mod init makes one)", dir)
		}
	}
}

func readModule(name string) (string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	file, err := modfile.ParseLax(name, data, nil)
	if err != nil {
		return "", err
	}
	if file.Module == nil {
		return "", fmt.Errorf("%s names no module", name)
	}
	if file.Go == nil || version.Compare("go"+file.Go.Version, minGo) < 0 {
		return "", fmt.Errorf("%s: the code needs %s or later in the go line", name, strings.Replace(minGo, "go", "go ", 1))
	}
	return file.Module.Mod.Path, nil
}

// checkNeighbours refuses a folder that has another package in it.
func (t Target) checkNeighbours() error {
	entries, err := os.ReadDir(t.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".go" || strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(t.Dir, e.Name()), nil, parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		name := file.Name.Name
		if strings.HasSuffix(e.Name(), "_test.go") {
			name = strings.TrimSuffix(name, "_test")
		}
		if name != t.Package {
			return fmt.Errorf("%s has package %s in it: name another folder with -dir", t.Dir, name)
		}
	}
	return nil
}
