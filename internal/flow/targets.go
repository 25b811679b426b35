package flow

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// target is one callee with the values it captured.
type target struct {
	f    *effect.Func
	free []av
	// cells pairs captured variables with variables of the caller, where the
	// closure is called by the function that made it.
	cells []*effect.Value
	// effect stands for a library method behind an interface of the module.
	effect *effect.Effect
}

func (w *Walker) targets(fr *frame, s *State, n *effect.Node) []target {
	if n.Dynamic != nil {
		if n.Dynamic.Kind == effect.ValueClosure {
			a := w.eval(fr, s, n.Dynamic, evalDepth)
			if f := w.prog.Funcs[a.name]; f != nil {
				return []target{{f: f, free: a.of, cells: n.Dynamic.Of}}
			}
		}
		if t := w.funcTargets(w.eval(fr, s, n.Dynamic, evalDepth)); len(t) > 0 {
			return t
		}
		return inTree(w.symbolTargets(w.prog.FuncsFrom(n.Dynamic, fr.f.Symbol)), fr.tree)
	}
	r := w.prog.Resolve(n)
	out := w.symbolTargets(r.Symbols)
	if r.Entry != nil && n.Iface != "" {
		if e := n.As(r.Entry, fr.f); e != nil {
			out = append(out, target{effect: e})
		}
	}
	if n.Iface != "" {
		out = w.safest(inTree(out, fr.tree))
		if len(out) > 1 && len(n.Args) > 0 {
			recv := w.eval(fr, s, n.Args[0], evalDepth)
			out = ofHandle(ofType(out, recv), recv)
			if !recv.known() && len(s.Txs) == 0 {
				out = unbound(out)
			}
		}
	}
	return out
}

// ofType: a receiver that was seen to be made (a transaction of one store, and not
// of the other) has the methods of its own type.
func ofType(ts []target, recv av) []target {
	if recv.kind != record || recv.name == "" {
		return ts
	}
	var own []target
	for _, t := range ts {
		if t.f != nil && (strings.HasPrefix(t.f.Symbol, "(*"+recv.name+").") || strings.HasPrefix(t.f.Symbol, "("+recv.name+").")) {
			own = append(own, t)
		}
	}
	if len(own) == 0 { // it embeds what has the method
		return ts
	}
	return own
}

// ofHandle: a transaction that is at hand is the library's, or a type that stands
// for one; other things that are committed (a savepoint, a room's updater) are
// not it.
func ofHandle(ts []target, recv av) []target {
	if recv.kind != txHandle || !slices.ContainsFunc(ts, func(t target) bool { return t.effect != nil }) {
		return ts
	}
	return slices.DeleteFunc(slices.Clone(ts), func(t target) bool {
		return t.f != nil && (len(t.f.Params) == 0 || t.f.Params[0].Class != catalog.Tx)
	})
}

// unbound leaves out implementations that hold a transaction, where no transaction
// is open and others go through the pool.
func unbound(ts []target) []target {
	pool := func(t target) bool { return t.f != nil && pooled(t.f) }
	if !slices.ContainsFunc(ts, pool) {
		return ts
	}
	return slices.DeleteFunc(slices.Clone(ts), func(t target) bool { return t.f != nil && !pool(t) && keepsHandle(t.f, catalog.Tx) })
}

// pooled reports whether a function has an effect through a pool.
func pooled(f *effect.Func) bool { return keepsHandle(f, catalog.Pool) }

// keepsHandle reports whether a function has an effect through a handle of a class that
// it keeps in a field.
func keepsHandle(f *effect.Func, c catalog.Class) bool {
	return slices.ContainsFunc(f.Nodes, func(n *effect.Node) bool {
		return n != nil && slices.ContainsFunc(n.Effects, func(e effect.Effect) bool {
			return e.Class == c && e.Handle != nil && e.Handle.Kind == effect.ValueField
		})
	})
}

// internalTree is the part of an import path before its last internal folder:
// only packages below it can name what is inside.
func internalTree(pkg string) string {
	if i := strings.LastIndex(pkg, "/internal/"); i >= 0 {
		return pkg[:i]
	}
	return ""
}

// narrow is the internal tree of a path that enters a package: once it is in a
// service of the repository it stays there, through shared packages too.
func narrow(tree, pkg string) string {
	if t := internalTree(pkg); strings.HasPrefix(t+"/", tree+"/") || tree == "" {
		return t
	}
	return tree
}

// inTree leaves out implementations from another internal tree than the one the
// path starts in, where there are others: one service of a repository is not
// given another's types.
func inTree(ts []target, tree string) []target {
	if tree == "" {
		return ts
	}
	var kept []target
	for _, t := range ts {
		if t.f == nil || !apart(tree, internalTree(t.f.Package)) {
			kept = append(kept, t)
		}
	}
	return kept
}

// apart: neither of two internal trees, where both are known, lies in the other.
func apart(a, b string) bool {
	return a != "" && b != "" && !strings.HasPrefix(a+"/", b+"/") && !strings.HasPrefix(b+"/", a+"/")
}

func (w *Walker) symbolTargets(symbols []string) []target {
	var out []target
	for _, s := range symbols {
		if f := w.prog.Funcs[s]; f != nil {
			out = append(out, target{f: f})
		}
	}
	return out
}

// safest: where one implementation of an interface stores an outbox row, those
// that publish are what its relay uses; the set is read as the outbox.
func (w *Walker) safest(ts []target) []target {
	outbox := false
	for _, t := range ts {
		if t.f != nil && w.prog.StoresEvents(t.f.Symbol) {
			outbox = true
		}
	}
	if !outbox {
		return w.sinks(ts)
	}
	var kept []target
	for _, t := range ts {
		if t.f != nil && (w.prog.StoresEvents(t.f.Symbol) || !w.prog.Reach[t.f.Symbol].Has(effect.Publishes)) {
			kept = append(kept, t)
		}
	}
	return kept
}

// sinks: where some implementations of a method only publish and others only
// write, they are places that messages go to; none of the writes is the state
// that the messages tell of.
func (w *Walker) sinks(ts []target) []target {
	publishes := func(t target) bool { return w.reaches(t, effect.Publishes) && !w.reaches(t, effect.Writes) }
	writes := func(t target) bool { return w.reaches(t, effect.Writes) && !w.reaches(t, effect.Publishes) }
	if !slices.ContainsFunc(ts, publishes) || !slices.ContainsFunc(ts, writes) {
		return ts
	}
	return slices.DeleteFunc(slices.Clone(ts), writes)
}

func (w *Walker) reaches(t target, k effect.Kinds) bool {
	if t.f != nil {
		return w.prog.Reach[t.f.Symbol].Has(k)
	}
	return effect.KindOf(t.effect).Has(k)
}

func (w *Walker) funcTargets(a av) []target {
	switch a.kind {
	case closure:
		if f := w.prog.Funcs[a.name]; f != nil {
			return []target{{f: f, free: a.of}}
		}
	case oneOf:
		var out []target
		for _, x := range a.of {
			out = append(out, w.funcTargets(x)...)
		}
		return out
	}
	return nil
}

// OneService reports whether two packages may be of one service: neither lies in an
// internal tree that the other can't see.
func OneService(a, b string) bool { return !apart(internalTree(a), internalTree(b)) }
