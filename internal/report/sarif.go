package report

import (
	"go/token"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// homepage is where the formats that name their maker point.
const homepage = "https://github.com/deliverylint/deliverylint"

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// sarifRoot stands for the repository's root, which paths are relative to.
	sarifRoot = "%SRCROOT%"
	// sarifPrint names our fingerprint; a code host computes its own beside it.
	sarifPrint = "deliverylint/v1"
)

// sarifWriter writes a SARIF 2.1.0 log of one run.
type sarifWriter struct {
	opts Options
	src  *source
	// index are the places of the rules in the table.
	index map[string]int
}

func newSarif(o Options) sarifWriter {
	s := sarifWriter{opts: o, src: newSource(o.ReadFile), index: map[string]int{}}
	for i, r := range o.Rules {
		s.index[r.Name] = i
	}
	return s
}

func (s sarifWriter) Write(w io.Writer, r *Report) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "deliverylint", Version: numeric(s.opts.Version), InformationURI: homepage, Rules: s.rules(),
		}},
		Invocations: []sarifInvocation{s.invocation(r.Problems)},
		BaseIDs:     map[string]sarifArtifact{sarifRoot: {Description: &sarifMessage{Text: "The root of the repository."}}},
		Results:     []sarifResult{},
		ColumnKind:  "utf16CodeUnits",
	}
	for i := range r.Findings {
		run.Results = append(run.Results, s.result(&r.Findings[i]))
	}
	return writeJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

func (s sarifWriter) rules() []sarifRule {
	list := []sarifRule{}
	for _, r := range s.opts.Rules {
		list = append(list, sarifRule{
			ID: r.Name, Name: camel(r.Name),
			Short: sarifMessage{Text: r.Summary}, Full: sarifMessage{Text: r.Summary},
			Help:   sarifMessage{Text: r.Text, Markdown: r.Markdown},
			Config: sarifConfig{string(r.Tier)},
			Props:  sarifProps{Tags: []string{"reliability", "messaging"}},
		})
	}
	return list
}

// numeric is a version as SARIF wants it, which begins with a digit.
func numeric(version string) string {
	version = strings.TrimPrefix(version, "v")
	if version == "" || version[0] < '0' || version[0] > '9' {
		return "0-devel"
	}
	return version
}

// camel is a rule's name as one word: publishoutsidetx/after-commit becomes
// PublishoutsidetxAfterCommit.
func camel(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '-' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

func (s sarifWriter) invocation(problems []Problem) sarifInvocation {
	out := sarifInvocation{Successful: len(problems) == 0}
	for _, p := range problems {
		n := sarifNotification{Level: "error", Message: sarifMessage{Text: p.Message}}
		if p.File != "" {
			at := token.Position{Filename: p.File, Line: p.Line, Column: p.Column}
			n.Locations = []sarifLocation{{Physical: s.physical(at, token.Position{})}}
		}
		out.Notifications = append(out.Notifications, n)
	}
	return out
}

func (s sarifWriter) result(f *finding.Finding) sarifResult {
	site := sarifLocation{Physical: s.physical(f.Pos, f.End)}
	if f.Function != "" {
		site.Logical = []sarifLogical{{f.Package + "." + f.Function, "function"}}
	}
	out := sarifResult{
		RuleID: f.Name(), Level: string(f.Tier), Message: sarifMessage{Text: f.Message},
		Locations: []sarifLocation{site}, Props: sarifProps{Evidence: string(f.Evidence)},
	}
	if i, ok := s.index[f.Name()]; ok {
		out.RuleIndex = &i
	}
	if f.Fingerprint != "" {
		out.Fingerprints = map[string]string{sarifPrint: f.Fingerprint}
	}
	if len(f.Flow) > 0 {
		out.CodeFlows = []sarifCodeFlow{{[]sarifThread{{s.flow(f.Flow)}}}}
	}
	for _, fix := range f.Fixes {
		if changes, ok := s.changes(fix); ok {
			out.Fixes = append(out.Fixes, sarifFix{sarifMessage{Text: fix.Message}, changes})
		}
	}
	return out
}

func (s sarifWriter) flow(steps []finding.Step) []sarifThreadLocation {
	var list []sarifThreadLocation
	for _, step := range steps {
		at := sarifThreadLocation{Location: sarifLocation{
			Physical: s.physical(step.Pos, token.Position{}), Message: &sarifMessage{Text: step.Message},
		}}
		if step.Crash {
			at.Importance = "essential"
		}
		list = append(list, at)
	}
	return list
}

// changes are a fix's edits by file; false where a file can't be read.
func (s sarifWriter) changes(fix finding.Fix) ([]sarifChange, bool) {
	var list []sarifChange
	for i, e := range fix.Edits {
		start, ok1 := s.src.spotAt(e.File, e.Start)
		end, ok2 := s.src.spotAt(e.File, e.End)
		if !ok1 || !ok2 {
			return nil, false
		}
		if i == 0 || fix.Edits[i-1].File != e.File {
			list = append(list, sarifChange{Artifact: s.artifact(e.File)})
		}
		last := &list[len(list)-1]
		last.Replacements = append(last.Replacements, sarifReplacement{
			Deleted: sarifRegion{
				start.line, s.src.utf16Column(e.File, start), end.line, s.src.utf16Column(e.File, end),
			},
			Inserted: sarifMessage{Text: e.NewText},
		})
	}
	return list, len(list) > 0
}

func (s sarifWriter) physical(from, to token.Position) sarifPhysical {
	out := sarifPhysical{Artifact: s.artifact(from.Filename)}
	if from.Line > 0 {
		out.Region = &sarifRegion{StartLine: from.Line, StartColumn: s.src.utf16Column(from.Filename, spot{from.Line, from.Column})}
		if to.Line >= from.Line && to.Column > 0 {
			out.Region.EndLine = to.Line
			out.Region.EndColumn = s.src.utf16Column(to.Filename, spot{to.Line, to.Column})
		}
	}
	return out
}

// artifact names a file: relative to the repository's root, or by an absolute
// URI where it lies elsewhere.
func (s sarifWriter) artifact(file string) sarifArtifact {
	name := s.opts.Repo.Show(file)
	if path.IsAbs(name) || strings.HasPrefix(name, "../") {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: path.Clean("/" + strings.TrimPrefix(filepath.ToSlash(file), "/"))}).String()}
	}
	return sarifArtifact{URI: (&url.URL{Path: name}).String(), BaseID: sarifRoot}
}
