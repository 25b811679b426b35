package main

import (
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"
)

//go:embed page.html style.css
var assets embed.FS

// contents is the page whose headings and lists are the navigation of all others.
const contents = "docs/index.md"

// builder renders the pages that the navigation, or a link of another page, leads to.
type builder struct {
	source fs.FS
	layout *template.Template
	nav    []group
	files  map[string][]byte
	// queue has the sources that are linked and not rendered yet.
	queue []string
}

// build returns the site's files by their paths.
func build(source fs.FS) (map[string][]byte, error) {
	layout, err := template.ParseFS(assets, "page.html")
	if err != nil {
		return nil, fmt.Errorf("the layout: %w", err)
	}
	style, err := assets.ReadFile("style.css")
	if err != nil {
		return nil, fmt.Errorf("the stylesheet: %w", err)
	}
	b := &builder{source: source, layout: layout, files: map[string][]byte{"style.css": style}}
	if b.nav, err = b.navigation(); err != nil {
		return nil, err
	}
	b.queue = []string{"README.md", contents}
	for _, g := range b.nav {
		for _, e := range g.entries {
			b.queue = append(b.queue, e.source)
		}
	}
	for len(b.queue) > 0 {
		name := b.queue[0]
		b.queue = b.queue[1:]
		if _, ok := b.files[target(name)]; ok {
			continue
		}
		if err := b.render(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return b.files, nil
}

// target is the file that a source becomes.
func target(name string) string {
	switch {
	case name == "README.md":
		return "index.html"
	case strings.HasSuffix(name, "/"):
		return name + "index.html"
	case strings.HasSuffix(name, ".md"):
		return strings.TrimSuffix(name, ".md") + ".html"
	case path.Base(name) == "doc.go":
		return path.Dir(name) + "/doc.html"
	default:
		return name + ".html"
	}
}

// find is the source that a link stands for: a file, the README of a folder, or the
// folder, whose name ends in a slash then.
func (b *builder) find(from, link string) (string, error) {
	name := path.Join(path.Dir(from), link) // of a folder, whose name ends in a slash, Dir is itself
	info, err := fs.Stat(b.source, name)
	if err != nil {
		return "", fmt.Errorf("link to %s: %w", link, err)
	}
	if !info.IsDir() {
		return name, nil
	}
	if readme := path.Join(name, "README.md"); exists(b.source, readme) {
		return readme, nil
	}
	return name + "/", nil
}

func exists(source fs.FS, name string) bool {
	_, err := fs.Stat(source, name)
	return err == nil
}

// relative is the way from the page of one source to a file of the site.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(target(from), "/")) + to
}
