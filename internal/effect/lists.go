package effect

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// keptIn are the values that a store adds to a list which a field or a variable of the
// package holds: b.items = append(b.items, x).
func keptIn(i *ssa.Store) ([]ssa.Value, bool) {
	c, ok := i.Val.(*ssa.Call)
	if !ok || placeKey(i.Addr) == "" || builtin(&c.Call) != "append" || len(c.Call.Args) != 2 {
		return nil, false
	}
	if f, ok := i.Addr.(*ssa.FieldAddr); ok && allocOf(f.X) != nil {
		return nil, false // a struct that is made here
	}
	vs, known := elementsOf(c.Call.Args[1])
	return vs, known && len(vs) > 0
}

func (b *builder) keepNode(i *ssa.Store) *Node {
	vs, _ := keptIn(i)
	key := placeKey(i.Addr)
	n := &Node{Pos: b.p.position(i.Pos()), Text: shortKey(key), Args: []*Value{{Kind: ValueGlobal, Name: key}}, From: b.lineages(vs)}
	if f, ok := i.Addr.(*ssa.FieldAddr); ok && b.given(f.X) {
		n.Holder = b.lineage(f.X).flat()
	}
	return n
}

// given: a parameter that is not the receiver.
func (b *builder) given(v ssa.Value) bool {
	p, ok := v.(*ssa.Parameter)
	return ok && (b.fn.Signature.Recv() == nil || p != b.fn.Params[0])
}

// shortKey is a field or variable as people name it.
func shortKey(key string) string { return key[strings.LastIndexAny(key, "./")+1:] }

// loads notes the lists that the function looks at other than to add to them.
func (b *builder) loads(instr ssa.Instruction) {
	u, ok := instr.(*ssa.UnOp)
	if !ok || u.Op != token.MUL {
		return
	}
	if _, list := u.Type().Underlying().(*types.Slice); !list {
		return
	}
	key := placeKey(u.X)
	if key == "" || slices.Contains(b.out.Loads, key) || !slices.ContainsFunc(*u.Referrers(), looksAt) {
		return
	}
	b.out.Loads = append(b.out.Loads, key)
}

// looksAt: more is done with a list than to add to it, to count it and to empty it.
func looksAt(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Call:
		return !slices.Contains([]string{"append", "len", "cap"}, builtin(&i.Call))
	case *ssa.Slice, *ssa.DebugRef:
		return false
	}
	return true
}
