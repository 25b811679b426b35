package load

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"go/version"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// result collects what was loaded.
func (l *loader) result() *Result {
	res := l.res
	res.GoVersion = l.env.GOVERSION
	res.Types = map[string]*types.Package{}
	res.Partial = map[string]bool{}
	for _, n := range l.needed {
		if n.types == nil {
			continue
		}
		if n.pkg != nil {
			res.Packages = append(res.Packages, n.pkg)
		}
		switch {
		case n.meta.ForTest == "":
			res.Types[n.meta.PkgPath] = n.types
			if !n.bodies && !n.whole && n.types != types.Unsafe {
				res.Partial[n.meta.PkgPath] = true
			}
		case n.pkg == nil:
			res.Types[n.meta.ID] = n.types
			res.Partial[n.meta.ID] = !n.whole
		}
	}
	concerned := l.concerned()
	for _, n := range l.nodes {
		if concerned[n] && (n.main || n.target) {
			res.Errors = append(res.Errors, n.allErrors(l.cfg.Dir)...)
		}
	}
	res.Errors = sortErrors(append(res.Errors, l.tooNew()...))
	return res
}

// tooNew returns an error for each module of ours that is written in a newer Go
// than this program knows.
func (l *loader) tooNew() []Error {
	if !version.IsValid(runtime.Version()) {
		return nil
	}
	var errs []Error
	for _, n := range l.nodes {
		m := n.meta.Module
		if n.main && m != nil && version.Compare("go"+m.GoVersion, runtime.Version()) > 0 {
			errs = append(errs, Error{
				Pos:     token.Position{Filename: m.GoMod},
				Package: m.Path,
				Message: fmt.Sprintf("the module is written in go%s, this program only knows %s", m.GoVersion, runtime.Version()),
			})
		}
	}
	return errs
}

// allErrors returns what the go command, the parser and the type checker said. Of
// a file with syntax errors only the first is given, and of its package no type
// errors: they mostly follow from it. At one line the go command has the word.
func (n *node) allErrors(dir string) []Error {
	var all []Error
	malformed := map[string]bool{}
	for _, f := range n.files {
		if len(f.errors) > 0 {
			malformed[f.errors[0].Pos.Filename] = true
			all = append(all, Error{Pos: f.errors[0].Pos, Package: n.meta.PkgPath, Message: f.errors[0].Msg})
		}
	}
	type line struct {
		file string
		line int
	}
	told := map[line]bool{}
	for _, e := range n.meta.Errors {
		if e := n.said(dir, e); !malformed[e.Pos.Filename] {
			told[line{e.Pos.Filename, e.Pos.Line}] = true
			all = append(all, e)
		}
	}
	for _, e := range n.errors {
		if len(malformed) == 0 && !told[line{e.Pos.Filename, e.Pos.Line}] {
			e.Message = clean(dir, e.Message)
			all = append(all, e)
		}
	}
	return all
}

// place is a position before a message.
var place = regexp.MustCompile(`^([^\s:]+:\d+(:\d+)?): `)

// said is an error of the go command, which has its place in the message at
// times.
func (n *node) said(dir string, e packages.Error) Error {
	pos, message := e.Pos, oneLine(errors.New(e.Msg)).Error()
	if m := place.FindStringSubmatch(message); m != nil && (pos == "" || pos == "-") {
		pos, message = m[1], message[len(m[0]):]
	}
	return Error{Pos: parsePosition(dir, pos), Package: n.meta.PkgPath, Message: clean(dir, message)}
}

// clean makes a type error one line without absolute file names.
func clean(dir, message string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		message = strings.ReplaceAll(message, abs+string(filepath.Separator), "")
	}
	return strings.ReplaceAll(message, "\n\t", ", ")
}

// parsePosition reads "file:line:column"; the file may be relative to dir.
func parsePosition(dir, s string) token.Position {
	var pos token.Position
	if s == "" || s == "-" {
		return pos
	}
	numbers := []int{}
	for len(numbers) < 2 {
		i := strings.LastIndexByte(s, ':')
		if i < 0 {
			break
		}
		number, err := strconv.Atoi(s[i+1:])
		if err != nil {
			break
		}
		numbers = append([]int{number}, numbers...)
		s = s[:i]
	}
	pos.Filename = s
	if !filepath.IsAbs(s) {
		if abs, err := filepath.Abs(filepath.Join(dir, s)); err == nil {
			pos.Filename = abs
		}
	}
	if len(numbers) > 0 {
		pos.Line = numbers[0]
	}
	if len(numbers) > 1 {
		pos.Column = numbers[1]
	}
	return pos
}

// sortErrors sorts by position and drops what says the same at the same line.
func sortErrors(errs []Error) []Error {
	sort.SliceStable(errs, func(i, j int) bool {
		a, b := errs[i], errs[j]
		if a.Pos.Filename != b.Pos.Filename {
			return a.Pos.Filename < b.Pos.Filename
		}
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line < b.Pos.Line
		}
		if a.Pos.Column != b.Pos.Column {
			return a.Pos.Column < b.Pos.Column
		}
		if a.Message != b.Message {
			return a.Message < b.Message
		}
		return a.Package < b.Package
	})
	kept := errs[:0]
	for i, e := range errs {
		if i == 0 || e.Pos.String() != errs[i-1].Pos.String() || e.Message != errs[i-1].Message {
			kept = append(kept, e)
		}
	}
	return kept
}
