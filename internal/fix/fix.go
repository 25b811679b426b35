// Package fix builds the changes that rules offer. A change is made from syntax,
// edit by edit, and offered only if the file is formatted before and after it and
// the package type-checks with it. Where a shape is not certain there is no fix.
package fix

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// Package is a type-checked package without errors, as it is on disk.
type Package struct {
	Fset  *token.FileSet
	Files []*ast.File
	Types *types.Package
	Info  *types.Info
	// Read reads a file.
	Read func(name string) ([]byte, error)
	// Known finds a package by its path that was loaded whole, whether this one
	// needs it or not; nil where only what this one needs is known.
	Known func(path string) *types.Package
	// Beside finds the package of the program that a file is in; nil where only this one is
	// known.
	Beside func(file string) *Package
	// Inbox are the functions that record that a message was handled.
	Inbox []*types.Func
	Facts
}

// Facts are what the analysis of a program tells of it; none of them is known where the
// program is not.
type Facts struct {
	// Outbox is the outbox of the program, nil if there is none; Quiet reports whether a
	// function of the program does nothing that anybody else could see.
	Outbox *Outbox
	Quiet  func(fn *types.Func) bool
	// Locks reports whether a function, or what it calls, reads rows that it locks.
	Locks func(fn *types.Func) bool
}

// File is a file of a package with its bytes.
type File struct {
	*Package
	Name   string
	Syntax *ast.File
	Text   []byte
	tokens *token.File
}

// File returns a file that may be changed: one that no tool wrote and that is no
// copy of somebody else's; nil if the package has none of that name.
func (p *Package) File(name string) *File {
	if strings.Contains(filepath.ToSlash(name), "/vendor/") {
		return nil
	}
	for _, syntax := range p.Files {
		tokens := p.Fset.File(syntax.FileStart)
		if tokens.Name() != name || ast.IsGenerated(syntax) {
			continue
		}
		text, err := p.Read(name)
		if err != nil || len(text) != tokens.Size() {
			return nil
		}
		return &File{p, name, syntax, text, tokens}
	}
	return nil
}

// Fixer offers the changes that mend a finding in a package.
type Fixer = func(p *Package, f *finding.Finding) []finding.Fix

// Offers are those of a fixer. One that meets code it is not made for offers nothing:
// the finding stands without it.
func (p *Package) Offers(by Fixer, f *finding.Finding) (fixes []finding.Fix) {
	defer func() {
		if recover() != nil {
			fixes = nil
		}
	}()
	return by(p, f)
}

// Offer is the fix with these edits, if it holds; else there is none.
func (f *File) Offer(message string, edits []finding.Edit) []finding.Fix {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b finding.Edit) int { return a.Start - b.Start })
	changed, ok := apply(f.Text, edits)
	if !ok || bytes.Equal(changed, f.Text) || !formatted(f.Text) || !formatted(changed) {
		return nil
	}
	if f.Check(map[string][]byte{f.Name: changed}) != nil {
		return nil
	}
	return []finding.Fix{{Message: message, Edits: edits}}
}

// Holding is the package that a file is in, this one or one beside it; nil if there is none.
func (p *Package) Holding(file string) *Package {
	for _, f := range p.Files {
		if p.Fset.File(f.FileStart).Name() == file {
			return p
		}
	}
	if p.Beside == nil {
		return nil
	}
	return p.Beside(file)
}

// ByFile finds the package of a list that a file is in.
func ByFile(pkgs []*Package) func(file string) *Package {
	files := map[string]*Package{}
	for _, p := range pkgs {
		for _, f := range p.Files {
			files[p.Fset.File(f.FileStart).Name()] = p
		}
	}
	return func(file string) *Package { return files[file] }
}

// formatted reports whether gofmt leaves a file as it is.
func formatted(text []byte) bool {
	clean, err := format.Source(text)
	return err == nil && bytes.Equal(clean, text)
}

// apply applies edits in order of their starts; false if two overlap. What is
// inserted at one place stands in the order of the edits.
func apply(text []byte, edits []finding.Edit) ([]byte, bool) {
	var out []byte
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			return nil, false
		}
		out = append(out, text[at:e.Start]...)
		out = append(out, e.NewText...)
		at = e.End
	}
	return append(out, text[at:]...), true
}
