package effect

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// answered adds that a value is what another service answers.
func (d *deriving) answered(outside bool, o *Lineage) *Lineage {
	if !outside {
		return o
	}
	out := &Lineage{Bits: FromOutside}
	out.add(o)
	return out
}

// asksOutside reports whether a call is one of a client of another service: its last
// arguments are options of gRPC's calls, or a library's method that nobody has read takes a
// context and returns something beside an error.
func asksOutside(c *ssa.CallCommon) bool {
	params, results := c.Signature().Params(), c.Signature().Results()
	if c.Signature().Variadic() && strings.HasSuffix(params.At(params.Len()-1).Type().String(), "google.golang.org/grpc.CallOption") {
		return true
	}
	fn := c.StaticCallee()
	return fn != nil && len(fn.Blocks) == 0 && fn.Signature.Recv() != nil && strings.Contains(packageOf(fn), ".") &&
		params.Len() > 0 && isContext(params.At(0).Type()) && results.Len() > 1 && isError(results.At(results.Len()-1).Type())
}

// reading notes which call reads what is stored.
func (d *deriving) reading(i ssa.CallInstruction, bits Sources, out *Lineage) {
	if id, ok := d.b.ids[i]; ok && bits.Has(FromStored) {
		out.addRef(LineageRef{Kind: RefRead, Index: id})
	}
}
