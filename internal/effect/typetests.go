package effect

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// TypeTest is a branch on the type of a parameter: its first side is taken by values of
// the type.
type TypeTest struct {
	Param int
	Type  string
}

// typeTest reads the condition of a branch: a case of a type switch, or v, ok := x.(T), of
// a parameter and a concrete type; nil for any other.
func (b *builder) typeTest(cond ssa.Value) *TypeTest {
	e, ok := cond.(*ssa.Extract)
	if !ok || e.Index != 1 {
		return nil
	}
	t, ok := e.Tuple.(*ssa.TypeAssert)
	if !ok || types.IsInterface(t.AssertedType) {
		return nil
	}
	p, ok := t.X.(*ssa.Parameter)
	if !ok {
		return nil
	}
	for i, q := range b.fn.Params {
		if q == p {
			return &TypeTest{Param: i, Type: types.TypeString(t.AssertedType, nil)}
		}
	}
	return nil
}

// givenTypes are the concrete types of the arguments that a call of a function that was
// read takes as interfaces, "" for all others; nil without any.
func (b *builder) givenTypes(c *ssa.CallCommon) []string {
	fn := c.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 {
		return nil
	}
	var out []string
	for i, a := range c.Args {
		if m, ok := a.(*ssa.MakeInterface); ok && !isError(m.Type()) {
			if out == nil {
				out = make([]string, len(c.Args))
			}
			out[i] = types.TypeString(m.X.Type(), nil)
		}
	}
	return out
}
