package driver

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
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
func vet(env Env, args []string) (int, error) {
	last := args[len(args)-1]
	if last == "-V=full" {
		return exitClean, vetVersion(env)
	}
	cat, err := catalog.Builtin()
	if err != nil {
		return exitFailed, fmt.Errorf("reading what libraries mean: %w", err)
	}
	s := settings.New(cat, analyzers.All())
	if dir := unitDir(last); dir != "" {
		if file := settings.Find(dir); file != "" {
			if err := s.ReadFile(file, file); err != nil {
				return exitFailed, err
			}
		}
	}
	unitchecker.Main(s.Analyzers()...)
	return exitClean, nil
}

// vetVersion prints what the go command takes for the tool's version: it keeps
// results as long as that stays the same, so the user's file is part of it.
func vetVersion(env Env) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the program: %w", err)
	}
	h := sha256.New()
	files := []string{program}
	if file := settings.Find(env.Dir); file != "" {
		files = append(files, file)
	}
	for _, name := range files {
		if err := addFile(h, name); err != nil {
			return fmt.Errorf("telling the version: %w", err)
		}
	}
	_, err = fmt.Fprintf(env.Stdout, "deliverylint version devel buildID=%02x\n", h.Sum(nil))
	return err
}

func addFile(h io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}

// unitDir is the folder of the user's package that a configuration file is
// about, "" if it is about another one or isn't such a file.
func unitDir(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	var cfg unitchecker.Config
	if err := json.Unmarshal(data, &cfg); err != nil || cfg.ModuleVersion != "" {
		return ""
	}
	return cfg.Dir
}
