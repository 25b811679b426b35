package report

import (
	"bytes"
	"strings"
	"unicode"
)

// source reads files once and hands out their lines.
type source struct {
	read  func(string) ([]byte, error)
	files map[string][]string
	bytes map[string][]byte
}

func newSource(read func(string) ([]byte, error)) *source {
	return &source{read: read, files: map[string][]string{}, bytes: map[string][]byte{}}
}

func (s *source) lines(file string) []string {
	if lines, ok := s.files[file]; ok {
		return lines
	}
	var lines []string
	if data := s.data(file); data != nil {
		lines = strings.Split(string(bytes.TrimSuffix(data, []byte("\n"))), "\n")
	}
	s.files[file] = lines
	return lines
}

// data is a file's bytes. One that can't be read has none, and is shown without
// its source lines.
func (s *source) data(file string) []byte {
	if data, ok := s.bytes[file]; ok {
		return data
	}
	var data []byte
	if s.read != nil {
		if got, err := s.read(file); err == nil {
			data = append([]byte{}, got...)
		}
	}
	s.bytes[file] = data
	return data
}

// longest is how many bytes of a source line are shown.
const longest = 400

// line is the n-th line of a file without its white space at the end. A very long
// one, such as data in generated code, is cut.
func (s *source) line(file string, n int) (string, bool) {
	lines := s.lines(file)
	if n < 1 || n > len(lines) {
		return "", false
	}
	text := strings.TrimRight(lines[n-1], " \t\r")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text, true
}

func (s *source) has(file string, n int) bool {
	_, ok := s.line(file, n)
	return ok
}

// tab is the width of a tab in printed source.
const tab = 4

// expand makes a source line printable: tabs become spaces, and what a terminal
// would obey is replaced.
func expand(text string) string {
	text = strings.ReplaceAll(text, "\t", strings.Repeat(" ", tab))
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// width is the printed width of a line before a byte column; without a column,
// that of its indentation.
func (s *source) width(file string, n, column int) int {
	text, _ := s.line(file, n)
	if column <= 0 {
		column = len(text) - len(strings.TrimLeft(text, " \t")) + 1
	}
	return len([]rune(expand(text[:min(column-1, len(text))])))
}
