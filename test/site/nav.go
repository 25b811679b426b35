package main

import (
	"fmt"
	"io/fs"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// group is a heading of the table of contents with the pages listed below it.
type group struct {
	title   string
	entries []entry
}

type entry struct{ title, source string }

// navigation reads the table of contents: each second-level heading is a group, the
// first link of each item of a list below it a page.
func (b *builder) navigation() ([]group, error) {
	data, err := fs.ReadFile(b.source, contents)
	if err != nil {
		return nil, err
	}
	var list []group
	doc := dialect().Parser().Parse(text.NewReader(data))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 2 {
				list = append(list, group{title: words(n, data)})
			}
		case *ast.List:
			if len(list) == 0 {
				return nil, fmt.Errorf("%s: a list above the first heading", contents)
			}
			g := &list[len(list)-1]
			if err := b.entries(g, n, data); err != nil {
				return nil, fmt.Errorf("%s: %w", contents, err)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no headings", contents)
	}
	return list, nil
}

func (b *builder) entries(g *group, list *ast.List, data []byte) error {
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		link, ok := item.FirstChild().FirstChild().(*ast.Link)
		if !ok {
			return fmt.Errorf("%q doesn't begin with a link", words(item, data))
		}
		source, err := b.find(contents, string(link.Destination))
		if err != nil {
			return err
		}
		g.entries = append(g.entries, entry{words(link, data), source})
	}
	return nil
}

// navGroup and navLink are a group as one page shows it.
type navGroup struct {
	Title string
	Links []navLink
}

type navLink struct {
	Title, To string
	// Here marks the page's own entry.
	Here bool
}

// links is the navigation as the page of a source has it.
func (b *builder) links(from string) []navGroup {
	list := make([]navGroup, 0, len(b.nav))
	for _, g := range b.nav {
		shown := navGroup{Title: g.title}
		for _, e := range g.entries {
			shown.Links = append(shown.Links, navLink{e.title, relative(from, target(e.source)), e.source == from})
		}
		list = append(list, shown)
	}
	return list
}
