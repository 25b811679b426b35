package effect

import (
	"slices"
	"strings"
)

// Idle reports whether what a call runs is known, all of it, and nothing of it lasts:
// the functions log, decode and look at things.
func (d *Dedupe) Idle(f *Func, n *Node) bool {
	runs := d.prog.runsAny(f, n)
	return len(runs) > 0 && !slices.ContainsFunc(runs, func(s string) bool { return !d.idle(s, idleDepth) })
}

// IdleFunc is the same of a function.
func (d *Dedupe) IdleFunc(symbol string) bool { return d.idle(symbol, idleDepth) }

const idleDepth = 5

func (d *Dedupe) idle(symbol string, depth int) bool {
	f := d.prog.Funcs[symbol]
	if f == nil {
		return inert(symbol)
	}
	if depth == 0 || d.prog.Reach[symbol]&(Writes|Publishes|Outboxes|Outside|Transacts) != 0 {
		return false
	}
	return !slices.ContainsFunc(f.Nodes, func(n *Node) bool { return n != nil && !d.idles(f, n, depth) })
}

// idles is the same of a node.
func (d *Dedupe) idles(f *Func, n *Node, depth int) bool {
	switch {
	case n.Kind == NodeSend, n.Kind == NodeMap, n.Kind == NodeKeep, n.Keyed != nil:
		return false
	case n.Kind > NodeDefer, n.IsBuiltin():
		return true
	case len(n.Effects) > 0 || n.Entry != nil:
		return d.harmless(f, n)
	}
	if runs := d.prog.runsAny(f, n); len(runs) > 0 {
		return !slices.ContainsFunc(runs, func(s string) bool { return !d.idle(s, depth-1) })
	}
	return n.Static != "" && inert(n.Static) || n.Iface == "error" || n.Iface != "" && inert(n.Iface+".")
}

// inert: a function of the standard library that changes nothing outside the process.
func inert(symbol string) bool {
	path := strings.TrimLeft(symbol, "(*")
	for _, prefix := range []string{"fmt.", "log.", "net/mail.", "net/url.", "path.", "html.", "text/", "unicode", "log/slog.", "errors.", "encoding/", "strings.", "strconv.", "bytes.", "time.", "context.", "slices.", "maps.", "sort.", "math", "regexp.", "sync.", "crypto/", "hash"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// Notes reports whether a call does nothing but note that the delivery was handled, in
// the store that its function has asked before, and nothing comes after it.
func (d *Dedupe) Notes(f *Func, n *Node) bool {
	touches := slices.DeleteFunc(d.Touches(f, n), func(t Touch) bool { return t.Op == Recalls })
	if len(touches) == 0 || d.goesOn(f, n.ID) {
		return false
	}
	return slices.ContainsFunc(d.Gates(f), func(g Gate) bool {
		return g.Keyed && g.Node != n && g.Form != AsksState && len(g.Lookups) > 0 && !slices.ContainsFunc(touches, func(t Touch) bool {
			return (t.Op != Remembers && t.Op != Claims) || !slices.ContainsFunc(g.Lookups, func(l Touch) bool { return l.Same(&t) })
		})
	})
}
