package proof_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var heading = regexp.MustCompile(`(?m)^### (\S+)$`)

// TestEveryCategory: each category that the rules' pages list has a story.
func TestEveryCategory(t *testing.T) {
	pages, err := filepath.Glob("../docs/rules/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
			rule := strings.TrimSuffix(filepath.Base(page), ".md") + "/" + m[1]
			if !slices.ContainsFunc(stories(), func(s story) bool { return s.rule == rule }) {
				t.Errorf("%s has no story", rule)
			}
		}
	}
}
