// Package load reads Go packages from source: the packages of the main module
// with function bodies, everything else as declarations only. Nothing is
// compiled and no C toolchain runs, so a fresh machine and an edited tree cost
// the same.
package load

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
)

// Config says what to load and how.
type Config struct {
	// Dir is the working directory, in which the go command runs.
	Dir string
	// Patterns name the target packages, as for go list. None means ".".
	Patterns []string
	// Whole reads all packages of the modules around the patterns, so that calls
	// link as they do in a run over everything. The targets stay those that the
	// patterns name, and so do the errors.
	Whole bool
	// Tags are build tags, separated by commas.
	Tags string
	// Tests asks for test variants and external test packages too.
	Tests bool
	// Overlay holds the bytes of files, by absolute name, that are read in the place
	// of those on disk.
	Overlay map[string][]byte
	// Env is appended to the process's environment.
	Env []string
	// Bodies tells whether a package outside the main module and the standard
	// library is read with function bodies. imports are its direct imports, files
	// its parsed files without comments. Calls may be concurrent. Nil: none.
	Bodies func(importPath string, imports []string, files []*ast.File) bool
	// Candidate tells from the path and the direct imports alone whether Bodies
	// is asked at all: finding that out early is cheaper. Nil: always.
	Candidate func(importPath string, imports []string) bool
	// Progress, if not nil, is called after each package that was type-checked,
	// never concurrently.
	Progress func(done, total int)
}

// Package is a package that was read with function bodies.
type Package struct {
	// ID is unique in a result; a test variant's ends in " [p.test]".
	ID string
	// Path is the import path, Name the name in the package clause.
	Path, Name string
	// Module is the path of the package's module, ModuleDir its root.
	Module, ModuleDir string
	// Dir holds the package's files.
	Dir string
	// Files are the parsed files, with comments in packages that are Main or Target.
	Files []*ast.File
	// Types is the type-checked package. It may be incomplete if there were errors.
	Types *types.Package
	// Info has all that go/ssa needs.
	Info *types.Info
	// Imports are the paths of the packages imported directly, sorted.
	Imports []string
	// ForTest is the path of the package whose test this variant is built for. A
	// variant that is not an external test package also holds the files of the
	// plain package, which is a target of its own.
	ForTest string
	// Target tells whether the patterns name the package.
	Target bool
	// Main tells whether the package is part of the main module or workspace.
	Main bool
	// Broken holds the functions that have type errors, touch what has, or use C;
	// their bodies are nil, so what is left is well-typed.
	Broken map[*ast.FuncDecl]bool
	// Generated holds the names of the files that have the header of generated code.
	Generated map[string]bool
}

// Error is something that could not be loaded or type-checked.
type Error struct {
	// Pos is where it is; the file name is empty if that is not known.
	Pos token.Position
	// Package is the import path of the package it was met in.
	Package string
	// Message says what is wrong.
	Message string
}

// Result is what was loaded.
type Result struct {
	// Fset has the positions of all files.
	Fset *token.FileSet
	// Packages are those with function bodies, dependencies first.
	Packages []*Package
	// Types are all packages that were type-checked, by import path. A dependency
	// that only function bodies need is not among them. A package read without
	// bodies declares what is exported and what that needs; one rebuilt for the
	// test of another package is listed by its ID. Test variants of the targets are
	// in Packages only.
	Types map[string]*types.Package
	// Partial tells which of Types declare only what other packages need: those
	// that no package with bodies imports.
	Partial map[string]bool
	// Errors are sorted by position and free of duplicates.
	Errors []Error
	// GoVersion is the version of the go command, such as "go1.26.8".
	GoVersion string
}

// Load reads the packages that cfg names and what they depend on. It fails only
// if nothing could be loaded; all else that goes wrong is in Result.Errors.
func Load(ctx context.Context, cfg Config) (*Result, error) {
	l, err := list(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := l.parseAll(ctx); err != nil {
		return nil, err
	}
	if err := l.checkAll(ctx); err != nil {
		return nil, err
	}
	return l.result(), nil
}
