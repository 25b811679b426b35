// Package docgen turns the package comment of a rule into the rule's page, as
// Markdown for docs/rules and as plain text for the terminal.
package docgen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Page is a rule's documentation.
type Page struct {
	// Name is the rule's name.
	Name string
	doc  *comment.Doc
}

// Parse reads the source of a rule's doc.go.
func Parse(source string) (*Page, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return nil, fmt.Errorf("parsing a rule's page: %w", err)
	}
	return parsePage(file)
}

func parsePage(file *ast.File) (*Page, error) {
	name := file.Name.Name
	text, ok := strings.CutPrefix(file.Doc.Text(), "Package "+name+" ")
	if !ok {
		return nil, fmt.Errorf("the page of %s doesn't begin with %q", name, "Package "+name)
	}
	var p comment.Parser
	return &Page{Name: name, doc: p.Parse(capitalised(text))}, nil
}

// Text is the page for a terminal.
func (p *Page) Text() string {
	return p.Name + "\n\n" + string(printer().Text(p.doc))
}

func printer() *comment.Printer {
	return &comment.Printer{TextCodePrefix: "    ", TextWidth: 80}
}

// categories is the heading of the section whose paragraphs open with the name
// of a category.
const categories = "Categories"

// Markdown is the page for docs/rules.
func (p *Page) Markdown() []byte {
	head := fmt.Sprintf("<!-- Made from analyzers/%s/doc.go by `make docs`; change it there. -->\n\n# %s\n\n", p.Name, p.Name)
	return append([]byte(head), p.sections()...)
}

// sections are the page's blocks, an empty line between them.
func (p *Page) sections() []byte {
	var out bytes.Buffer
	section := ""
	for i, block := range p.doc.Content {
		if i > 0 {
			out.WriteString("\n")
		}
		switch block := block.(type) {
		case *comment.Heading:
			section = plain(block.Text)
			fmt.Fprintf(&out, "## %s\n", section)
		case *comment.Code:
			fmt.Fprintf(&out, "```%s\n%s```\n", language(block.Text), block.Text)
		case *comment.Paragraph:
			text := string(markdown(block))
			if name, rest, ok := strings.Cut(text, ": "); ok && section == categories && isCategory(name) {
				fmt.Fprintf(&out, "### %s\n\n", name)
				text = capitalised(rest)
			}
			out.WriteString(text)
		default:
			out.Write(markdown(block))
		}
	}
	return out.Bytes()
}

func markdown(block comment.Block) []byte {
	var printer comment.Printer
	return printer.Markdown(&comment.Doc{Content: []comment.Block{block}})
}

func plain(text []comment.Text) string {
	var b strings.Builder
	for _, t := range text {
		if p, ok := t.(comment.Plain); ok {
			b.WriteString(string(p))
		}
	}
	return b.String()
}

// language is the name of a code block's language: Go where it reads as such.
func language(code string) string {
	if _, err := format.Source([]byte(code)); err != nil {
		return ""
	}
	return "go"
}

func isCategory(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") == ""
}

func capitalised(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
