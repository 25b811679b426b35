package effect

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// makerDepth is how far the makers of errors are followed through each other.
const makerDepth = 3

// maker says what a function makes of an error that it is given.
type maker byte

// The makers: of any result, of errors that are never nil, and of errors that are
// nil where the argument is.
const (
	anyError maker = iota
	neverNil
	nilForNil
)

// makerOf tells from the body of a function which errors it returns, with the index
// of the argument for nilForNil. Bodies that aren't there tell nothing.
func makerOf(fn *ssa.Function, depth int) (maker, int) {
	if fn == nil || depth == 0 || len(fn.Blocks) == 0 || fn.Signature.Results().Len() != 1 || !isError(fn.Signature.Results().At(0).Type()) {
		return anyError, 0
	}
	param := slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return isError(p.Type()) })
	passes, returns := false, false
	for _, block := range fn.Blocks {
		r, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		returns = true
		switch v := r.Results[0]; {
		case madeError(v, depth):
		case param >= 0 && (v == fn.Params[param] || isNil(v) && onlyNil(block, fn.Params[param])):
			passes = true
		default:
			return anyError, 0
		}
	}
	switch {
	case !returns:
		return anyError, 0
	case passes:
		return nilForNil, param
	}
	return neverNil, 0
}

// madeError: the value is an error that somebody has made, and no nil.
func madeError(v ssa.Value, depth int) bool {
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.ChangeInterface:
		return madeError(x.X, depth)
	case *ssa.UnOp:
		return variableOf(x) != nil
	case *ssa.Call:
		if makesError(x.Common()) {
			return true
		}
		m, _ := makerOf(x.Call.StaticCallee(), depth-1)
		return m == neverNil
	case *ssa.Phi:
		return depth > 0 && !slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return !madeError(e, depth-1) })
	}
	return false
}

// joinsSentinel: errors.Join(ErrFatal, err) is no nil, and neither is that of an error
// which is known for none where it is joined.
func (b *builder) joinsSentinel(c *ssa.Call) bool {
	fn := c.Call.StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg.Path() != "errors" || fn.Name() != "Join" {
		return false
	}
	errs, _ := elementsOf(c.Call.Args[0])
	return slices.ContainsFunc(errs, func(v ssa.Value) bool { return variableOf(v) != nil || only(c.Block(), v, token.NEQ) })
}

// makesError: the constructors of errors, which return no nil.
func makesError(c *ssa.CallCommon) bool {
	fn := c.StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Signature.Recv() != nil {
		return false
	}
	switch fn.Pkg.Pkg.Path() {
	case "errors":
		return fn.Name() == "New"
	case "fmt":
		return fn.Name() == "Errorf"
	case "github.com/pkg/errors":
		return fn.Name() == "New" || fn.Name() == "Errorf"
	case "google.golang.org/grpc/status":
		return fn.Name() == "Error" || fn.Name() == "Errorf"
	}
	return false
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// onlyNil: a block is reached only where an error is nil.
func onlyNil(block *ssa.BasicBlock, err ssa.Value) bool { return only(block, err, token.EQL) }

// only: a block is reached only where an error compares with nil in a way.
func only(block *ssa.BasicBlock, err ssa.Value, way token.Token) bool {
	for _, from := range block.Parent().Blocks {
		branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		x, ok := branch.Cond.(*ssa.BinOp)
		if !ok || x.X != err || !isNil(x.Y) || x.Op != token.EQL && x.Op != token.NEQ {
			continue
		}
		to := from.Succs[0]
		if x.Op != way {
			to = from.Succs[1]
		}
		if len(to.Preds) == 1 && to.Dominates(block) {
			return true
		}
	}
	return false
}
