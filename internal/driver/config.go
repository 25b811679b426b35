package driver

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/report"
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

// readFile reads the file that -config names, or the one that is found, if there is
// one.
func readFile(s *settings.Settings, opts options, dir string) error {
	file := opts.configFile(dir)
	if file == "" {
		return nil
	}
	err := s.ReadFile(file, report.Paths{Dir: opts.dir, Root: opts.repo().Root}.Show(file))
	if errors.Is(err, fs.ErrNotExist) && opts.config != "" {
		return fmt.Errorf("-config: no file %s", opts.config)
	}
	return err
}

// configFile is the settings file for a folder, "" if there is none.
func (o *options) configFile(dir string) string {
	if o.config == "" {
		return settings.Find(dir)
	}
	return o.within(o.config)
}

// moduleRoot is the root of dir's module, or dir itself.
func moduleRoot(dir string) string {
	if r := root(dir, "go.mod"); r != "" {
		return r
	}
	return dir
}
