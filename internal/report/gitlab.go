package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// gitlabWriter writes a Code Quality report, which GitLab compares with that of
// the target branch by fingerprint.
type gitlabWriter struct{ opts Options }

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end,omitempty"`
}

// notAnalysed is the name of what keeps code from being analysed, in formats
// that know of nothing but findings.
const notAnalysed = "deliverylint/not-analysed"

// noFile is where formats that want a path show what belongs to no file.
const noFile = "go.mod"

func (g gitlabWriter) Write(w io.Writer, r *Report) error {
	issues := []gitlabIssue{}
	for i := range r.Findings {
		f := &r.Findings[i]
		issues = append(issues, gitlabIssue{
			Description: f.Message, CheckName: f.Name(), Fingerprint: f.Fingerprint, Severity: gitlabSeverity(f.Tier),
			Location: gitlabLocation{g.opts.Repo.Show(f.Pos.Filename), gitlabLines{max(f.Pos.Line, 1), f.End.Line}},
		})
	}
	for _, p := range r.Problems {
		issues = append(issues, g.problem(p))
	}
	return writeJSON(w, issues)
}

// problem is an issue of its own.
func (g gitlabWriter) problem(p Problem) gitlabIssue {
	path := cmp.Or(g.opts.Repo.Show(p.File), noFile)
	sum := sha256.Sum256([]byte(path + "\n" + p.Message))
	return gitlabIssue{
		Description: p.Message, CheckName: notAnalysed, Fingerprint: hex.EncodeToString(sum[:16]), Severity: "critical",
		Location: gitlabLocation{path, gitlabLines{Begin: max(p.Line, 1)}},
	}
}

func gitlabSeverity(t finding.Tier) string {
	if t == finding.Error {
		return "major"
	}
	return "minor"
}
