package effect

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// registers keeps what a library is given to call: functions as values of any type,
// tables of them, and options in whose fields they stand.
func (b *builder) registers(e *catalog.Entry, id int, v ssa.Value) {
	if e.Kind != catalog.Handler || v == nil {
		return
	}
	key := registeredKey(b.out.Symbol, id)
	for range 4 {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
			continue
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.UnOp:
			if a, ok := x.X.(*ssa.Alloc); ok && isStruct(a) {
				v = a
			}
		}
		break
	}
	if a, ok := v.(*ssa.Alloc); ok && isStruct(a) {
		b.p.wide[key] = append(b.p.wide[key], handlersIn(a)...)
		return
	}
	b.p.wide[key] = append(b.p.wide[key], v)
}

// handlersIn are the functions in the fields of options that speak of a handler.
func handlersIn(a *ssa.Alloc) []ssa.Value {
	var out []ssa.Value
	for _, r := range *a.Referrers() {
		f, ok := r.(*ssa.FieldAddr)
		if !ok || !strings.Contains(strings.ToLower(fieldName(a.Type(), f.Field)), "handle") {
			continue
		}
		switch pointedTo(f.Type()).Underlying().(type) {
		case *types.Signature, *types.Interface:
			out = append(out, storedIn(f)...)
		}
	}
	return out
}

func registeredKey(symbol string, node int) string { return "registered " + paramKey(symbol, node) }

// inTable are the functions that a call registers with a table or with options.
func (p *Program) inTable(f *Func, n *Node) []string {
	return p.FuncsWide[registeredKey(f.Symbol, n.ID)]
}
