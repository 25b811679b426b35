package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// isVet reports whether the go command calls: it asks for the version and the
// flags, then hands over one configuration file a package.
func isVet(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return strings.HasSuffix(last, ".cfg") || len(args) == 1 && (last == "-V=full" || last == "-flags")
}

// vet runs as the tool of go vet -vettool, with the file of the package's
// module. It ends the process itself unless something is wrong with that.
func vet(args []string) error {
	cat, err := catalog.Builtin()
	if err != nil {
		return fmt.Errorf("reading what libraries mean: %w", err)
	}
	s := settings.New(cat, analyzers.All())
	if dir := unitDir(args[len(args)-1]); dir != "" {
		file := filepath.Join(moduleRoot(dir), settings.FileName)
		if err := s.ReadFile(file, file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	unitchecker.Main(s.Analyzers()...)
	return nil
}

// unitDir is the folder of the package that a configuration file is about, ""
// if it isn't one.
func unitDir(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	var cfg unitchecker.Config
	if err := json.Unmarshal(data, &cfg); err != nil {
		return ""
	}
	return cfg.Dir
}
