package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/finding"
)

const example = "../../examples/shop"

var wrong = regexp.MustCompile(`// wrong: (\S+)`)

// TestDemo lints the example service: each line marked wrong is found under the
// name it is marked with, and nothing else is.
func TestDemo(t *testing.T) {
	var got []string
	for _, f := range lintExample(t) {
		got = append(got, fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Rule))
		if err := finding.Check(f.Message); err != nil {
			t.Error(err)
		}
	}
	want := marks(t)
	slices.Sort(got)
	slices.Sort(want)
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("found:\n%s\n\nmarked:\n%s", g, w)
	}
}

type found struct {
	File, Rule, Message string
	Line                int
}

func lintExample(t *testing.T) []found {
	t.Helper()
	tool, err := exec.LookPath("deliverylint")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, "-f", "json")
	cmd.Dir = example
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("deliverylint: %v\n%s", err, out)
	}
	var doc struct{ Findings []found }
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Findings
}

// marks are the lines marked wrong whose rule exists.
func marks(t *testing.T) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(example, func(name string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(example, name)
		for i, line := range strings.Split(string(data), "\n") {
			if m := wrong.FindStringSubmatch(line); m != nil && exists(m[1]) {
				list = append(list, fmt.Sprintf("%s:%d %s", filepath.ToSlash(rel), i+1, m[1]))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func exists(name string) bool {
	rule, category, _ := strings.Cut(name, "/")
	for _, r := range analyzers.All() {
		if _, ok := r.Tier[category]; ok && r.Name == rule {
			return true
		}
	}
	return false
}
