package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/finding"
)

// configName is the file that is looked for at the module's root.
const configName = ".deliverylint.yml"

// setup is what a module is analysed with: the catalog with the user's
// additions, and the rules that run.
type setup struct {
	catalog *catalog.Catalog
	rules   []rule
	selection
	// config is the user's file, nil if there is none.
	config *catalog.Config
	// root is the folder that the excluded paths are relative to.
	root    string
	exclude []string
}

// configure reads the flags and the configuration of the module at dir.
func configure(opts options, dir string) (*setup, error) {
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, fmt.Errorf("reading what libraries mean: %w", err)
	}
	s := &setup{catalog: cat, root: moduleRoot(dir), selection: selection{
		off: map[string]bool{}, only: map[string]bool{}, tier: map[string]finding.Tier{},
	}}
	if err := s.readFile(opts, dir); err != nil {
		return nil, err
	}
	if err := s.flags(opts); err != nil {
		return nil, err
	}
	s.rules = s.chosen(rules())
	return s, nil
}

// readFile reads the configuration file, if there is one.
func (s *setup) readFile(opts options, dir string) error {
	file := opts.config
	if file == "" {
		file = filepath.Join(moduleRoot(dir), configName)
	} else if !filepath.IsAbs(file) {
		file = filepath.Join(opts.dir, file)
	}
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && opts.config == "":
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("-config: no file %s", opts.config)
	case err != nil:
		return err
	}
	cat, cfg, err := s.catalog.With(opts.paths().Show(file), data)
	if err != nil {
		return err
	}
	s.catalog, s.config = cat, cfg
	return s.apply(cfg)
}

// apply takes over the settings of a configuration file.
func (s *setup) apply(cfg *catalog.Config) error {
	for _, r := range cfg.Rules {
		if err := checkName(rules(), r.Rule); err != nil {
			return fmt.Errorf("%s: %w", r.Source, err)
		}
		if r.Value == "off" {
			s.off[r.Rule] = true
		} else {
			s.tier[r.Rule] = finding.Tier(r.Value)
		}
	}
	for _, e := range cfg.Exclude {
		if _, err := path.Match(e.Name, ""); err != nil {
			return fmt.Errorf("%s: malformed path pattern %q", e.Source, e.Name)
		}
		s.exclude = append(s.exclude, e.Name)
	}
	return nil
}

// flags takes over -enable and -disable, which win over the file.
func (s *setup) flags(opts options) error {
	for _, name := range split(opts.enable) {
		if err := checkName(rules(), name); err != nil {
			return fmt.Errorf("-enable: %w", err)
		}
		s.only[name] = true
		delete(s.off, name)
	}
	for _, name := range split(opts.disable) {
		if err := checkName(rules(), name); err != nil {
			return fmt.Errorf("-disable: %w", err)
		}
		s.off[name] = true
	}
	return nil
}

// excluded reports whether a file lies on a path that is left out. A pattern
// names a folder or file below the module's root; ** stands for any folders.
func (s *setup) excluded(file string) bool {
	rel, err := filepath.Rel(s.root, file)
	if err != nil {
		return false
	}
	rel = filepath.ToSlash(rel)
	for _, pattern := range s.exclude {
		if matchPath(strings.Split(pattern, "/"), strings.Split(rel, "/")) {
			return true
		}
	}
	return false
}

// matchPath matches a pattern against a path or one of the folders above it.
func matchPath(pattern, name []string) bool {
	switch {
	case len(pattern) == 0 || len(pattern) == 1 && pattern[0] == "":
		return true
	case pattern[0] == "**":
		return matchPath(pattern[1:], name) || len(name) > 0 && matchPath(pattern, name[1:])
	case len(name) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], name[0])
	return err == nil && ok && matchPath(pattern[1:], name[1:])
}

// moduleRoot is the root of dir's module, or dir itself.
func moduleRoot(dir string) string {
	if r := root(dir, "go.mod"); r != "" {
		return r
	}
	return dir
}
