package baseline

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Read reads a baseline. Every mistake in it is an error with its line, so that
// none makes a finding vanish or come back.
func Read(name string, data []byte) (*File, error) {
	r := reader{file: &File{Name: name}, seen: map[string]int{}}
	doc, err := parse(data)
	if err != nil {
		return nil, r.wrap(err, 1)
	}
	for _, d := range doc.Docs {
		if d.Body != nil {
			r.document(d.Body)
		}
	}
	if !r.versioned && len(r.errs) == 0 {
		r.add(1, "version: 1 is missing")
	}
	return r.file, errors.Join(r.errs...)
}

// parse turns a panic of the parser on odd input into an error.
func parse(data []byte) (doc *ast.File, err error) {
	defer func() {
		if x := recover(); x != nil {
			doc, err = nil, fmt.Errorf("not YAML: %v", x)
		}
	}()
	return parser.ParseBytes(data, 0)
}

type reader struct {
	file      *File
	seen      map[string]int
	versioned bool
	errs      []error
}

func (r *reader) add(line int, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s:%d: %s", r.file.Name, line, fmt.Sprintf(format, args...)))
}

// wrap puts an error of the YAML library on one line, with its place.
func (r *reader) wrap(err error, line int) error {
	message := err.Error()
	var at interface {
		GetMessage() string
		GetToken() *token.Token
	}
	if errors.As(err, &at) {
		message = at.GetMessage()
		if t := at.GetToken(); t != nil && t.Position != nil {
			line = t.Position.Line
		}
	}
	message, _, _ = strings.Cut(message, "\n")
	return fmt.Errorf("%s:%d: %s", r.file.Name, line, message)
}

func (r *reader) document(body ast.Node) {
	var pairs []*ast.MappingValueNode
	switch n := body.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		r.add(lineOf(body), "version and findings are wanted")
	}
	for _, p := range pairs {
		switch key := p.Key.String(); key {
		case "version":
			r.versioned = true
			if p.Value.String() != "1" {
				r.add(lineOf(p.Key), "version %s is not known, only 1 is", p.Value)
			}
		case "findings":
			r.findings(p.Value)
		default:
			r.add(lineOf(p.Key), "unknown key %s (known: version, findings)", key)
		}
	}
}

func (r *reader) findings(n ast.Node) {
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.SequenceNode:
		for _, item := range n.Values {
			r.entry(item)
		}
	default:
		r.add(lineOf(n), "findings: a list is wanted")
	}
}

func (r *reader) entry(item ast.Node) {
	e := Entry{Line: lineOf(item)}
	if m, ok := item.(*ast.MappingNode); ok && len(m.Values) > 0 {
		e.Line = lineOf(m.Values[0].Key)
	}
	if err := yaml.NodeToValue(item, &e, yaml.Strict()); err != nil {
		err = r.wrap(err, e.Line)
		if strings.Contains(err.Error(), "unknown field") {
			err = fmt.Errorf("%w (known: rule, package, function, fingerprint, state, reason)", err)
		}
		r.errs = append(r.errs, err)
		return
	}
	r.check(e)
	r.file.Entries = append(r.file.Entries, e)
}

func (r *reader) check(e Entry) {
	e.Reason = strings.TrimSpace(e.Reason)
	switch {
	case e.Rule == "":
		r.add(e.Line, "rule is missing")
	case e.Package == "":
		r.add(e.Line, "package is missing")
	case e.Fingerprint == "":
		r.add(e.Line, "fingerprint is missing")
	case e.State != Todo && e.State != Accepted:
		r.add(e.Line, "state %q is neither todo nor accepted", e.State)
	case e.State == Accepted && e.Reason == "":
		r.add(e.Line, "accepted without a reason: add reason, or make the state todo")
	case r.seen[e.Fingerprint] > 0:
		r.add(e.Line, "%s stands twice, first in line %d", e.Fingerprint, r.seen[e.Fingerprint])
	}
	r.seen[e.Fingerprint] = e.Line
}

func lineOf(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 1
	}
	return n.GetToken().Position.Line
}
