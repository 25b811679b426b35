package catalog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// pair is one key of a mapping with its value.
type pair struct {
	key   string
	line  int
	value ast.Node
}

// parseDocument parses one YAML document; nil stands for an empty one.
func (p *problems) parseDocument(data []byte) ast.Node {
	file, err := parseYAML(data)
	if err != nil {
		p.addSyntax(err)
		return nil
	}
	var body ast.Node
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil:
		case body != nil:
			p.add(lineOf(doc.Body), "a second document in one file")
		default:
			body = doc.Body
		}
	}
	return body
}

// parseYAML turns a panic of the parser on odd input into an error.
func parseYAML(data []byte) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			file, err = nil, fmt.Errorf("not YAML: %v", r)
		}
	}()
	return parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
}

func (p *problems) addSyntax(err error) {
	var at interface {
		GetMessage() string
		GetToken() *token.Token
	}
	if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
		p.add(at.GetToken().Position.Line, "%s", at.GetMessage())
		return
	}
	p.add(1, "%v", err)
}

func lineOf(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 1
	}
	return n.GetToken().Position.Line
}

// mapping returns the pairs of a mapping, each key once; an empty value is an
// empty mapping.
func (p *problems) mapping(n ast.Node, what string) []pair {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return nil
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		p.add(lineOf(n), "%s: a mapping is wanted, not %s", what, n.Type())
		return nil
	}
	return p.pairs(values, what)
}

func (p *problems) pairs(values []*ast.MappingValueNode, what string) []pair {
	seen := map[string]int{}
	var pairs []pair
	for _, v := range values {
		key, ok := v.Key.(*ast.StringNode)
		if !ok {
			p.add(lineOf(v.Key), "%s: a key that is not a string", what)
			continue
		}
		line := lineOf(key)
		if first, dup := seen[key.Value]; dup {
			p.add(line, "%s: %s stands twice, first in line %d", what, key.Value, first)
			continue
		}
		seen[key.Value] = line
		pairs = append(pairs, pair{key: key.Value, line: line, value: v.Value})
	}
	return pairs
}

// text reads a string.
func (p *problems) text(v pair) string {
	n, ok := v.value.(*ast.StringNode)
	if !ok {
		p.add(v.line, "%s: a string is wanted", v.key)
		return ""
	}
	if n.Value == "" {
		p.add(v.line, "%s is empty", v.key)
	}
	return n.Value
}

// oneOf reads a string that must be one of a few words.
func (p *problems) oneOf(v pair, words ...string) string {
	got := p.scalar(v)
	for _, w := range words {
		if got == w {
			return got
		}
	}
	p.add(v.line, "%s: unknown value %q (known: %s)", v.key, got, strings.Join(words, ", "))
	return ""
}

// scalar reads a word as it is written.
func (p *problems) scalar(v pair) string {
	if s, ok := v.value.(*ast.StringNode); ok {
		return s.Value
	}
	if s, ok := v.value.(ast.ScalarNode); ok && s.GetToken() != nil {
		return s.GetToken().Value
	}
	return ""
}

// truth reads a boolean.
func (p *problems) truth(v pair) bool {
	n, ok := v.value.(*ast.BoolNode)
	if !ok {
		p.add(v.line, "%s: true or false is wanted", v.key)
		return false
	}
	return n.Value
}

// maxIndex bounds argument indices, so that a slip of the pen is told.
const maxIndex = 31

// index reads an argument, result or parameter index.
func (p *problems) index(v pair) int {
	if n, ok := v.value.(*ast.IntegerNode); ok {
		if i, err := strconv.Atoi(n.GetToken().Value); err == nil && i >= 0 && i <= maxIndex {
			return i
		}
	}
	p.add(v.line, "%s: an index from 0 to %d is wanted", v.key, maxIndex)
	return NoArg
}

// texts reads a sequence of strings.
func (p *problems) texts(v pair) []string {
	var list []string
	for _, item := range p.items(v) {
		list = append(list, p.text(pair{key: v.key, line: lineOf(item), value: item}))
	}
	return list
}

// items reads a sequence; an empty value is an empty sequence.
func (p *problems) items(v pair) []ast.Node {
	switch n := v.value.(type) {
	case nil, *ast.NullNode:
		return nil
	case *ast.SequenceNode:
		return n.Values
	}
	p.add(v.line, "%s: a list is wanted", v.key)
	return nil
}
