package effect

import (
	"fmt"
	"strings"
	"testing"
)

// TestTypeOfItself: a type may be a slice or a map of itself.
func TestTypeOfItself(t *testing.T) {
	s := newStack(t)
	p := s.run("example.com/m/tree", `package tree
import "database/sql"
type Tree []Tree
type Index map[string]Index
type Root struct { tree Tree; index Index }
func (r *Root) Fill() { r.tree = Tree{r.tree}; r.index = Index{"a": r.index} }
func Drop(db *sql.DB) { db.Exec("DELETE FROM trees") }
`)
	if !p.Reach["example.com/m/tree.Drop"].Has(Writes) {
		t.Error("nothing is written")
	}
}

// TestTextAddedTo: a captured statement that is added to many times.
func TestTextAddedTo(t *testing.T) {
	var more strings.Builder
	for i := range 300 {
		fmt.Fprintf(&more, "\tif n == %d { q = q + part(%d) + q }\n", i, i)
	}
	s := newStack(t)
	p := s.run("example.com/m/text", `package text
import "database/sql"
func part(int) string
func Save(db *sql.DB, n int) {
	q := part(0)
`+more.String()+`
	func() { q = q + q }()
	db.Exec(q)
}
`)
	if !p.Reach["example.com/m/text.Save"].Has(Writes) {
		t.Error("nothing is written")
	}
}

// TestResultOfItself: a variable that is only set to what a method of its own
// returns.
func TestResultOfItself(t *testing.T) {
	s := newStack(t)
	p := s.run("example.com/m/list", `package list
import "database/sql"
type List struct{}
func (l *List) Next() *List
func (l *List) Err() error
func Walk(db *sql.DB) error {
	var l *List
	show := func() *List { return l }
	for show() != nil {
		l = l.Next()
		if err := l.Err(); err != nil { return err }
	}
	_, err := db.Exec("DELETE FROM lists")
	return err
}
`)
	if !p.Reach["example.com/m/list.Walk"].Has(Writes) {
		t.Error("nothing is written")
	}
}

// TestPrunedCall: the graphs of other packages keep no calls that do nothing, and a branch
// may ask what such a call has returned.
func TestPrunedCall(t *testing.T) {
	f := &Func{Symbol: "p.F", Nodes: []*Node{nil}, Blocks: []Block{{Succs: []int{1, 2}, Asks: []Ask{{Node: 0}}}, {}, {}}}
	p := newStack(t).run("example.com/m/pruned", "package pruned\n")
	if gates := NewDedupe(p).Gates(f); len(gates) > 0 {
		t.Errorf("%d gates", len(gates))
	}
}
