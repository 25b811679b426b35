package docgen

import (
	"strings"
	"testing"
)

const twoStories = "// Package demo finds things.\n//\n// # Categories\n//\n// first: it is lost. More of it.\n//\n//\tgo first()\n//\n" +
	"// second: it is doubled.\n//\n// # Right\n//\n// Do it so.\n//\n// # Limits\n//\n// None: at all.\npackage demo\n"

func TestHelp(t *testing.T) {
	page, err := Parse(twoStories)
	if err != nil {
		t.Fatal(err)
	}
	got, err := page.Help("first")
	if err != nil {
		t.Fatal(err)
	}
	want := Help{
		Summary:  "It is lost.",
		Text:     "first: it is lost. More of it.\n\n    go first()\n\n# Right\n\nDo it so.\n",
		Markdown: "first: it is lost. More of it.\n\n```go\ngo first()\n```\n\n## Right\n\nDo it so.\n",
	}
	if got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if second, err := page.Help("second"); err != nil || strings.Contains(second.Text, "first") {
		t.Errorf("second: %q, %v", second.Text, err)
	}
	if _, err := page.Help("third"); err == nil {
		t.Error("help for a category that the page doesn't have")
	}
}
