package effect

import (
	"go/types"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// carries reports whether values of a type can be or hold a handle or a
// function. Others (an order, an id, a time) are not followed.
func (c *classes) carries(t types.Type, depth int) bool {
	if t == nil || depth == 0 {
		return false
	}
	if got, ok := c.carry[t]; ok {
		return got
	}
	c.carry[t] = false // cuts recursion
	got := c.computeCarries(t, depth)
	if got || depth == carryDepth {
		c.carry[t] = got
	} else {
		delete(c.carry, t)
	}
	return got
}

const carryDepth = 4

func (c *classes) computeCarries(t types.Type, depth int) bool {
	if t, ok := t.(*types.Tuple); ok { // of a comma-ok form, taken apart later
		return t.Len() > 0 && c.carries(t.At(0).Type(), depth)
	}
	if cl := c.of(t); cl != "" && cl != catalog.Message {
		return true
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && c.cat.HasPackage(n.Obj().Pkg().Path()) {
		return c.of(t) != catalog.Message
	}
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return true
	case *types.Interface:
		return !isError(t) && (u.NumMethods() > 0 || depth == carryDepth)
	case *types.Pointer:
		return c.carries(u.Elem(), depth)
	case *types.Slice:
		return c.carries(u.Elem(), depth-1)
	case *types.Array:
		return c.carries(u.Elem(), depth-1)
	case *types.Map:
		return c.carries(u.Elem(), depth-1)
	case *types.Struct:
		for f := range u.Fields() {
			if c.carries(f.Type(), depth-1) {
				return true
			}
		}
	}
	return false
}
