package load

import (
	"go/token"
	"go/types"
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
	for _, n := range l.needed {
		if n.types != nil && n.meta.ForTest == "" {
			res.Types[n.meta.PkgPath] = n.types
		}
		if n.pkg != nil && n.types != nil {
			res.Packages = append(res.Packages, n.pkg)
		}
	}
	for _, n := range l.nodes {
		if n.main || n.target {
			res.Errors = append(res.Errors, n.allErrors()...)
		}
	}
	res.Errors = sortErrors(res.Errors)
	return res
}

// allErrors returns what the go command, the parser and the type checker said.
func (n *node) allErrors() []Error {
	var all []Error
	for _, f := range n.files {
		for _, e := range f.errors {
			all = append(all, Error{Pos: e.Pos, Package: n.meta.PkgPath, Message: e.Msg})
		}
	}
	for _, e := range n.meta.Errors {
		all = append(all, Error{Pos: parsePosition(e.Pos), Package: n.meta.PkgPath, Message: listMessage(e)})
	}
	return append(all, n.errors...)
}

func listMessage(e packages.Error) string {
	return oneLine(e).Error()
}

// parsePosition reads "file:line:column".
func parsePosition(s string) token.Position {
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
		if i == 0 || e.Pos != errs[i-1].Pos || e.Message != errs[i-1].Message {
			kept = append(kept, e)
		}
	}
	return kept
}
