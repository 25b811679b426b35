package driver

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"path"
	"path/filepath"
	"slices"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// question is a line that a user asks about.
type question struct {
	file   string
	line   int
	source string
}

// answer prints what was seen at the line, how each call on it was resolved, and
// what the rules made of it.
func (q *question) answer(w io.Writer, v *view) {
	fmt.Fprintf(w, "%s\n    %s\n", v.place(effect.Position{File: q.file, Line: q.line}), q.source)
	owners := v.functions(q.covers)
	if len(owners) == 0 {
		fmt.Fprintf(w, "\n%s\n", q.unread(v))
		return
	}
	seen := false
	for _, f := range owners {
		calls := q.calls(f)
		if len(calls) == 0 {
			continue
		}
		seen = true
		fmt.Fprintf(w, "\nin %s%s\n", v.program.Title(f), v.role(f))
		for _, n := range calls {
			v.printCall(w, f, n)
		}
	}
	if !seen {
		fmt.Fprintln(w, "\nno call stands on this line")
		return
	}
	first := true
	for _, r := range v.set.Rules() {
		if r.Trace != nil {
			q.judge(w, v, r, first)
			first = false
		}
	}
}

// covers picks the functions that have the line, literals in them too.
func (q *question) covers(f *effect.Func) bool {
	return f.Pos.File == q.file && slices.ContainsFunc(f.Nodes, func(n *effect.Node) bool { return n != nil && q.at(n.Pos) })
}

func (q *question) at(pos effect.Position) bool { return pos.File == q.file && pos.Line == q.line }

// unread says why nothing was seen at the line.
func (q *question) unread(v *view) string {
	for _, p := range v.res.Packages {
		for _, file := range p.Files {
			if slashed(v.res.Fset.Position(file.Package).Filename) != q.file {
				continue
			}
			if fn, ok := q.decl(v.res.Fset, file).(*ast.FuncDecl); ok && p.Broken[fn] {
				return "the function was not read: it has type errors, or uses C"
			}
			return "no call stands on this line"
		}
	}
	return "the file is in no package that was read: build tags may leave it out (-tags), or it is a test (-test)"
}

// decl is the last declaration that begins at the line or above it. The end of
// a function without its body says nothing.
func (q *question) decl(fset *token.FileSet, file *ast.File) ast.Decl {
	var last ast.Decl
	for _, d := range file.Decls {
		if fset.Position(d.Pos()).Line <= q.line {
			last = d
		}
	}
	return last
}

// slashed is a file name as positions in the program have it.
func slashed(name string) string { return filepath.ToSlash(name) }

// calls are the calls, sends and the like that begin on the line.
func (q *question) calls(f *effect.Func) []*effect.Node {
	return slices.DeleteFunc(nodes(f), func(n *effect.Node) bool {
		return !q.at(n.Pos) || n.IsBuiltin() || n.Kind > effect.NodeDefer && n.Kind != effect.NodeSend
	})
}

// printCall prints how a call was resolved.
func (v *view) printCall(w io.Writer, f *effect.Func, n *effect.Node) {
	fmt.Fprintf(w, "  %s\n", callText(n))
	for _, line := range v.resolution(f, n) {
		fmt.Fprintf(w, "    %s\n", line)
	}
	if n.ErrResult && n.Dropped && n.Kind == effect.NodeCall && len(n.Effects) > 0 {
		fmt.Fprintln(w, "    nobody looks at its error")
	}
}

func (v *view) resolution(f *effect.Func, n *effect.Node) []string {
	var lines []string
	for i := range n.Effects {
		e := &n.Effects[i]
		line := e.Words()
		if handle := f.HandleWords(e); handle != "" {
			line += ", through " + handle
		}
		lines = append(lines, line)
	}
	switch {
	case n.Kind == effect.NodeSend:
		return append(lines, v.sendText(f, n))
	case n.Entry != nil && n.Entry.Kind == catalog.Ignore:
		return []string{"known to mean nothing here: " + n.Entry.Source}
	case n.Entry != nil:
		return append(lines, "known from "+n.Entry.Source+": "+symbolText(n.Entry.Symbol))
	case len(n.Effects) > 0:
		return append(lines, "by its name only: nothing in the module implements "+ifaceName(n))
	}
	return append(lines, v.callees(f, n)...)
}

func symbolText(s catalog.Symbol) string {
	if s.Type == "" {
		return path.Base(s.Package) + "." + s.Name
	}
	return path.Base(s.Package) + "." + s.Type + "." + s.Name
}

func (v *view) sendText(f *effect.Func, n *effect.Node) string {
	for _, c := range n.Args {
		if v.program.Published(f, c) {
			return "publish: what is sent on " + f.Words(c) + " is published"
		}
	}
	return "a send on a channel that no publisher is known to read"
}

// callees says which functions a call may run.
func (v *view) callees(f *effect.Func, n *effect.Node) []string {
	var list []string
	for _, c := range v.program.Callees(f, n) {
		if c.Func == nil {
			list = append(list, library(c.Entry))
			continue
		}
		kinds := v.program.Does(c.Func.Symbol)
		list = append(list, fmt.Sprintf("%s (%s): %s", v.program.TitleFrom(f, c.Func), v.place(c.Func.Pos), cmp.Or(kinds.Words(), "nothing that matters")))
	}
	var head string
	switch {
	case n.Static != "" && len(list) == 0:
		return []string{"a function that was not read, and whose meaning no file tells: " + n.Static}
	case n.Static != "":
		return []string{"calls " + list[0]}
	case n.Iface != "" && len(list) == 0:
		if v.program.Foreign[n.Iface+"."+n.Method] {
			return []string{"unknown: " + ifaceName(n) + " is a library's interface, or more types implement it than are followed"}
		}
		return []string{"unknown: no type of the module implements " + ifaceName(n) + " (test doubles don't count)"}
	case n.Iface != "":
		head = "a method of the interface " + ifaceName(n) + ", implemented by"
	case len(list) == 0:
		return []string{"unknown: nobody is seen to set the function value (" + f.Words(n.Dynamic) + ")"}
	default:
		head = "a function value (" + f.Words(n.Dynamic) + "), set to"
	}
	for i := range list {
		list[i] = "  " + list[i]
	}
	return append([]string{head}, list...)
}
