package analysistest

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/load"
)

// The folder handlers of testdata has no rule's cases: its comments say which
// functions are handlers and what acks their deliveries,
//
//	func (c *Consumer) Run(ctx context.Context) error { // handler kafka offset redeliver
//
// with - for what is not known, and what the argument of sink is made from.
//
//	sink(event.ID) // from message

type linked struct {
	dir     string
	res     *load.Result
	program *effect.Program
}

func link(dir string, patterns ...string) (*linked, error) {
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, err
	}
	res, err := load.Load(context.Background(), load.Config{
		Dir: dir, Patterns: patterns, Env: []string{"GOFLAGS=", "GOWORK=off"}, Bodies: effect.Bodies(cat),
	})
	if err != nil {
		return nil, err
	}
	for _, e := range res.Errors {
		return nil, fmt.Errorf("%s: %s", e.Pos, e.Message)
	}
	program, failures := effect.Build(res.Fset, units(res), res.Types, cat)
	for _, f := range failures {
		return nil, fmt.Errorf("%s: %s", f.Package, f.Message)
	}
	return &linked{dir, res, program}, nil
}

// Handlers checks which functions of a module's packages are handlers, and what acks
// their deliveries, against the comments.
func Handlers(t *testing.T, dir string, patterns ...string) {
	t.Helper()
	l, err := link(dir, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	l.compareHandlers(t)
}

func (l *linked) compareHandlers(t *testing.T) {
	t.Helper()
	got := map[string]string{}
	add := func(symbol string, h effect.Handler) {
		f := l.program.Funcs[symbol]
		if f == nil || f.Synthetic || !l.program.Targets[f.Package] {
			return
		}
		words := []string{h.Broker, h.Ack, h.OnError}
		for i, w := range words {
			if w == "" {
				words[i] = "-"
			}
		}
		if h.Partial {
			words = append(words, "partial")
		}
		if h.Cumulative {
			words = append(words, "cumulative")
		}
		got[l.position(f.Pos)] = strings.Join(words, " ")
	}
	for s, h := range l.program.Passed {
		add(s, h)
	}
	for s, h := range l.program.Dispatched {
		add(s, h)
	}
	for s, h := range l.program.Handlers {
		add(s, h)
	}
	compareLines(t, got, l.comments("handler"))
}

// comments are the lines with a comment that begins with a word.
func (l *linked) comments(word string) map[string]string {
	out := map[string]string{}
	for _, p := range l.res.Packages {
		if !p.Target {
			continue
		}
		for _, f := range p.Files {
			for _, g := range f.Comments {
				for _, c := range g.List {
					if rest, ok := strings.CutPrefix(c.Text, "// "+word+" "); ok {
						out[l.at(c)] = rest
					}
				}
			}
		}
	}
	return out
}

func (l *linked) at(n ast.Node) string { return l.place(l.res.Fset.Position(n.Pos())) }

func (l *linked) place(pos token.Position) string {
	rel, err := filepath.Rel(l.dir, pos.Filename)
	if err != nil {
		rel = pos.Filename
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(rel), pos.Line)
}

func (l *linked) position(p effect.Position) string {
	return l.place(token.Position{Filename: filepath.FromSlash(p.File), Line: p.Line})
}

func compareLines(t *testing.T, got, want map[string]string) {
	t.Helper()
	for place, text := range want {
		if got[place] != text {
			t.Errorf("%s: got %q, want %q", place, got[place], text)
		}
	}
	for place, text := range got {
		if _, ok := want[place]; !ok {
			t.Errorf("%s: %q, which nobody wants", place, text)
		}
	}
}
