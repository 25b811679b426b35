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

// asksOutside reports whether a call is one of a generated client of a service: its
// last arguments are options of gRPC's calls.
func asksOutside(c *ssa.CallCommon) bool {
	params := c.Signature().Params()
	return c.Signature().Variadic() && strings.HasSuffix(params.At(params.Len()-1).Type().String(), "google.golang.org/grpc.CallOption")
}

// reading notes which call reads what is stored.
func (d *deriving) reading(i ssa.CallInstruction, bits Sources, out *Lineage) {
	if id, ok := d.b.ids[i]; ok && bits.Has(FromStored) {
		out.addRef(LineageRef{Kind: RefRead, Index: id})
	}
}
