package catalog

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

//go:embed libraries/*.yaml
var libraries embed.FS

// shelf holds the files of the libraries. Of each the head is known from the
// start; the rest is read when it is asked for.
type shelf struct {
	volumes []*volume
	// packages are the listed packages of libraries with the files that list
	// them, modules are theirs.
	packages map[string][]*volume
	modules  map[string]bool
}

// volume is the file of one library.
type volume struct {
	file     string
	packages []string
	data     []byte

	once sync.Once
	lib  *library
	got  *book
	err  error
}

func newShelf() *shelf {
	return &shelf{packages: map[string][]*volume{}, modules: map[string]bool{}}
}

// openShelf finds libraries/*.yaml in a file system and reads their heads.
func openShelf(fsys fs.FS) (*shelf, error) {
	files, err := fs.Glob(fsys, "libraries/*.yaml")
	if err != nil {
		return nil, err
	}
	s := newShelf()
	for _, file := range files {
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, fmt.Errorf("reading a library: %w", err)
		}
		v := &volume{file: path.Base(file), data: data}
		modules, packages := readTitle(string(data))
		s.put(v, modules, packages)
	}
	return s, nil
}

// read reads all of libraries/*.yaml of a file system and checks it.
func read(fsys fs.FS) (*Catalog, error) {
	s, err := openShelf(fsys)
	if err != nil {
		return nil, err
	}
	if _, err := s.all(); err != nil {
		return nil, err
	}
	return &Catalog{shelf: s, own: newBook()}, nil
}

func (s *shelf) put(v *volume, modules, packages []string) {
	s.volumes = append(s.volumes, v)
	v.packages = packages
	for _, p := range packages {
		s.packages[p] = append(s.packages[p], v)
	}
	for _, m := range modules {
		s.modules[m] = true
	}
}

// of are the files that list a package.
func (s *shelf) of(pkg string) []*volume { return s.packages[pkg] }

func (s *shelf) has(importPath string) bool {
	if len(s.packages[importPath]) > 0 || s.modules[importPath] {
		return true
	}
	for i := strings.LastIndexByte(importPath, '/'); i > 0; i = strings.LastIndexByte(importPath[:i], '/') {
		if s.modules[importPath[:i]] {
			return true
		}
	}
	return false
}

// all is what the files say together, and what is wrong with them.
func (s *shelf) all() (*book, error) {
	b := newBook()
	var errs []error
	for _, v := range s.volumes {
		v.book()
		errs = append(errs, v.err, b.add(v.lib), v.checkTitle())
	}
	b.index()
	return b, errors.Join(errs...)
}

// book reads the file, of which only what is right counts. The tests hold that
// nothing is wrong in the program's own.
func (v *volume) book() *book {
	v.once.Do(func() {
		v.got = newBook()
		v.lib, v.err = readLibrary(v.file, v.data)
		_ = v.got.add(v.lib) // all repeats and reports it
		v.got.index()
	})
	return v.got
}
