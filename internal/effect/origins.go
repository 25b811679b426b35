package effect

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// originDepth bounds how far data is followed, originBudget the values looked at
// for one argument.
const (
	originDepth  = 12
	originBudget = 300
)

// Origin is a value of a function that the data of a call derives from: a
// parameter ('a'), a captured variable ('f'), the result of a node ('c') or a
// variable made here ('m').
type Origin struct {
	Kind byte
	A    int
}

// Shares reports whether the data of two calls of one function has an origin in
// common. It is a may: memory is read flow-insensitively, and what comes out of
// an unknown call derives from all that went in.
func (n *Node) Shares(o *Node) bool {
	return slices.ContainsFunc(n.Origins, func(x Origin) bool { return slices.Contains(o.Origins, x) })
}

// Uses reports whether the data of a call derives from what another call of the function
// has returned.
func (n *Node) Uses(o *Node) bool { return slices.Contains(n.Origins, Origin{'c', o.ID}) }

// originsOf are what values derive from; services, handles, contexts and constants
// are no data.
func (b *builder) originsOf(vs ...ssa.Value) []Origin {
	w := originWalk{b: b, seen: map[ssa.Value]bool{}, budget: originBudget}
	w.all(vs, originDepth+1)
	return w.sorted()
}

// sorted are the origins that were found, each once.
func (w *originWalk) sorted() []Origin {
	slices.SortFunc(w.out, func(x, y Origin) int {
		if x.Kind != y.Kind {
			return int(x.Kind) - int(y.Kind)
		}
		return x.A - y.A
	})
	return slices.Compact(w.out)
}

type originWalk struct {
	b      *builder
	seen   map[ssa.Value]bool
	budget int
	out    []Origin
}

func (w *originWalk) add(kind byte, a int) { w.out = append(w.out, Origin{kind, a}) }

func (w *originWalk) visit(v ssa.Value, depth int) {
	if v == nil || depth <= 0 || w.seen[v] || w.budget <= 0 {
		return
	}
	w.budget--
	w.seen[v] = true
	if !w.b.isData(v.Type()) {
		switch v := v.(type) {
		case *ssa.MakeClosure:
			w.all(v.Bindings, depth)
		case *ssa.Call: // a query under construction
			w.all(operandsOf(&v.Call), depth)
		}
		return
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		w.add('a', w.b.paramIndex(v))
	case *ssa.FreeVar:
		w.add('f', w.b.freeIndex(v))
	case *ssa.Call:
		w.add('c', w.b.nodeID(v))
		w.all(operandsOf(&v.Call), depth)
	case *ssa.Alloc:
		w.alloc(v, depth)
	case *ssa.MakeMap:
		w.entries(v, depth)
	case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
	case ssa.Instruction:
		for _, o := range v.Operands(nil) {
			w.visit(*o, depth-1)
		}
	}
}

func (w *originWalk) entries(m *ssa.MakeMap, depth int) {
	for _, r := range *m.Referrers() {
		if u, ok := r.(*ssa.MapUpdate); ok {
			w.visit(u.Key, depth-1)
			w.visit(u.Value, depth-1)
		}
	}
}

func (w *originWalk) all(vs []ssa.Value, depth int) {
	for _, v := range vs {
		w.visit(v, depth-1)
	}
}

func (w *originWalk) alloc(a *ssa.Alloc, depth int) {
	w.add('m', w.b.cellIndex(a))
	w.all(w.b.stores[a], depth)
	for _, f := range w.b.fieldStores[a] {
		w.visit(f.value, depth-1)
	}
	for _, r := range *a.Referrers() {
		if m, ok := r.(*ssa.MakeInterface); ok && m.Referrers() != nil {
			w.filled(*m.Referrers(), depth)
		}
	}
	w.filled(*a.Referrers(), depth)
}

// filled: a variable whose address a call was given may hold what that call was
// given beside it (json.Unmarshal).
func (w *originWalk) filled(refs []ssa.Instruction, depth int) {
	for _, r := range refs {
		if c, ok := r.(*ssa.Call); ok {
			w.visit(c, depth-1)
			w.all(c.Call.Args, depth)
		}
	}
}

// isData reports whether a type is one of values that messages and rows are made
// of: no handle, no context, no error, no function, no service.
func (b *builder) isData(t types.Type) bool {
	if got, ok := b.classes.data[t]; ok {
		return got
	}
	got := b.computeData(t)
	b.classes.data[t] = got
	return got
}

func (b *builder) computeData(t types.Type) bool {
	if isContext(t) || isError(t) || isBool(t) {
		return false
	}
	if c := b.classes.of(t); c != "" && c != catalog.Message {
		return false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
		if _, ok := t.Underlying().(*types.Pointer); ok {
			return b.isData(t)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	case *types.Struct:
		for f := range u.Fields() {
			if b.isService(f.Type()) {
				return false
			}
		}
	}
	return true
}

// isService: a field of such a type makes its struct a service.
func (b *builder) isService(t types.Type) bool {
	if c := b.classes.of(t); c != "" && c != catalog.Message {
		return true
	}
	if isError(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return true
	case *types.Interface:
		return u.NumMethods() > 0
	}
	return false
}
