package fix

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// Edits collects the edits of one fix. One that can't be made spoils the fix.
type Edits struct {
	file *File
	list []finding.Edit
	// imports are the paths of packages that the file has to import.
	imports []string
	wrong   bool
}

// Edits begins a fix of the file.
func (f *File) Edits() *Edits { return &Edits{file: f} }

// Offer is the fix, if it holds.
func (e *Edits) Offer(message string) []finding.Fix {
	if e.wrong {
		return nil
	}
	list := e.list
	if len(e.imports) > 0 {
		edit, ok := e.file.withImports(e.imports)
		if !ok {
			return nil
		}
		list = append(slices.Clone(list), edit)
	}
	return e.file.Offer(message, list)
}

func (e *Edits) add(start, end int, text string) {
	e.list = append(e.list, finding.Edit{File: e.file.Name, Start: start, End: end, NewText: text})
}

// Replace puts text in the place of a node.
func (e *Edits) Replace(n ast.Node, text string) {
	e.add(e.file.tokens.Offset(n.Pos()), e.file.tokens.Offset(n.End()), text)
}

// Span is a piece of a file, as a node is.
type Span struct{ From, To token.Pos }

// Pos is where it begins.
func (s Span) Pos() token.Pos { return s.From }

// End is where it ends.
func (s Span) End() token.Pos { return s.To }

// Before puts text before a node.
func (e *Edits) Before(n ast.Node, text string) {
	at := e.file.tokens.Offset(n.Pos())
	e.add(at, at, text)
}

// Behind puts text behind a node.
func (e *Edits) Behind(n ast.Node, text string) {
	at := e.file.tokens.Offset(n.End())
	e.add(at, at, text)
}

// Rewritten is the text of a node with edits inside it.
func (f *File) Rewritten(n ast.Node, edit func(*Edits)) string {
	e := f.Edits()
	edit(e)
	start, end := f.tokens.Offset(n.Pos()), f.tokens.Offset(n.End())
	for i := range e.list {
		e.list[i].Start -= start
		e.list[i].End -= start
	}
	text, ok := apply(f.Text[start:end], e.list)
	if !ok {
		return ""
	}
	return string(text)
}

// Above puts lines above a statement that has no comment of its own. They are
// indented already, but for the first.
func (e *Edits) Above(s ast.Stmt, lines string) {
	at, _, ok := e.lines(s)
	if !ok || lines == "" {
		e.wrong = true
		return
	}
	e.add(at, at, e.file.Line(s.Pos())+lines+"\n")
}

// Remove takes a statement's lines out, with a comment beside it, which is returned
// with a space before it. There may be none above.
func (e *Edits) Remove(s ast.Stmt) (comment string) {
	start, end, ok := e.lines(s)
	if !ok {
		e.wrong = true
		return ""
	}
	e.add(start, end, "")
	return strings.TrimRight(string(e.file.Text[e.file.tokens.Offset(s.End()):end]), "\r\n")
}

// Move puts a statement with its lines, and a comment beside it, below another of
// the same block. A comment above may belong to it or not, so there may be none.
func (e *Edits) Move(s, below ast.Stmt) {
	start, end, ok := e.lines(s)
	if !ok {
		e.wrong = true
		return
	}
	e.add(start, end, "")
	e.insertBelow(below, string(e.file.Text[start:end-1]))
}

// InsertBefore puts a statement on lines of its own above one that has no comment
// of its own. Lines of the text are indented as the statement is.
func (e *Edits) InsertBefore(s ast.Stmt, text string) {
	space := e.file.Line(s.Pos())
	e.Above(s, strings.ReplaceAll(text, "\n", "\n"+space))
}

// InsertAfter puts a statement below one; what is beside that stays there. Lines
// of the text are indented as that statement is.
func (e *Edits) InsertAfter(s ast.Stmt, text string) {
	e.insertBelow(s, indent(text, e.file.Line(s.Pos())))
}

func (e *Edits) insertBelow(s ast.Stmt, lines string) {
	end := e.file.tokens.Offset(s.End())
	rest, ok := e.beside(end)
	if !ok || strings.TrimSpace(e.file.Line(s.Pos())) != "" {
		e.wrong = true
		return
	}
	e.add(end+rest, end+rest, "\n"+lines)
}

// beside counts the bytes from an offset to the end of the line; false if there is
// anything but a comment.
func (e *Edits) beside(at int) (int, bool) {
	rest, _, found := strings.Cut(string(e.file.Text[at:]), "\n")
	text := strings.TrimSpace(rest)
	return len(rest), found && (text == "" || strings.HasPrefix(text, "//"))
}

// lines are the bytes of a statement's lines, with the newline; false where other
// code is on them, or a comment above.
func (e *Edits) lines(s ast.Stmt) (start, end int, ok bool) {
	text := e.file.Text
	space := e.file.Line(s.Pos())
	start = e.file.tokens.Offset(s.Pos()) - len(space)
	end = e.file.tokens.Offset(s.End())
	rest, ok := e.beside(end)
	if !ok || strings.TrimSpace(space) != "" {
		return 0, 0, false
	}
	above := text[:max(start-1, 0)]
	above = bytes.TrimSpace(above[bytes.LastIndexByte(above, '\n')+1:])
	if bytes.HasPrefix(above, []byte("//")) || bytes.HasSuffix(above, []byte("*/")) {
		return 0, 0, false
	}
	return start, end + rest + 1, true
}

func indent(text, space string) string {
	return space + strings.ReplaceAll(text, "\n", "\n"+space)
}
