package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// junitWriter writes findings as failed tests, for CI servers that show nothing
// else. A run that finds nothing has one test that passed.
type junitWriter struct{ opts Options }

type junitSuites struct {
	XMLName xml.Name   `xml:"testsuites"`
	Suite   junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	File      string        `xml:"file,attr,omitempty"`
	Line      int           `xml:"line,attr,omitempty"`
	Failure   *junitFailure `xml:"failure"`
	Error     *junitFailure `xml:"error"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func (j junitWriter) Write(w io.Writer, r *Report) error {
	suite := junitSuite{Name: "deliverylint", Failures: len(r.Findings), Errors: len(r.Problems)}
	for i := range r.Findings {
		c, err := j.finding(&r.Findings[i])
		if err != nil {
			return err
		}
		suite.Cases = append(suite.Cases, c)
	}
	for _, p := range r.Problems {
		suite.Cases = append(suite.Cases, junitCase{
			Name: notAnalysed, ClassName: "deliverylint", File: j.opts.Paths.Show(p.File), Line: p.Line,
			Error: &junitFailure{p.Message, notAnalysed, textWriter(j).problem(p)},
		})
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []junitCase{{Name: "no findings", ClassName: "deliverylint"}}
	}
	suite.Tests = len(suite.Cases)
	return writeXML(w, junitSuites{Suite: suite})
}

func (j junitWriter) finding(f *finding.Finding) (junitCase, error) {
	opts := j.opts
	opts.Color = false
	var story bytes.Buffer
	if err := (textWriter{opts}).Write(&story, &Report{Findings: []finding.Finding{*f}}); err != nil {
		return junitCase{}, err
	}
	file := opts.Paths.Show(f.Pos.Filename)
	return junitCase{
		Name: fmt.Sprintf("%s at %s:%d", f.Name(), file, f.Pos.Line), ClassName: f.Package, File: file, Line: f.Pos.Line,
		Failure: &junitFailure{f.Message, f.Name(), story.String()},
	}, nil
}
