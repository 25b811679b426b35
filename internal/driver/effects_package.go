package driver

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// row is what one call does, on one line.
type row struct {
	line int
	// text is the call as written, what it does, handle what it goes through,
	// known whence that is known.
	text, what, handle, known string
	// below are the functions that the call may run.
	below []string
}

// printEffects prints the functions of the target packages that do something,
// and what does it in them.
func (v *view) printEffects(w io.Writer) {
	printed := false
	for _, f := range v.functions(func(f *effect.Func) bool { return v.targets[f.Package] }) {
		rows := v.rows(f)
		if len(rows) == 0 {
			continue
		}
		if printed {
			fmt.Fprintln(w)
		}
		printed = true
		fmt.Fprintf(w, "%s  %s%s\n", v.place(f.Pos), v.program.Title(f), v.role(f))
		printRows(w, rows)
	}
	if !printed {
		fmt.Fprintln(w, "nothing here reaches a database or a broker, as far as is known")
	}
}

// role says how a function takes deliveries, "" if it takes none.
func (v *view) role(f *effect.Func) string {
	h, ok := v.program.Handlers[f.Symbol]
	if !ok {
		return ""
	}
	text := "  [takes deliveries"
	if h.Broker != "" {
		text += " of " + h.Broker
	}
	if h.Ack != "" {
		text += ", acked by " + h.Ack
	}
	if h.OnError != "" {
		text += ", after an error: " + h.OnError
	}
	return text + "]"
}

func printRows(w io.Writer, rows []row) {
	text, what, handle := 0, 0, 0
	for _, r := range rows {
		text = max(text, min(len(r.text), 30))
		if r.handle != "" || r.known != "" {
			what, handle = max(what, min(len(r.what), 40)), max(handle, min(len(r.handle), 50))
		}
	}
	for _, r := range rows {
		line := fmt.Sprintf("%6d  %-*s  %-*s  %-*s  %s", r.line, text, r.text, what, r.what, handle, r.handle, r.known)
		fmt.Fprintln(w, strings.TrimRight(line, " "))
		for _, b := range r.below {
			fmt.Fprintf(w, "        %-*s    %s\n", text, "", b)
		}
	}
}

// nodes are the nodes of a function in source order.
func nodes(f *effect.Func) []*effect.Node {
	var list []*effect.Node
	for _, n := range f.Nodes {
		if n != nil && n.Pos.Line > 0 {
			list = append(list, n)
		}
	}
	slices.SortStableFunc(list, func(a, b *effect.Node) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// rows are the calls of a function that do something, in source order.
func (v *view) rows(f *effect.Func) []row {
	var rows []row
	for _, n := range nodes(f) {
		switch {
		case len(n.Effects) > 0:
			for i := range n.Effects {
				e := &n.Effects[i]
				rows = append(rows, row{line: n.Pos.Line, text: callText(n), what: e.Words(), handle: f.HandleWords(e), known: known(n, e)})
			}
		case n.Kind == effect.NodeSend:
			for _, c := range n.Args {
				if v.program.Published(f, c) {
					rows = append(rows, row{line: n.Pos.Line, text: "<-", what: "publish: what is sent on " + f.Words(c) + " is published"})
					break
				}
			}
		case n.Kind <= effect.NodeDefer && n.Entry == nil && !n.IsBuiltin():
			if r, ok := v.callRow(f, n); ok {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// callRow is a call of functions that were read; false if they do nothing.
func (v *view) callRow(f *effect.Func, n *effect.Node) (row, bool) {
	r := row{line: n.Pos.Line, text: callText(n)}
	var all effect.Kinds
	callees := v.program.Callees(f, n)
	for _, c := range callees {
		if c.Func == nil {
			r.below = append(r.below, library(c.Entry))
			all |= effect.KindOf(&effect.Effect{Kind: c.Entry.Kind})
			if c.Entry.Kind == catalog.SQL {
				all |= effect.Writes
			}
			continue
		}
		kinds := v.program.Does(c.Func.Symbol)
		all |= kinds
		r.below = append(r.below, v.program.TitleFrom(f, c.Func)+": "+cmp.Or(kinds.Words(), "nothing"))
	}
	if all == 0 {
		return row{}, false
	}
	if len(r.below) == 1 && n.Iface == "" {
		r.what, r.below = "calls "+r.below[0], nil
		return r, true
	}
	r.what = "calls " + calleeText(f, n) + ", which may be"
	return r, true
}

// calleeText is what is called where that is no one function.
func calleeText(f *effect.Func, n *effect.Node) string {
	if n.Iface != "" {
		return ifaceName(n) + "." + n.Method
	}
	return f.Words(n.Dynamic)
}

// ifaceName is the interface's name with its package's.
func ifaceName(n *effect.Node) string {
	if strings.Contains(n.Iface, "{") {
		return "interface{...}"
	}
	return path.Base(n.Iface)
}

// callText is the call as the source has it.
func callText(n *effect.Node) string {
	text := n.Text
	if strings.Contains(text, "$") { // a literal
		text = "func"
	}
	switch n.Kind {
	case effect.NodeGo:
		return "go " + text
	case effect.NodeDefer:
		return "defer " + text
	}
	return text
}

// library is a library's method and what it does.
func library(e *catalog.Entry) string {
	name := e.Symbol.Name
	if e.Symbol.Type != "" {
		name = e.Symbol.Type + "." + name
	}
	return fmt.Sprintf("%s.%s: %s (%s)", path.Base(e.Symbol.Package), name, e.Kind, e.Source)
}

// known says whence an effect is known.
func known(n *effect.Node, e *effect.Effect) string {
	switch {
	case e.ByName:
		return "by its name only"
	case n.Entry != nil:
		return n.Entry.Source
	}
	return ""
}
