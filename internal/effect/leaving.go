package effect

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// way is what a branch leads to.
type way struct {
	// ends: to the function's end or to the next round of the loop that it is in, with
	// no effect and no error.
	ends bool
	// acts: to an effect.
	acts bool
}

// skips tells the branch that leaves, where one does: it has no effect on any way, and
// the other one not only that. After a claim, it may also be the one that has none on
// some way, while the other always has one.
func (d *Dedupe) skips(f *Func, a Ask, on [2]way) (onTrue, ok bool) {
	leaves := [2]bool{on[0].ends && !on[0].acts, on[1].ends && !on[1].acts}
	if leaves[0] != leaves[1] {
		other := on[1]
		if leaves[1] {
			other = on[0]
		}
		return leaves[0], other.acts || a.Form == AsksKind && d.goesOn(f, a.Node)
	}
	if on[0].ends != on[1].ends && on[0].acts && on[1].acts {
		return on[0].ends, slices.ContainsFunc(d.Touches(f, f.Nodes[a.Node]), func(t Touch) bool { return t.Op == Claims || t.Op == Scripts })
	}
	return false, false
}

// leaves tells what a branch leads to.
func (d *Dedupe) leaves(f *Func, from, succ int) way {
	var out way
	known := f.knownAt(from, succ)
	d.ahead(f, from, succ, func(b *Block) bool {
		if b == nil { // the next round
			out.ends = true
			return false
		}
		for _, id := range b.Nodes {
			n := f.Nodes[id]
			if n.Kind == NodeReturn {
				out.ends = out.ends || !d.fails(f, n, known)
			} else if !d.harmless(f, n) {
				out.acts = true
				return false
			}
		}
		return true
	})
	return out
}

// fails reports whether a return is of an error for sure: one that is known on the
// way, or that a function makes which does nothing else.
func (d *Dedupe) fails(f *Func, ret *Node, known map[Key]Outcome) bool {
	k := ret.Err.Key
	if ret.Err.Const == Yes || k.Kind != 0 && known[k] == Yes {
		return true
	}
	if k.Kind != 'c' || k.Bool || f.Nodes[k.A] == nil {
		return false
	}
	g := d.prog.Funcs[f.Nodes[k.A].Static]
	if g == nil || g.ErrResult < 0 {
		return false
	}
	for _, n := range g.Nodes {
		if n != nil && n.Kind == NodeReturn && n.Err.Const != Yes {
			return false
		}
	}
	return true
}

// Known reports whether a call runs functions that were found, and of which one can
// have an effect.
func (d *Dedupe) Known(f *Func, n *Node) bool {
	return d.prog.anyReaches(d.prog.runsAny(f, n), Writes|Publishes|Outboxes|Outside)
}

// knownAt is what is known of outcomes on a branch: what the conditions above it tell
// that are its only way.
func (f *Func) knownAt(from, succ int) map[Key]Outcome {
	known := map[Key]Outcome{}
	for at, i := from, succ; ; {
		b := &f.Blocks[at]
		if c := b.Cond; c != nil && c.Key.Kind != 0 && len(b.Succs) == 2 {
			if o := [2]Outcome{c.OnTrue, c.OnFalse}[i]; o != Unknown && known[c.Key] == Unknown {
				known[c.Key] = o
			}
		}
		if len(b.Preds) != 1 || b.Preds[0] == at || len(f.Blocks[b.Preds[0]].Succs) != 2 && len(f.Blocks[b.Preds[0]].Succs) != 1 {
			return known
		}
		i = slices.Index(f.Blocks[b.Preds[0]].Succs, at)
		at = b.Preds[0]
	}
}

// goesOn reports whether a function can come to an effect after a call has
// succeeded.
func (d *Dedupe) goesOn(f *Func, node int) bool {
	for i := range f.Blocks {
		c := f.Blocks[i].Cond
		if c == nil || c.Key.Kind != 'c' || c.Key.A != node || len(f.Blocks[i].Succs) != 2 {
			continue
		}
		if c.OnTrue == No && d.leaves(f, i, 0).acts || c.OnFalse == No && d.leaves(f, i, 1).acts {
			return true
		}
	}
	return false
}

// ahead goes through the blocks of a branch, nil for the next round of the loop that
// it is in; visit says whether the way goes on behind a block.
func (d *Dedupe) ahead(f *Func, from, succ int, visit func(b *Block) bool) {
	work, seen := []int{f.Blocks[from].Succs[succ]}, map[int]bool{}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		b := &f.Blocks[at]
		if slices.Contains(f.Blocks[from].Loops, at) {
			b = nil
		}
		if visit(b) && b != nil {
			work = append(work, b.Succs...)
		}
	}
}

// harmless: the call changes nothing that lasts; it may settle the delivery, answer
// the request, read, log.
func (d *Dedupe) harmless(f *Func, n *Node) bool {
	if n.Kind > NodeDefer || n.Keyed != nil {
		return n.Kind != NodeSend
	}
	for i := range n.Effects {
		switch n.Effects[i].Kind {
		case catalog.Write:
			if !n.Effects[i].Cache {
				return false
			}
		case catalog.Publish, catalog.OutboxWrite, catalog.Begin, catalog.RunInTx:
			return false
		case catalog.SideEffect:
			if n.Request != "GET" {
				return false
			}
		}
	}
	if d.Known(f, n) || n.HandsOn() {
		return false
	}
	return len(n.Effects) > 0 || n.Entry != nil || n.Static != "" || n.Iface == "" || !effectful(n.Method)
}

// HandsOn reports whether a call hands on what is to be done: to a function that was
// given or is found in a field, and may fail, or to the next handler of a request.
func (n *Node) HandsOn() bool {
	switch {
	case n.Static == "(*github.com/gin-gonic/gin.Context).Next", n.Iface == "net/http.Handler" && n.Method == "ServeHTTP":
		return true
	}
	return n.CallsGiven() && n.ErrResult
}

// CallsGiven reports whether a node calls a function that it was given, or finds in a
// field.
func (n *Node) CallsGiven() bool {
	v, _ := n.Dynamic.content(funcDepth)
	return n.Static == "" && v != nil && (v.Kind == ValueParam || v.Kind == ValueFree || v.Kind == ValueField)
}

// effectful: by its name, a method that nobody has read changes something.
func effectful(name string) bool {
	return slices.ContainsFunc([]string{"Save", "Create", "Insert", "Update", "Delete", "Publish", "Send", "Process", "Handle", "Execute"}, func(p string) bool {
		return strings.HasPrefix(name, p)
	})
}

// AsksKind reports whether a branch of a function asks what kind of error a call
// returned.
func (d *Dedupe) AsksKind(f *Func, n *Node) bool {
	return slices.ContainsFunc(f.Blocks, func(b Block) bool {
		return slices.ContainsFunc(b.Asks, func(a Ask) bool { return a.Node == n.ID && a.Form == AsksKind })
	})
}
