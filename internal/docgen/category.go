package docgen

import (
	"fmt"
	"go/doc"
	"go/doc/comment"
	"strings"
)

// Help is what a page says of one category, for formats that carry the help of
// each with them.
type Help struct {
	// Summary is a sentence; Text and Markdown are the story, then what is right
	// and how to silence it.
	Summary, Text, Markdown string
}

// helpful are the sections that hold for every category of a rule.
func helpful(section string) bool {
	return section == "Right" || section == "Fixes" || section == "Silencing"
}

// Help finds a category in the page.
func (p *Page) Help(category string) (Help, error) {
	part := &comment.Doc{}
	section, own := "", false
	for _, block := range p.doc.Content {
		switch block := block.(type) {
		case *comment.Heading:
			section, own = plain(block.Text), false
		case *comment.Paragraph:
			if name, ok := opens(block); ok && section == categories {
				own = name == category
			}
		}
		if own || helpful(section) {
			part.Content = append(part.Content, block)
		}
	}
	if name := category + ": "; len(part.Content) == 0 || !strings.HasPrefix(string(markdown(part.Content[0])), name) {
		return Help{}, fmt.Errorf("the page of %s has no category %s", p.Name, category)
	}
	text := printer().Text(part)
	_, story, _ := strings.Cut(string(text), ": ")
	return Help{
		Summary:  capitalised(new(doc.Package).Synopsis(story)),
		Text:     string(text),
		Markdown: string((&Page{Name: p.Name, doc: part}).sections()),
	}, nil
}

// opens is the category that a paragraph opens with.
func opens(block *comment.Paragraph) (string, bool) {
	name, _, ok := strings.Cut(string(markdown(block)), ": ")
	return name, ok && isCategory(name)
}
