package effect

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// noReturn: the function ends the program, by its package or by its name, which nobody
// gives to what goes on.
func noReturn(f *types.Func) bool {
	if f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() + "." + f.Name() {
	case "os.Exit", "log.Panic", "log.Panicf", "log.Panicln", "runtime.Goexit", "syscall.Exit":
		return true
	}
	sig, ok := f.Type().(*types.Signature)
	if !ok || sig.Results().Len() > 0 {
		return false
	}
	switch f.Name() {
	case "Fatal", "Fatalf", "Fatalln", "Fatalw", "FatalContext", "FatalfContext", "FatalDepth", "FatalDepthf", "FatalExit":
		return true
	case "Panic", "Panicf", "Panicln", "Panicw":
		switch f.Pkg().Path() {
		case "log", "go.uber.org/zap", "github.com/sirupsen/logrus", "github.com/golang/glog", "k8s.io/klog", "k8s.io/klog/v2":
			return true
		}
	}
	return false
}

// endAtFatal cuts a function where the entry of a log that ends the program is written:
// log.Fatal().Err(err).Msg("...") returns as little as log.Fatal does, but that is told
// by the chain, not by the function that is called last.
func endAtFatal(fn *ssa.Function) {
	for _, block := range fn.Blocks {
		for i, instr := range block.Instrs {
			if call, ok := instr.(*ssa.Call); ok && writesFatal(call) {
				block.Instrs = block.Instrs[:i+1]
				leaveOff(fn, block)
				break
			}
		}
	}
}

// writesFatal: the call writes an entry that was begun as a fatal one.
func writesFatal(call *ssa.Call) bool {
	callee := call.Call.StaticCallee()
	if callee == nil || !isEntryOf(callee) || callee.Signature.Results().Len() > 0 {
		return false
	}
	for range 32 {
		next, ok := calledOn(call).(*ssa.Call)
		if !ok {
			return false
		}
		if callee := next.Call.StaticCallee(); callee == nil || !isEntryOf(callee) {
			return slices.Contains([]string{"Fatal", "Panic"}, calleeName(next)) && isEntry(next.Type())
		}
		call = next
	}
	return false
}

// calledOn is what a method is called on.
func calledOn(call *ssa.Call) ssa.Value {
	if len(call.Call.Args) == 0 {
		return nil
	}
	return call.Call.Args[0]
}

// calleeName is the name of the function or method that is called.
func calleeName(call *ssa.Call) string {
	if call.Call.IsInvoke() {
		return call.Call.Method.Name()
	}
	if callee := call.Call.StaticCallee(); callee != nil {
		return callee.Name()
	}
	return ""
}

// isEntryOf: the function is a method of an entry.
func isEntryOf(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	return recv != nil && isEntry(recv.Type())
}

// isEntry: an entry of a log that is put together call by call.
func isEntry(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Pkg().Path() + "." + n.Obj().Name() {
	case "github.com/rs/zerolog.Event", "github.com/phuslu/log.Entry":
		return true
	}
	return false
}

// leaveOff takes the ways out of a block away, and those of blocks that nothing else
// leads to.
func leaveOff(fn *ssa.Function, block *ssa.BasicBlock) {
	succs := block.Succs
	block.Succs = nil
	for _, s := range succs {
		i := slices.Index(s.Preds, block)
		if i < 0 {
			continue
		}
		s.Preds = slices.Delete(s.Preds, i, i+1)
		for _, instr := range s.Instrs {
			if phi, ok := instr.(*ssa.Phi); ok {
				phi.Edges = slices.Delete(phi.Edges, i, i+1)
			}
		}
		if len(s.Preds) == 0 && s != fn.Blocks[0] && s != fn.Recover {
			leaveOff(fn, s)
		}
	}
}
