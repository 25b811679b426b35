package effect

import (
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/fix"
)

// relays reports whether rows of an outbox are read, and marked or deleted.
func (p *Program) relays() bool {
	reads, marks := false, false
	for _, s := range p.Order {
		f := p.Funcs[s]
		if f.Test {
			continue
		}
		for _, n := range f.Nodes {
			if n == nil {
				continue
			}
			for i := range n.Effects {
				e := &n.Effects[i]
				reads = reads || e.Kind == catalog.Read && e.NamesOutbox()
				marks = marks || e.Op == OutboxMark || e.NamesOutbox() && (e.Op == catalog.Update || e.Op == catalog.Delete)
				reads = reads || e.NamesOutbox() && e.Statement != nil && e.Statement.Returning && e.Op != catalog.Insert
			}
		}
	}
	return reads && marks
}

// outboxWriter reads a function that stores rows of an outbox through one handle
// that it is given, and does nothing else that lasts.
func (p *Program) outboxWriter(f *Func) (fix.Writer, bool) {
	if f.Test || f.Parent != "" || f.Synthetic || p.Reach[f.Symbol]&Outboxes == 0 || p.doesMore(f, 4) {
		return fix.Writer{}, false
	}
	typ, name := typeAndName(f)
	if strings.ContainsAny(f.Name, "[$") {
		return fix.Writer{}, false
	}
	at, ok := p.rowHandle(f, 4)
	if !ok {
		return fix.Writer{}, false
	}
	w := fix.Writer{Package: f.Package, Type: typ, Name: name, Way: at.way, Tx: at.param}
	if f.Method {
		w.Tx--
	}
	if f.Method && at.param == 0 {
		w.Way = fix.ByReceiver
	}
	return w, true
}

// doesMore reports whether a function does more that lasts than to store rows. What a
// library's interface does is known, whatever else implements it.
func (p *Program) doesMore(f *Func, depth int) bool {
	const more = Writes | Publishes | Receives | Outside
	if depth == 0 {
		return p.Reach[f.Symbol]&more != 0
	}
	for _, n := range f.Nodes {
		if n == nil {
			continue
		}
		for i := range n.Effects {
			if KindOf(&n.Effects[i])&more != 0 {
				return true
			}
		}
		if len(n.Effects) > 0 {
			continue
		}
		if callee := p.Funcs[n.Static]; callee != nil && p.doesMore(callee, depth-1) {
			return true
		}
		if n.Iface != "" && p.anyReaches(p.Impl[n.Iface+"."+n.Method], more) {
			return true
		}
	}
	return false
}

// handed is a handle that a function is given: a parameter, or the context that is
// one holds it.
type handed struct {
	way   fix.Way
	param int
}

// rowHandle is the one handle through which a function stores rows.
func (p *Program) rowHandle(f *Func, depth int) (at handed, ok bool) {
	if depth == 0 {
		return handed{}, false
	}
	for _, n := range f.Nodes {
		if n == nil || n.Kind != NodeCall && n.Kind != NodeDefer {
			continue
		}
		one, stores, known := p.storedThrough(f, n, depth)
		switch {
		case !stores:
		case !known || ok && one != at:
			return handed{}, false
		default:
			at, ok = one, true
		}
	}
	return at, ok
}

// storedThrough is the handle through which a call stores a row, if it does.
func (p *Program) storedThrough(f *Func, n *Node, depth int) (at handed, stores, known bool) {
	for i := range n.Effects {
		if e := &n.Effects[i]; e.Kind == catalog.OutboxWrite {
			at, known = p.givenAs(f, e.Handle, depth)
			return at, true, known && !e.ByName && !e.Autocommit
		}
	}
	callee := p.Funcs[n.Static]
	if callee == nil || p.Reach[n.Static]&Outboxes == 0 {
		return handed{}, false, false
	}
	inner, ok := p.rowHandle(callee, depth-1)
	if !ok || inner.param >= len(n.Args) {
		return handed{}, true, false
	}
	at, known = p.givenAs(f, n.Args[inner.param], depth)
	if inner.way == fix.ByContext {
		at.way = fix.ByContext
	}
	return at, true, known
}

// givenAs follows a handle to the parameter that it is, is made on or is taken from.
func (p *Program) givenAs(f *Func, v *Value, depth int) (handed, bool) {
	if v == nil || depth == 0 {
		return handed{}, false
	}
	switch v.Kind {
	case ValueParam:
		return handed{fix.ByParam, v.Index}, true
	case ValueField:
		if len(v.Of) == 1 && v.Of[0] != nil && v.Of[0].Kind == ValueParam && v.Of[0].Index == 0 && f.Method {
			return handed{fix.ByReceiver, 0}, true
		}
	case ValueCtxValue:
		if len(v.Of) == 1 && v.Of[0] != nil && v.Of[0].Kind == ValueParam {
			return handed{fix.ByContext, v.Of[0].Index}, true
		}
	case ValueChoice:
		return p.choiceAs(f, v, depth)
	case ValueCall:
		return p.callAs(f, v, depth)
	}
	return handed{}, false
}

// choiceAs: a handle that is taken from the context, or else is another.
func (p *Program) choiceAs(f *Func, v *Value, depth int) (handed, bool) {
	for _, o := range v.Of {
		if at, ok := p.givenAs(f, o, depth-1); ok && at.way == fix.ByContext {
			return at, true
		}
	}
	return handed{}, false
}

// callAs: a handle that a call makes of another, or that a function takes out of the
// context.
func (p *Program) callAs(f *Func, v *Value, depth int) (handed, bool) {
	if v.Index < 0 || v.Index >= len(f.Nodes) || f.Nodes[v.Index] == nil {
		return handed{}, false
	}
	n := f.Nodes[v.Index]
	if n.Entry != nil && n.Entry.Kind == catalog.Bind {
		return p.givenAs(f, n.arg(n.Entry.Handle.Arg), depth-1)
	}
	callee := p.Funcs[n.Static]
	if callee == nil || v.Result >= len(callee.Returns) {
		return handed{}, false
	}
	inner, ok := p.givenAs(callee, callee.Returns[v.Result], depth-1)
	if !ok || inner.way == fix.ByReceiver || inner.param >= len(n.Args) {
		return handed{}, false
	}
	at, ok := p.givenAs(f, n.Args[inner.param], depth-1)
	if inner.way == fix.ByContext {
		at.way = fix.ByContext
	}
	return at, ok
}
