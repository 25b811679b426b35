package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// annotated is how many annotations of a level GitHub keeps of one step. It drops
// the others without a word, so they are not sent, and their number is told.
const annotated = 10

// githubWriter writes the log of a GitHub Actions step: the stories, folded by
// file, and a workflow command for each annotation.
type githubWriter struct{ opts Options }

func (g githubWriter) Write(w io.Writer, r *Report) error {
	buf := bufio.NewWriter(w)
	if err := g.log(buf, r); err != nil {
		return err
	}
	left := map[finding.Tier]int{finding.Error: annotated, finding.Warning: annotated}
	missing := 0
	for _, a := range g.annotations(r) {
		if left[a.level] == 0 {
			missing++
			continue
		}
		left[a.level]--
		fmt.Fprintln(buf, a.command())
	}
	if missing > 0 {
		note := fmt.Sprintf("%d more have no annotation, GitHub shows %d a level and step: the log has all", missing, annotated)
		fmt.Fprintf(buf, "::notice title=deliverylint::%s\n", escapeData(note))
	}
	return buf.Flush()
}

// log writes the stories of each file as a group that the log folds.
func (g githubWriter) log(buf *bufio.Writer, r *Report) error {
	opts := g.opts
	opts.Paths, opts.Color = g.opts.Repo, false
	for from := 0; from < len(r.Findings); {
		file, to := r.Findings[from].Pos.Filename, from
		for to < len(r.Findings) && r.Findings[to].Pos.Filename == file {
			to++
		}
		var text bytes.Buffer
		if err := (textWriter{opts}).Write(&text, &Report{Findings: r.Findings[from:to]}); err != nil {
			return err
		}
		fmt.Fprintf(buf, "::group::%s (%d)\n%s::endgroup::\n", escapeData(opts.Paths.Show(file)), to-from, harmless(text.String()))
		from = to
	}
	return nil
}

// harmless keeps source code that is shown in a log from being taken for a
// command.
func harmless(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			line = strings.Replace(line, "::", ": :", 1)
		}
		lines[i] = strings.ReplaceAll(line, "##[", "# #[")
	}
	return strings.Join(lines, "")
}

// annotation is one workflow command.
type annotation struct {
	level                            finding.Tier
	file                             string
	line, column, endLine, endColumn int
	title, message                   string
}

// annotations are the findings, then what could not be analysed.
func (g githubWriter) annotations(r *Report) []annotation {
	var list []annotation
	for i := range r.Findings {
		f := &r.Findings[i]
		list = append(list, annotation{
			level: f.Tier, file: g.opts.Repo.Show(f.Pos.Filename),
			line: f.Pos.Line, column: f.Pos.Column, endLine: f.End.Line, endColumn: f.End.Column,
			title: f.Name(), message: strings.Join(append([]string{f.Message}, g.steps(f)...), "\n"),
		})
	}
	for _, p := range r.Problems {
		list = append(list, annotation{
			level: finding.Error, file: g.opts.Repo.Show(p.File), line: p.Line, column: p.Column,
			title: "not analysed", message: p.Message,
		})
	}
	return list
}

// steps are the lines of the story below the message.
func (g githubWriter) steps(f *finding.Finding) []string {
	var list []string
	for _, s := range f.Flow {
		list = append(list, fmt.Sprintf("%s:%d: %s", g.opts.Repo.Show(s.Pos.Filename), s.Pos.Line, s.Message))
	}
	return list
}

func (a annotation) command() string {
	var props []string
	add := func(name, value string) { props = append(props, name+"="+escapeProperty(value)) }
	if a.file != "" {
		add("file", a.file)
	}
	if a.line > 0 {
		add("line", fmt.Sprint(a.line))
		if a.endLine >= a.line {
			add("endLine", fmt.Sprint(a.endLine))
		}
		if a.column > 0 {
			add("col", fmt.Sprint(a.column))
		}
		if a.endLine == a.line && a.endColumn > a.column {
			add("endColumn", fmt.Sprint(a.endColumn))
		}
	}
	add("title", a.title)
	return fmt.Sprintf("::%s %s::%s", a.level, strings.Join(props, ","), escapeData(a.message))
}

// escapeData and escapeProperty are how workflow commands write what would end
// them.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
