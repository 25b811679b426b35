package effect

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// stops: a condition says which case of a select was taken, and that is the end of a
// context: what runs is about to stop.
func stops(cond ssa.Value) bool {
	eq, ok := cond.(*ssa.BinOp)
	if !ok || eq.Op != token.EQL {
		return false
	}
	index, ok := eq.X.(*ssa.Extract)
	if !ok || index.Index != 0 {
		return false
	}
	sel, ok := index.Tuple.(*ssa.Select)
	which, isConst := eq.Y.(*ssa.Const)
	if !ok || !isConst || which.Value == nil {
		return false
	}
	at, exact := constant.Int64Val(which.Value)
	if !exact || at < 0 || int(at) >= len(sel.States) {
		return false
	}
	state := sel.States[at]
	call, ok := state.Chan.(*ssa.Call)
	return ok && state.Dir == types.RecvOnly && call.Call.IsInvoke() && call.Call.Method.FullName() == "(context.Context).Done"
}
