package effect

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// appends: something is added to a list, or to a map that isn't a literal.
func appends(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.MapUpdate:
		made, ok := i.Map.(*ssa.MakeMap)
		return !ok || made.Block() != i.Block()
	case *ssa.Call:
		return builtin(&i.Call) == "append"
	}
	return false
}

// notes reports whether the blocks that only the failure leads to write it down:
// fails[id] = true, errs = append(errs, err), s.broken = true. Whoever looks at
// that decides what becomes of it. Counting is no note.
func notes(block *ssa.BasicBlock, c *Cond) bool {
	failed := -1
	switch {
	case c.Key.Bool || c.Value != nil:
	case c.OnTrue == Yes:
		failed = 0
	case c.OnFalse == Yes:
		failed = 1
	}
	if failed < 0 || failed >= len(block.Succs) || len(block.Succs[failed].Preds) != 1 {
		return false
	}
	head := block.Succs[failed]
	for _, x := range block.Parent().Blocks {
		if !head.Dominates(x) {
			continue
		}
		for _, i := range x.Instrs {
			if appends(i) || keeps(i) {
				return true
			}
		}
	}
	return false
}

// keeps: something other than a count is stored in what outlives the call.
func keeps(i ssa.Instruction) bool {
	s, ok := i.(*ssa.Store)
	if !ok {
		return false
	}
	if sum, ok := s.Val.(*ssa.BinOp); ok && (sum.Op == token.ADD || sum.Op == token.SUB) {
		return false
	}
	for addr := s.Addr; ; {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		case *ssa.Alloc:
			return false
		case *ssa.Global, *ssa.FreeVar, *ssa.Parameter, *ssa.UnOp:
			return true
		default:
			return false
		}
	}
}
