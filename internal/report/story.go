package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// row is one printed line of a story: a source line, a step's words under it,
// the name of the file that follows, or a gap between lines.
type row struct {
	kind   rowKind
	file   string
	line   int
	text   string
	indent int
	crash  bool
}

type rowKind int

const (
	sourceRow rowKind = iota
	stepRow
	fileRow
	gapRow
)

// story lays out the steps of one finding in execution order, each under its
// source line. A line that was just printed is not printed again.
type story struct {
	opts Options
	src  *source
	rows []row
	// file and last are the file and line laid out last.
	file string
	last int
}

// layOut gives the rows for steps; site is the file that the finding's first
// line names already.
func (s *story) layOut(site string, list []finding.Step) {
	s.file = site
	for i, step := range list {
		if step.Pos.Filename != s.file {
			s.rows = append(s.rows, row{kind: fileRow, file: step.Pos.Filename})
			s.file, s.last = step.Pos.Filename, 0
		}
		if step.Pos.Line <= 0 {
			s.step(step)
			continue
		}
		s.before(step.Pos.Line)
		if step.Pos.Line != s.last {
			s.source(step.Pos.Line)
		}
		s.step(step)
		s.after(list, i)
	}
}

// before lays out the context above a line, or a gap to what stands above.
func (s *story) before(line int) {
	from := max(line-s.opts.Context, 1)
	if s.last > 0 && s.last != line {
		if s.last > line || s.last+1 < from {
			s.rows = append(s.rows, row{kind: gapRow})
		} else {
			from = s.last + 1
		}
	}
	for n := from; n < line && s.last != line && s.src.has(s.file, n); n++ {
		s.source(n)
	}
}

// after lays out the context below a step, up to the next step's own lines.
func (s *story) after(list []finding.Step, i int) {
	line := list[i].Pos.Line
	to := line + s.opts.Context
	if i+1 < len(list) && list[i+1].Pos.Filename == s.file && list[i+1].Pos.Line >= line {
		to = min(to, list[i+1].Pos.Line-1)
	}
	for n := line + 1; n <= to && s.src.has(s.file, n); n++ {
		s.source(n)
	}
}

func (s *story) source(n int) {
	text, _ := s.src.line(s.file, n)
	s.rows = append(s.rows, row{kind: sourceRow, file: s.file, line: n, text: expand(text)})
	s.last = n
}

// step lays out a step's words, under its column.
func (s *story) step(step finding.Step) {
	text := "^"
	if step.Message != "" {
		text += " " + step.Message
	}
	s.rows = append(s.rows, row{
		kind: stepRow, text: text, crash: step.Crash,
		indent: s.src.width(s.file, step.Pos.Line, step.Pos.Column),
	})
	if step.Crash {
		s.markCrash(step.Pos.Line)
	}
}

// markCrash marks the source line of a crash step.
func (s *story) markCrash(line int) {
	for i := len(s.rows) - 1; i >= 0; i-- {
		if s.rows[i].kind == sourceRow && s.rows[i].line == line {
			s.rows[i].crash = true
			return
		}
	}
}

// print prints the rows, without the white space that all source lines share.
func (s *story) print(w io.Writer, paint painter) {
	shared, digits := s.shared(), s.digits()
	bar := paint.dim("|")
	for _, r := range s.rows {
		switch r.kind {
		case sourceRow:
			mark := " "
			if r.crash {
				mark = paint.red(">")
			}
			line := fmt.Sprintf("%s %*d %s %s", mark, digits, r.line, bar, r.text[min(shared, len(r.text)):])
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		case stepRow:
			fmt.Fprintf(w, "  %*s %s %s%s\n", digits, "", bar, strings.Repeat(" ", max(r.indent-shared, 0)), paint.step(r))
		case fileRow:
			fmt.Fprintf(w, "  %*s %s\n", digits, "", paint.dim("--> "+s.opts.Paths.Show(r.file)))
		case gapRow:
			fmt.Fprintf(w, "  %*s %s\n", digits, "", paint.dim("..."))
		}
	}
}

// shared is the width of the white space that all source lines begin with.
func (s *story) shared() int {
	shared := -1
	for _, r := range s.rows {
		if r.kind != sourceRow || r.text == "" {
			continue
		}
		if n := len(r.text) - len(strings.TrimLeft(r.text, " ")); shared < 0 || n < shared {
			shared = n
		}
	}
	return max(shared, 0)
}

// digits is the width of the line numbers.
func (s *story) digits() int {
	widest := 0
	for _, r := range s.rows {
		widest = max(widest, r.line)
	}
	return max(len(fmt.Sprint(widest)), 4)
}
