package main

import (
	"bytes"
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// page is what the layout shows.
type page struct {
	Title string
	Home  string
	All   string
	Style string
	Nav   []navGroup
	Body  template.HTML
}

// render makes the page of a source: of Markdown, of a package comment, or of any
// other text as it is.
func (b *builder) render(name string) error {
	title, body, err := b.body(name)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	err = b.layout.Execute(&out, page{
		Title: title,
		Home:  relative(name, target("README.md")),
		All:   relative(name, target(contents)),
		Style: relative(name, "style.css"),
		Nav:   b.links(name),
		Body:  template.HTML(body),
	})
	b.files[target(name)] = out.Bytes()
	return err
}

func (b *builder) body(name string) (title string, body []byte, err error) {
	if strings.HasSuffix(name, "/") {
		return b.folder(name)
	}
	data, err := fs.ReadFile(b.source, name)
	switch {
	case err != nil:
		return "", nil, err
	case strings.HasSuffix(name, ".md"):
		return b.markdown(name, data)
	case path.Base(name) == "doc.go":
		return manual(name, data)
	default:
		return name, listing(name, data), nil
	}
}

// folder lists what is in one that has no README.
func (b *builder) folder(name string) (string, []byte, error) {
	entries, err := fs.ReadDir(b.source, strings.TrimSuffix(name, "/"))
	if err != nil {
		return "", nil, err
	}
	out := fmt.Appendf(nil, "<h1>%s</h1>\n<ul>\n", template.HTMLEscapeString(name))
	for _, e := range entries {
		to, err := b.link(name, e.Name())
		if err != nil {
			return "", nil, err
		}
		out = fmt.Appendf(out, "<li><a href=\"%s\">%s</a></li>\n", template.HTMLEscapeString(to), template.HTMLEscapeString(e.Name()))
	}
	return name, append(out, "</ul>\n"...), nil
}

func dialect() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough),
		goldmark.WithParserOptions(gmparser.WithAutoHeadingID()),
	)
}

// markdown renders a page, with links to the site's own files.
func (b *builder) markdown(name string, data []byte) (title string, body []byte, err error) {
	md := dialect()
	doc := md.Parser().Parse(text.NewReader(data))
	err = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 1 && title == "" {
				title = words(n, data)
			}
		case *ast.Image:
			return ast.WalkStop, fmt.Errorf("an image, %s: the site has none", n.Destination)
		case *ast.Link:
			to, err := b.link(name, string(n.Destination))
			if err != nil {
				return ast.WalkStop, err
			}
			n.Destination = []byte(to)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", nil, err
	}
	if title == "" {
		return "", nil, fmt.Errorf("no title")
	}
	var out bytes.Buffer
	err = md.Renderer().Render(&out, data, doc)
	return title, out.Bytes(), err
}

// link is where a link of a page leads to in the site; what it leads to is rendered
// too.
func (b *builder) link(from, dest string) (string, error) {
	file, anchor, ok := strings.Cut(dest, "#")
	if strings.Contains(file, ":") || file == "" {
		return dest, nil
	}
	source, err := b.find(from, file)
	if err != nil {
		return "", err
	}
	b.queue = append(b.queue, source)
	to := relative(from, target(source))
	if ok {
		to += "#" + anchor
	}
	return to, nil
}

// manual renders a package comment.
func manual(name string, data []byte) (string, []byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return "", nil, err
	}
	var p comment.Parser
	printer := &comment.Printer{HeadingLevel: 2, HeadingID: func(h *comment.Heading) string { return anchor(h) }}
	title := path.Base(path.Dir(name))
	body := fmt.Sprintf("<h1>%s</h1>\n%s", template.HTMLEscapeString(title), printer.HTML(p.Parse(file.Doc.Text())))
	return title, []byte(body), nil
}

// anchor is the id of a heading, as Markdown's are.
func anchor(h *comment.Heading) string {
	var id strings.Builder
	for _, t := range h.Text {
		if plain, ok := t.(comment.Plain); ok {
			id.WriteString(strings.ReplaceAll(strings.ToLower(string(plain)), " ", "-"))
		}
	}
	return id.String()
}

// listing shows a file as it is.
func listing(name string, data []byte) []byte {
	return fmt.Appendf(nil, "<h1>%s</h1>\n<pre><code>%s</code></pre>\n",
		template.HTMLEscapeString(name), template.HTMLEscapeString(string(data)))
}

// words are the text of a node.
func words(n ast.Node, source []byte) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			out.Write(t.Value(source))
		} else {
			out.WriteString(words(c, source))
		}
	}
	return out.String()
}
