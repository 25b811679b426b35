package effect

import (
	"fmt"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// This file puts graphs into words, for people who ask what was seen.

// Title is the function's name as a reader knows it: (*Service).Pay, and for a
// literal the function it stands in and its line.
func (p *Program) Title(f *Func) string {
	parent := p.Funcs[f.Parent]
	if parent == nil {
		return strings.TrimSuffix(f.Name, "$bound")
	}
	for up := p.Funcs[parent.Parent]; up != nil; up = p.Funcs[up.Parent] {
		parent = up
	}
	return fmt.Sprintf("func at line %d in %s", f.Pos.Line, parent.Name)
}

// TitleFrom is Title with the package's name where it is not the caller's.
func (p *Program) TitleFrom(from, f *Func) string {
	title := p.Title(f)
	if f.Package == from.Package || f.Package == "" {
		return title
	}
	pkg := path.Base(f.Package)
	if rest, ok := strings.CutPrefix(title, "(*"); ok {
		return "(*" + pkg + "." + rest
	}
	if strings.HasPrefix(title, "func at") {
		return title + " of " + pkg
	}
	return pkg + "." + title
}

// Words says where a value of the function comes from.
func (f *Func) Words(v *Value) string {
	text := f.words(v, 6)
	if text == "" {
		return "unknown"
	}
	return text
}

func (f *Func) words(v *Value, depth int) string {
	if v == nil || depth == 0 {
		return ""
	}
	switch v.Kind {
	case ValueNil:
		return "nil"
	case ValueConst:
		return "constant " + strconv.Quote(v.Name)
	case ValueParam:
		return f.paramWords(v.Index)
	case ValueFree:
		if v.Index >= 0 && v.Index < len(f.Free) {
			return "captured " + f.Free[v.Index].Name
		}
	case ValueCall:
		return f.resultWords(v.Index)
	case ValueField:
		return f.fieldWords(v, depth)
	case ValueGlobal:
		return "variable " + path.Base(v.Name)
	case ValueFunc, ValueClosure:
		return "func " + path.Base(v.Name)
	case ValueChoice:
		return f.choiceWords(v, depth)
	case ValueStruct:
		return f.structWords(v, depth)
	case ValueCell:
		return f.words(v.Of[0], depth-1)
	case ValueCtxValue:
		return "taken from " + orWords(f.words(v.Of[0], depth-1), "a context")
	case ValueWithValue:
		return "context with " + orWords(f.words(v.Of[1], depth-1), "a value")
	}
	return ""
}

func orWords(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func (f *Func) paramWords(i int) string {
	switch {
	case i < 0 || i >= len(f.Params):
		return ""
	case f.Method && i == 0 && f.Parent == "":
		return "receiver"
	}
	return "param " + f.Params[i].Name
}

func (f *Func) resultWords(i int) string {
	if i < 0 || i >= len(f.Nodes) || f.Nodes[i] == nil {
		return ""
	}
	n := f.Nodes[i]
	return fmt.Sprintf("result of %s (line %d)", n.Text, n.Pos.Line)
}

func (f *Func) fieldWords(v *Value, depth int) string {
	base := orWords(f.words(v.Of[0], depth-1), "...")
	switch v.Name {
	case "[]":
		return "element of " + base
	case "<-":
		return "received from " + base
	}
	return base + "." + v.Name
}

func (f *Func) choiceWords(v *Value, depth int) string {
	var parts []string
	for _, x := range v.Of {
		if text := f.words(x, depth-1); text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " or ")
}

func (f *Func) structWords(v *Value, depth int) string {
	var parts []string
	for i, name := range v.Names {
		if text := f.words(v.Of[i], depth-1); text != "" {
			parts = append(parts, name+": "+text)
		}
	}
	if len(parts) == 0 {
		return v.Type
	}
	return v.Type + "{" + strings.Join(parts, ", ") + "}"
}

// HandleWords says what an effect goes through and what its type tells of it;
// "" for effects that need no handle.
func (f *Func) HandleWords(e *Effect) string {
	if e.Handle == nil {
		return ""
	}
	text := f.words(e.Handle, 6)
	if text == "" {
		switch e.Kind {
		case catalog.Publish, catalog.PublishChannel, catalog.Flush, catalog.Receive, catalog.Ack, catalog.Nack, catalog.Requeue:
			return ""
		}
		text = "unknown"
	}
	switch e.Class {
	case catalog.Pool:
		text += " (pool)"
	case catalog.Tx:
		text += " (transaction)"
	case catalog.Either:
		text += " (pool or transaction)"
	}
	return text
}

// Words is what an effect does: publish kafka sync, write insert orders.
func (e *Effect) Words() string {
	words := []string{string(e.Kind)}
	add := func(s string) {
		if s != "" {
			words = append(words, s)
		}
	}
	switch e.Kind {
	case catalog.Write, catalog.OutboxWrite:
		add(string(e.Op))
		add(e.Table)
	case catalog.Read:
		add(e.Table)
		if e.Lock {
			add("locked")
		}
		if e.SkipLocked {
			add("skipping locked rows")
		}
	case catalog.Publish, catalog.PublishChannel, catalog.Flush:
		add(e.Broker)
		add(e.Confirm)
	case catalog.Receive, catalog.Handler, catalog.Ack, catalog.Nack, catalog.Requeue:
		add(e.Broker)
	}
	if e.Autocommit {
		add("autocommit")
	}
	if e.Conditional {
		add("conditional")
	}
	return strings.Join(words, " ")
}

// Words is what a function can do, itself or through what it calls.
func (k Kinds) Words() string {
	var words []string
	for _, w := range []struct {
		kind Kinds
		text string
	}{
		{Publishes, "publishes"}, {Outboxes, "stores outbox rows"}, {Writes, "writes"}, {Reads, "reads"},
		{Locks, "locks rows"}, {Transacts, "uses transactions"}, {Receives, "takes or acks deliveries"},
		{Notifies, "sends hints"}, {CallsParam, "calls its func parameter"},
	} {
		if k.Has(w.kind) {
			words = append(words, w.text)
		}
	}
	return strings.Join(words, ", ")
}

// Callee is what a call may run.
type Callee struct {
	Func *Func
	// Entry is a library's method, where Func is nil.
	Entry *catalog.Entry
}

// Callees are what a call of f may run, as far as linking knows.
func (p *Program) Callees(f *Func, n *Node) []Callee {
	t := p.Resolve(n)
	if n.Static == "" && n.Iface == "" {
		t = Target{Symbols: p.FuncsFrom(n.Dynamic, f.Symbol)}
	}
	var out []Callee
	for _, s := range t.Symbols {
		if g := p.Funcs[s]; g != nil && !slices.ContainsFunc(out, func(c Callee) bool { return c.Func == g }) {
			out = append(out, Callee{Func: g})
		}
	}
	if t.Entry != nil && n.Iface != "" && n.Entry == nil {
		out = append(out, Callee{Entry: t.Entry})
	}
	return out
}

// Does is what a function can do, itself or through what it calls; what its
// callers hand it to call is not counted.
func (p *Program) Does(symbol string) Kinds {
	return p.does(symbol, map[string]bool{})
}

func (p *Program) does(symbol string, seen map[string]bool) Kinds {
	f := p.Funcs[symbol]
	if f == nil || seen[symbol] {
		return 0
	}
	seen[symbol] = true
	k := Kinds(0)
	for _, n := range f.Nodes {
		if n == nil {
			continue
		}
		for i := range n.Effects {
			k |= KindOf(&n.Effects[i])
		}
		for _, a := range n.Args {
			switch {
			case n.Kind == NodeSend && p.Published(f, a):
				k |= Publishes
			case a != nil && (a.Kind == ValueFunc || a.Kind == ValueClosure):
				k |= p.does(a.Name, seen)
			}
		}
		if n.Kind <= NodeDefer {
			k |= p.callDoes(f, n, seen)
		}
	}
	return k
}

func (p *Program) callDoes(f *Func, n *Node, seen map[string]bool) Kinds {
	if d := n.Dynamic; d != nil && n.Static == "" && (d.Kind == ValueParam || d.Kind == ValueFree) {
		return CallsParam
	}
	k := Kinds(0)
	for _, c := range p.Callees(f, n) {
		switch {
		case c.Func != nil:
			k |= p.does(c.Func.Symbol, seen) &^ CallsParam
		case c.Entry.Kind == catalog.SQL:
			k |= Writes
		default:
			k |= KindOf(&Effect{Kind: c.Entry.Kind})
		}
	}
	return k
}

// IsBuiltin reports whether a call is of a function of the language.
func (n *Node) IsBuiltin() bool {
	if n.Static != "" || n.Iface != "" {
		return false
	}
	_, ok := types.Universe.Lookup(n.Text).(*types.Builtin)
	return ok && (n.Dynamic == nil || n.Dynamic.Kind == ValueUnknown)
}
