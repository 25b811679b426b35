package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// story prints the steps of one finding, each under its source line. Lines that
// follow on from the step before are not printed twice.
type story struct {
	w     io.Writer
	opts  Options
	src   *source
	paint painter
	// site is the file that the message names; a step in another file is
	// introduced by that file's name.
	site string
	// file and last are the file and line printed last.
	file string
	last int
	// width is that of the widest line number.
	width int
}

func (s *story) write(list []finding.Step) {
	s.file = s.site
	s.width = numberWidth(list, s.opts.Context)
	for i, step := range list {
		s.heading(step)
		s.before(step)
		s.step(step)
		s.after(list, i)
	}
}

// heading names the file of a step where it differs from the one before.
func (s *story) heading(step finding.Step) {
	if step.Pos.Filename == s.file {
		return
	}
	fmt.Fprintf(s.w, "  %s %s\n", strings.Repeat(" ", s.width), s.paint.dim("--> "+s.opts.Paths.Show(step.Pos.Filename)))
	s.file, s.last = step.Pos.Filename, 0
}

func (s *story) before(step finding.Step) {
	from := max(step.Pos.Line-s.opts.Context, 1)
	if s.last > 0 && s.last < step.Pos.Line {
		if from > s.last+1 {
			fmt.Fprintf(s.w, "  %s %s\n", strings.Repeat(" ", s.width), s.paint.dim("..."))
		}
		from = max(from, s.last+1)
	}
	for n := from; n < step.Pos.Line; n++ {
		s.line(n, false)
	}
}

func (s *story) step(step finding.Step) {
	if step.Pos.Line != s.last {
		s.line(step.Pos.Line, step.Crash)
	}
	if step.Message == "" && step.Pos.Column <= 0 {
		return
	}
	gutter := fmt.Sprintf("  %*s %s ", s.width, "", s.paint.dim("|"))
	text := "^"
	if step.Message != "" {
		text += " " + step.Message
	}
	if step.Crash {
		text = s.paint.red(text)
	} else {
		text = s.paint.blue(text)
	}
	fmt.Fprintf(s.w, "%s%s%s\n", gutter, s.src.indent(s.file, step.Pos.Line, step.Pos.Column), text)
}

// after prints the context below a step, up to the next step's own context.
func (s *story) after(list []finding.Step, i int) {
	to := list[i].Pos.Line + s.opts.Context
	if i+1 < len(list) && list[i+1].Pos.Filename == s.file {
		if next := list[i+1].Pos.Line; next >= list[i].Pos.Line {
			to = min(to, next-1)
		}
	}
	for n := list[i].Pos.Line + 1; n <= to && s.src.has(s.file, n); n++ {
		s.line(n, false)
	}
}

func (s *story) line(n int, crash bool) {
	mark := " "
	if crash {
		mark = s.paint.red(">")
	}
	if text, ok := s.src.line(s.file, n); ok {
		fmt.Fprintf(s.w, "%s %*d %s %s\n", mark, s.width, n, s.paint.dim("|"), strings.TrimRight(expand(text), " \r"))
	} else {
		fmt.Fprintf(s.w, "%s %*d %s\n", mark, s.width, n, s.paint.dim("|"))
	}
	s.last = n
}

func numberWidth(list []finding.Step, context int) int {
	widest := 0
	for _, step := range list {
		widest = max(widest, step.Pos.Line+context)
	}
	return max(len(fmt.Sprint(widest)), 4)
}

// tab is the width of a tab in printed source.
const tab = 4

func expand(text string) string { return strings.ReplaceAll(text, "\t", strings.Repeat(" ", tab)) }

// source reads files once and hands out their lines.
type source struct {
	read  func(string) ([]byte, error)
	files map[string][][]byte
}

func newSource(read func(string) ([]byte, error)) *source {
	return &source{read: read, files: map[string][][]byte{}}
}

func (s *source) lines(file string) [][]byte {
	if lines, ok := s.files[file]; ok {
		return lines
	}
	var lines [][]byte
	if s.read != nil {
		// A file that can't be read is shown without its source lines.
		if data, err := s.read(file); err == nil {
			lines = bytes.Split(data, []byte("\n"))
		}
	}
	s.files[file] = lines
	return lines
}

func (s *source) has(file string, n int) bool {
	_, ok := s.line(file, n)
	return ok
}

func (s *source) line(file string, n int) (string, bool) {
	lines := s.lines(file)
	if n < 1 || n > len(lines) || n == len(lines) && len(lines[n-1]) == 0 {
		return "", false
	}
	return string(lines[n-1]), true
}

// indent is the white space that puts a caret under a column of a line.
func (s *source) indent(file string, n, column int) string {
	text, ok := s.line(file, n)
	if !ok || column <= 1 {
		return ""
	}
	text = expand(text[:min(column-1, len(text))])
	return strings.Repeat(" ", len([]rune(text)))
}
