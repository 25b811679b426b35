package report

import (
	"cmp"
	"go/token"
	"io"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// rdjsonWriter writes a DiagnosticResult of the Reviewdog Diagnostic Format.
// reviewdog finds the repository's root itself, so paths are relative to the
// working directory.
type rdjsonWriter struct{ opts Options }

type rdResult struct {
	Source      rdSource       `json:"source"`
	Diagnostics []rdDiagnostic `json:"diagnostics"`
}

type rdSource struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type rdDiagnostic struct {
	Message     string         `json:"message"`
	Location    rdLocation     `json:"location"`
	Severity    string         `json:"severity"`
	Code        rdCode         `json:"code"`
	Suggestions []rdSuggestion `json:"suggestions,omitempty"`
	Related     []rdRelated    `json:"related_locations,omitempty"`
}

type rdCode struct {
	Value string `json:"value"`
}

type rdLocation struct {
	Path  string   `json:"path"`
	Range *rdRange `json:"range,omitempty"`
}

type rdRange struct {
	Start rdPosition  `json:"start"`
	End   *rdPosition `json:"end,omitempty"`
}

type rdPosition struct {
	Line   int `json:"line"`
	Column int `json:"column,omitempty"`
}

type rdSuggestion struct {
	Range rdRange `json:"range"`
	Text  string  `json:"text"`
}

type rdRelated struct {
	Message  string     `json:"message"`
	Location rdLocation `json:"location"`
}

func (d rdjsonWriter) Write(w io.Writer, r *Report) error {
	out := rdResult{Source: rdSource{Name: "deliverylint", URL: homepage}, Diagnostics: []rdDiagnostic{}}
	src := newSource(d.opts.ReadFile)
	for i := range r.Findings {
		out.Diagnostics = append(out.Diagnostics, d.finding(src, &r.Findings[i]))
	}
	for _, p := range r.Problems {
		at := token.Position{Filename: p.File, Line: p.Line, Column: p.Column}
		out.Diagnostics = append(out.Diagnostics, rdDiagnostic{
			Message: p.Message, Location: d.location(at, token.Position{}), Severity: "ERROR", Code: rdCode{notAnalysed},
		})
	}
	return writeJSON(w, out)
}

func (d rdjsonWriter) finding(src *source, f *finding.Finding) rdDiagnostic {
	out := rdDiagnostic{
		Message: f.Message, Location: d.location(f.Pos, f.End),
		Severity: strings.ToUpper(string(f.Tier)), Code: rdCode{f.Name()},
	}
	for _, s := range f.Flow {
		out.Related = append(out.Related, rdRelated{s.Message, d.location(s.Pos, token.Position{})})
	}
	for _, fix := range f.Fixes {
		if s, ok := suggestion(src, f.Pos.Filename, fix); ok {
			out.Suggestions = append(out.Suggestions, s)
		}
	}
	return out
}

func (d rdjsonWriter) location(from, to token.Position) rdLocation {
	out := rdLocation{Path: cmp.Or(d.opts.Paths.Show(from.Filename), noFile)}
	if from.Line > 0 {
		out.Range = &rdRange{Start: rdPosition{from.Line, from.Column}}
		if to.Line >= from.Line {
			out.Range.End = &rdPosition{to.Line, to.Column}
		}
	}
	return out
}

// longestSuggestion is how many lines a suggestion may replace. Edits far apart,
// such as one that adds an import, would repeat all code between them.
const longestSuggestion = 60

// suggestion is a fix as a reviewer can take it over with one click: one text for
// one range of the file with the finding.
func suggestion(src *source, file string, fix finding.Fix) (rdSuggestion, bool) {
	c, ok := src.oneChange(fix.Edits)
	if !ok || c.file != file {
		return rdSuggestion{}, false
	}
	start, ok1 := src.spotAt(file, c.start)
	end, ok2 := src.spotAt(file, c.end)
	if !ok1 || !ok2 || end.line-start.line >= longestSuggestion {
		return rdSuggestion{}, false
	}
	return rdSuggestion{
		Range: rdRange{Start: rdPosition{start.line, start.column}, End: &rdPosition{end.line, end.column}},
		Text:  c.text,
	}, true
}
