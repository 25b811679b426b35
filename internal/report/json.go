package report

import (
	"io"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// jsonVersion is raised when a field changes its meaning or goes away; new
// fields don't raise it.
const jsonVersion = 1

type jsonWriter struct{ opts Options }

type jsonDocument struct {
	Version  int           `json:"version"`
	Findings []jsonFinding `json:"findings"`
	Errors   []jsonProblem `json:"errors"`
}

type jsonFinding struct {
	Rule        string     `json:"rule"`
	Tier        string     `json:"tier"`
	Evidence    string     `json:"evidence"`
	File        string     `json:"file"`
	Line        int        `json:"line"`
	Column      int        `json:"column"`
	EndLine     int        `json:"endLine"`
	EndColumn   int        `json:"endColumn"`
	Function    string     `json:"function"`
	Message     string     `json:"message"`
	Flow        []jsonStep `json:"flow"`
	Fixes       []jsonFix  `json:"fixes"`
	Fingerprint string     `json:"fingerprint"`
}

type jsonStep struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

type jsonFix struct {
	Message string     `json:"message"`
	Edits   []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	File    string `json:"file"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
	NewText string `json:"newText"`
}

type jsonProblem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// Write writes one document. Lists are never null, so that readers need no
// special case for nothing.
func (j jsonWriter) Write(w io.Writer, r *Report) error {
	doc := jsonDocument{Version: jsonVersion, Findings: []jsonFinding{}, Errors: []jsonProblem{}}
	for i := range r.Findings {
		doc.Findings = append(doc.Findings, j.finding(&r.Findings[i]))
	}
	for _, p := range r.Problems {
		doc.Errors = append(doc.Errors, jsonProblem{File: j.opts.Paths.Show(p.File), Line: p.Line, Message: p.Message})
	}
	return writeJSON(w, doc)
}

func (j jsonWriter) finding(f *finding.Finding) jsonFinding {
	out := jsonFinding{
		Rule: f.Name(), Tier: string(f.Tier), Evidence: string(f.Evidence),
		File: j.opts.Paths.Show(f.Pos.Filename), Line: f.Pos.Line, Column: f.Pos.Column,
		EndLine: f.End.Line, EndColumn: f.End.Column,
		Function: f.Function, Message: f.Message, Fingerprint: f.Fingerprint,
		Flow: []jsonStep{}, Fixes: []jsonFix{},
	}
	if !f.End.IsValid() {
		out.EndLine, out.EndColumn = f.Pos.Line, f.Pos.Column
	}
	for _, s := range f.Flow {
		out.Flow = append(out.Flow, jsonStep{File: j.opts.Paths.Show(s.Pos.Filename), Line: s.Pos.Line, Message: s.Message})
	}
	for _, fix := range f.Fixes {
		out.Fixes = append(out.Fixes, j.fix(fix))
	}
	return out
}

func (j jsonWriter) fix(fix finding.Fix) jsonFix {
	out := jsonFix{Message: fix.Message, Edits: []jsonEdit{}}
	for _, e := range fix.Edits {
		out.Edits = append(out.Edits, jsonEdit{File: j.opts.Paths.Show(e.File), Start: e.Start, End: e.End, NewText: e.NewText})
	}
	return out
}
