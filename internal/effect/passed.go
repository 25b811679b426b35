package effect

import (
	"slices"
	"strings"
)

// pass notes the functions that a handler, or one of its literals, calls to handle its
// delivery, and those that these call in turn.
func (d *dispatching) pass(symbol string, depth int) {
	f := d.p.Funcs[symbol]
	if f == nil || depth == 0 || d.seen[symbol] {
		return
	}
	d.seen[symbol] = true
	for _, n := range f.Nodes {
		if n == nil || n.Kind > NodeDefer || n.Entry != nil {
			continue
		}
		for _, t := range d.a.targets(f, n) {
			if d.takesOver(f, n, t) {
				d.mark(t)
				d.pass(t, depth-1)
			}
		}
		for _, v := range append([]*Value{n.Dynamic}, n.Args...) {
			if v != nil && v.Kind == ValueClosure && d.p.Funcs[v.Name] != nil {
				d.pass(v.Name, depth)
			}
		}
	}
}

// takesOver reports whether a function that is called handles the delivery: it is given
// the delivery itself and does something lasting, or by its name handles what was made
// of it.
func (d *dispatching) takesOver(f *Func, n *Node, target string) bool {
	g := d.p.Funcs[target]
	if g == nil || g.Synthetic || g.Parent != "" || g.Test || d.p.adapts(target) {
		return false
	}
	name := g.ownName()
	if putsAside(name) {
		return false
	}
	const lasting = Writes | Publishes | Outboxes | Transacts | Outside | CallsParam
	whole := g.takesDeliveries() && g.onlyFails() && !settles(name) && d.p.Reach[target]&lasting != 0
	return (whole || handlesByName(name)) && (d.named || d.given(f, n))
}

// ownName is a function's name without its receiver.
func (f *Func) ownName() string { return f.Name[strings.LastIndexByte(f.Name, '.')+1:] }

// putsAside: by its name, a function takes care of a delivery that could not be handled.
func putsAside(name string) bool {
	l := strings.ToLower(name)
	return hasAny(l, "dlq", "deadletter", "poison", "retry", "requeue", "aside") || strings.HasSuffix(l, "error") ||
		l == "handlefailure" || strings.HasSuffix(l, "parsefailure")
}

// handlesByName: a function's name says that it handles something.
func handlesByName(name string) bool {
	if handles(name) {
		return true
	}
	l := strings.ToLower(name)
	return strings.HasPrefix(l, "process") && slices.ContainsFunc([]string{"message", "msg", "event", "job", "task", "update", "delivery", "record", "command", "request"},
		func(what string) bool { return strings.HasSuffix(l, what) })
}
