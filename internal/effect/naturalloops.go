package effect

import "golang.org/x/tools/go/ssa"

// loopBlocks are for each block the heads of the natural loops it is in.
func loopBlocks(fn *ssa.Function) map[*ssa.BasicBlock][]int {
	out := map[*ssa.BasicBlock][]int{}
	for _, head := range fn.Blocks { // outer heads have smaller indices
		in := map[*ssa.BasicBlock]bool{}
		for _, p := range head.Preds {
			if head.Dominates(p) {
				markLoop(head, p, in)
			}
		}
		for _, b := range fn.Blocks {
			if in[b] {
				out[b] = append(out[b], head.Index)
			}
		}
	}
	return out
}

// markLoop marks the natural loop of the back edge from tail to head.
func markLoop(head, tail *ssa.BasicBlock, in map[*ssa.BasicBlock]bool) {
	in[head] = true
	work := []*ssa.BasicBlock{tail}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if in[n] {
			continue
		}
		in[n] = true
		work = append(work, n.Preds...)
	}
}
