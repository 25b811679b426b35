// Package settings says what a run does: which rules run at which tier, which
// paths are left out, and what the user's file adds to the catalog. Every front
// door reads it here, so that each means the same.
package settings

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/finding"
)

// FileName is the user's file; Find tells where it is looked for.
const FileName = ".deliverylint.yml"

// Settings are the rules, the catalog and the choices of one run.
type Settings struct {
	Catalog *catalog.Catalog
	// Config is the user's file, nil if there is none.
	Config *catalog.Config

	all     []analyzers.Rule
	off     map[string]bool
	only    map[string]bool
	tier    map[string]finding.Tier
	exclude []string
	// root is the folder of the user's file, module that of the module that the
	// process runs in, if it matters.
	root, module string
	// read is the text of all that was taken over.
	read []byte
}

// New are the settings without a file or flags: all rules run on the catalog as
// it is.
func New(cat *catalog.Catalog, rules []analyzers.Rule) *Settings {
	return &Settings{
		Catalog: cat, all: rules,
		off: map[string]bool{}, only: map[string]bool{}, tier: map[string]finding.Tier{},
	}
}

// ReadFile takes over a user's file; shown is how errors name it.
func (s *Settings) ReadFile(file, shown string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	s.root = filepath.Dir(file)
	return s.ReadText(data, shown)
}

// ReadText takes over settings from elsewhere, beside those that were read before.
func (s *Settings) ReadText(text []byte, shown string) error {
	cat, cfg, err := s.Catalog.With(shown, text)
	if err != nil {
		return err
	}
	s.Catalog, s.Config = cat, cfg
	s.read = append(append(s.read, text...), 0)
	return s.apply(cfg)
}

// Digest tells settings that come from different texts apart.
func (s *Settings) Digest() [sha256.Size]byte { return sha256.Sum256(s.read) }

// ReadModule takes over a user's file, or, if none is named, the file of the
// module that the process runs in, where it has one.
func (s *Settings) ReadModule(file string) error {
	if file != "" {
		return s.ReadFile(file, file)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	s.module = Nearest(dir, "go.mod")
	file = Find(dir)
	if file == "" {
		return nil
	}
	shown, err := filepath.Rel(dir, file)
	if err != nil {
		shown = file
	}
	return s.ReadFile(file, filepath.ToSlash(shown))
}

func (s *Settings) apply(cfg *catalog.Config) error {
	for _, r := range cfg.Rules {
		if err := s.checkName(r.Rule); err != nil {
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
			return fmt.Errorf("%s: malformed path pattern %q (known: *, ? and [a-z] in a name, ** for any folders)", e.Source, e.Name)
		}
		s.exclude = append(s.exclude, e.Name)
	}
	return nil
}

// Enable runs nothing but the named rules and categories, the file's "off"
// notwithstanding.
func (s *Settings) Enable(names []string) error {
	for _, name := range names {
		if err := s.checkName(name); err != nil {
			return err
		}
		s.only[name] = true
		delete(s.off, name)
	}
	return nil
}

// Disable leaves rules and categories out.
func (s *Settings) Disable(names []string) error {
	for _, name := range names {
		if err := s.checkName(name); err != nil {
			return err
		}
		s.off[name] = true
	}
	return nil
}
