package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// textWriter writes for people: the place and message first, so that editors
// can jump there, then the steps with their source lines.
type textWriter struct{ opts Options }

func (t textWriter) Write(w io.Writer, r *Report) error {
	buf := bufio.NewWriter(w)
	src := newSource(t.opts.ReadFile)
	paint := painter(t.opts.Color)
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(buf, "%s: %s (%s)\n", paint.bold(t.place(f.Pos.Filename, f.Pos.Line, f.Pos.Column)), f.Message, paint.name(f))
		if t.opts.Context >= 0 {
			s := story{opts: t.opts, src: src}
			s.layOut(f.Pos.Filename, steps(f))
			s.print(buf, paint)
			fmt.Fprintln(buf)
		}
	}
	for _, p := range r.Problems {
		fmt.Fprintf(buf, "%s\n", t.problem(p))
	}
	return buf.Flush()
}

// steps are the flow, or the site alone where a finding has no flow.
func steps(f *finding.Finding) []finding.Step {
	if len(f.Flow) == 0 {
		return []finding.Step{{Pos: f.Pos}}
	}
	return f.Flow
}

func (t textWriter) problem(p Problem) string {
	if p.File == "" {
		return p.Message + " (not analysed)"
	}
	return fmt.Sprintf("%s: %s (not analysed)", t.place(p.File, p.Line, p.Column), p.Message)
}

func (t textWriter) place(file string, line, column int) string {
	name := t.opts.Paths.Show(file)
	switch {
	case line <= 0:
		return name
	case column <= 0:
		return fmt.Sprintf("%s:%d", name, line)
	default:
		return fmt.Sprintf("%s:%d:%d", name, line, column)
	}
}

// painter adds terminal colours, or nothing when it is false.
type painter bool

func (p painter) wrap(code, s string) string {
	if !p {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p painter) bold(s string) string { return p.wrap("1", s) }
func (p painter) dim(s string) string  { return p.wrap("2", s) }
func (p painter) red(s string) string  { return p.wrap("31;1", s) }

func (p painter) step(r row) string {
	if r.crash {
		return p.red(r.text)
	}
	return p.wrap("36", r.text)
}

func (p painter) name(f *finding.Finding) string {
	if f.Tier == finding.Error {
		return p.wrap("31", f.Name())
	}
	return p.wrap("33", f.Name())
}
