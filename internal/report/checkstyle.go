package report

import (
	"cmp"
	"encoding/xml"
	"io"
	"slices"
)

// checkstyleWriter writes the XML of Checkstyle, which most CI servers read.
type checkstyleWriter struct{ opts Options }

type checkstyleReport struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr,omitempty"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

func (c checkstyleWriter) Write(w io.Writer, r *Report) error {
	doc := checkstyleReport{Version: "8.0"}
	add := func(file string, e checkstyleError) {
		name := cmp.Or(c.opts.Paths.Show(file), noFile)
		i := slices.IndexFunc(doc.Files, func(f checkstyleFile) bool { return f.Name == name })
		if i < 0 {
			i = len(doc.Files)
			doc.Files = append(doc.Files, checkstyleFile{Name: name})
		}
		doc.Files[i].Errors = append(doc.Files[i].Errors, e)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		add(f.Pos.Filename, checkstyleError{f.Pos.Line, f.Pos.Column, string(f.Tier), f.Message, f.Name()})
	}
	for _, p := range r.Problems {
		add(p.File, checkstyleError{p.Line, p.Column, "error", p.Message, notAnalysed})
	}
	return writeXML(w, doc)
}
