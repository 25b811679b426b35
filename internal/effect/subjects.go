package effect

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Knows reports whether the data of a call derives from a thing that another one
// is given, and not only from what that thing is made of.
func (n *Node) Knows(o *Node) bool {
	return slices.ContainsFunc(o.Subjects, func(x Origin) bool { return slices.Contains(n.Origins, x) })
}

// subjectsOf are the things that values are, or are fields of: parameters,
// captured variables, results and variables of the function. Of a struct that is
// made for the call, they are those that are its fields as they are.
func (b *builder) subjectsOf(vs []ssa.Value) []Origin {
	w := originWalk{b: b, seen: map[ssa.Value]bool{}, budget: originBudget}
	for _, v := range vs {
		if b.isData(v.Type()) {
			w.subject(v, true)
		}
	}
	return w.sorted()
}

func (w *originWalk) subject(v ssa.Value, fields bool) {
	if w.seen[v] || w.budget <= 0 {
		return
	}
	w.budget--
	w.seen[v] = true
	switch v := v.(type) {
	case *ssa.Parameter:
		w.add('a', w.b.paramIndex(v))
	case *ssa.FreeVar:
		w.add('f', w.b.freeIndex(v))
	case *ssa.Call:
		w.add('c', w.b.nodeID(v))
	case *ssa.Alloc:
		w.variable(v, fields)
	case *ssa.FieldAddr:
		if fields {
			w.subject(v.X, fields)
		}
	case *ssa.Field:
		if fields {
			w.subject(v.X, fields)
		}
	case *ssa.UnOp, *ssa.MakeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.Extract, *ssa.Slice, *ssa.IndexAddr, *ssa.Phi, *ssa.Next, *ssa.Range:
		for _, o := range v.(ssa.Instruction).Operands(nil) {
			if *o != nil {
				w.subject(*o, fields)
			}
		}
	}
}

// variable is a variable with what it was assigned as it is: a copy of another
// thing, the elements of a list, the fields of a literal.
func (w *originWalk) variable(a *ssa.Alloc, fields bool) {
	w.add('m', w.b.cellIndex(a))
	for _, s := range w.b.stores[a] {
		w.subject(s, fields)
	}
	for _, f := range w.b.fieldStores[a] {
		w.subject(f.value, false)
	}
}
