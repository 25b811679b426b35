package report

import (
	"bytes"
	"unicode/utf16"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// spot is a place in a file. Both are 1-based; columns count bytes.
type spot struct{ line, column int }

// spotAt is the place of an offset; false where the file doesn't reach so far.
func (s *source) spotAt(file string, offset int) (spot, bool) {
	data := s.data(file)
	if data == nil || offset < 0 || offset > len(data) {
		return spot{}, false
	}
	before := data[:offset]
	return spot{
		line:   bytes.Count(before, []byte("\n")) + 1,
		column: offset - bytes.LastIndexByte(before, '\n'),
	}, true
}

// utf16Column turns a column that counts bytes into one that counts UTF-16 code
// units, as editors do. It stays as it is where the line is not known.
func (s *source) utf16Column(file string, at spot) int {
	lines := s.lines(file)
	if at.line < 1 || at.line > len(lines) || at.column < 1 {
		return at.column
	}
	text := lines[at.line-1]
	n := 1
	for _, r := range text[:min(at.column-1, len(text))] {
		n += utf16.RuneLen(r)
	}
	return n + max(at.column-1-len(text), 0)
}

// change is the edits of a fix in one file as one: the text that stands in the
// place of all from the first edit to the last.
type change struct {
	file       string
	start, end int
	text       string
}

// oneChange joins edits that are sorted and lie in one file; false where they
// don't or the file can't be read.
func (s *source) oneChange(edits []finding.Edit) (change, bool) {
	if len(edits) == 0 {
		return change{}, false
	}
	c := change{file: edits[0].File, start: edits[0].Start, end: edits[0].Start}
	data := s.data(c.file)
	for _, e := range edits {
		if e.File != c.file || e.Start < c.end || e.End < e.Start || e.End > len(data) {
			return change{}, false
		}
		c.text += string(data[c.end:e.Start]) + e.NewText
		c.end = e.End
	}
	return c, true
}
