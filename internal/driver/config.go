package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/settings"
)

// rule is a rule as the driver runs it.
type rule = analyzers.Rule

// configure reads the settings of the module at dir: its file, then the flags,
// which win.
func configure(cat *catalog.Catalog, opts options, dir string) (*settings.Settings, error) {
	s := settings.New(cat, analyzers.All())
	if err := readFile(s, opts, dir); err != nil {
		return nil, err
	}
	if err := s.Enable(split(opts.enable)); err != nil {
		return nil, fmt.Errorf("-enable: %w", err)
	}
	if err := s.Disable(split(opts.disable)); err != nil {
		return nil, fmt.Errorf("-disable: %w", err)
	}
	return s, nil
}

// readFile reads the file that -config names, or the module's, if it has one.
func readFile(s *settings.Settings, opts options, dir string) error {
	file := opts.config
	switch {
	case file == "":
		file = filepath.Join(moduleRoot(dir), settings.FileName)
	case !filepath.IsAbs(file):
		file = filepath.Join(opts.dir, file)
	}
	err := s.ReadFile(file, opts.paths().Show(file))
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case opts.config != "":
		return fmt.Errorf("-config: no file %s", opts.config)
	}
	return nil
}

// moduleRoot is the root of dir's module, or dir itself.
func moduleRoot(dir string) string {
	if r := root(dir, "go.mod"); r != "" {
		return r
	}
	return dir
}
