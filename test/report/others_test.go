package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
)

// TestGitlab holds the report to what GitLab's manual asks of a Code Quality report.
func TestGitlab(t *testing.T) {
	for name, dir := range modules(t) {
		var issues []struct {
			Description string
			CheckName   string `json:"check_name"`
			Fingerprint string
			Severity    string
			Location    struct {
				Path  string
				Lines struct{ Begin int }
			}
		}
		if err := json.Unmarshal(reports(t, dir, "gitlab"), &issues); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(issues) == 0 {
			t.Errorf("%s: no issues", name)
		}
		seen := map[string]bool{}
		for _, i := range issues {
			path := i.Location.Path
			if i.Description == "" || i.CheckName == "" || i.Fingerprint == "" || seen[i.Fingerprint] || i.Location.Lines.Begin < 1 ||
				path == "" || strings.HasPrefix(path, "./") || strings.HasPrefix(path, "/") ||
				!slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, i.Severity) {
				t.Errorf("%s: %+v", name, i)
			}
			seen[i.Fingerprint] = true
		}
	}
}

// TestJUnit reads the report with a library that reads those of many tools.
func TestJUnit(t *testing.T) {
	for name, dir := range modules(t) {
		suites, err := junit.Ingest(reports(t, dir, "junit"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		failed, all := 0, 0
		for _, suite := range suites {
			failed += suite.Totals.Failed + suite.Totals.Error
			all += suite.Totals.Tests
			for _, test := range suite.Tests {
				if test.Error == nil || test.Error.Error() == "" || test.Classname == "" {
					t.Errorf("%s: %+v", name, test)
				}
			}
		}
		if all == 0 || failed != all {
			t.Errorf("%s: %d tests, %d failed", name, all, failed)
		}
	}
}
