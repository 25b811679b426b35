package effect

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A mediator hands a request to the handler that is registered for its type:
// mediatr.Send[*CreateProduct, *Created](ctx, command) runs the Handle method that
// takes a *CreateProduct. Like other long ways it counts for handlers alone.

// mediated is the type of the request that a call hands to a mediator, "" for
// another call.
func mediated(fn *ssa.Function) string {
	origin := fn.Origin()
	if origin == nil || origin.Pkg == nil || len(fn.TypeArgs()) == 0 || fn.Signature.Params().Len() != 2 {
		return ""
	}
	if name := fn.Name(); !strings.HasPrefix(name, "Send") && !strings.HasPrefix(name, "Publish") {
		return ""
	}
	if base := pathBase(origin.Pkg.Pkg.Path()); !strings.Contains(base, "mediatr") && !strings.Contains(base, "mediator") {
		return ""
	}
	return types.TypeString(fn.TypeArgs()[0], nil)
}

// mediate shifts the arguments to where the handler's method has its parameters.
func (n *Node) mediate() {
	n.Args = append([]*Value{{}}, n.Args...)
	if n.From != nil {
		n.From = append([]*Lineage{nil}, n.From...)
	}
}

// linkMediated finds the methods that take a mediator's requests.
func (p *packageBuilder) linkMediated() {
	asked := map[string]bool{}
	for _, f := range p.out.Funcs {
		for _, n := range f.Nodes {
			if n != nil && n.Mediated != "" {
				asked[n.Mediated] = true
			}
		}
	}
	if len(asked) == 0 {
		return
	}
	for _, t := range p.concreteTypes().byMethod["Handle"] {
		sel := p.prog.MethodSets.MethodSet(t).Lookup(nil, "Handle")
		if sel == nil || isDouble(t) {
			continue
		}
		params := sel.Obj().(*types.Func).Signature().Params()
		if params.Len() != 2 || !isContext(params.At(0).Type()) {
			continue
		}
		request := types.TypeString(params.At(1).Type(), nil)
		fn := p.prog.MethodValue(sel)
		if !asked[request] || fn == nil || len(fn.Blocks) == 0 {
			continue
		}
		p.reach(fn)
		if s := symbolOf(fn); !slices.Contains(p.out.Mediated[request], s) {
			p.out.Mediated[request] = append(p.out.Mediated[request], s)
		}
	}
	p.drain()
}
