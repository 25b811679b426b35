package effect

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// scanned adds the column that a call of Scan stores through one of its arguments; false
// where the statement is not known.
func (d *deriving) scanned(i ssa.CallInstruction, at *ssa.IndexAddr, out *Lineage) bool {
	c := i.Common()
	name := ""
	if c.IsInvoke() {
		name = c.Method.Name()
	} else if fn := c.StaticCallee(); fn != nil {
		name = fn.Name()
	}
	k, ok := at.Index.(*ssa.Const)
	if name != "Scan" || !ok {
		return false
	}
	recv, _ := receiverAndArgs(c)
	if x, ok := recv.(*ssa.Extract); ok {
		recv = x.Tuple
	}
	query, ok := recv.(*ssa.Call)
	if !ok {
		return false
	}
	n, _ := constant.Int64Val(constant.ToInt(k.Value))
	columns := d.b.selected(query)
	if int(n) >= len(columns) {
		return false
	}
	out.Bits |= FromStored
	out.addRef(LineageRef{Kind: RefRead, Index: d.b.ids[query], Field: columns[n]})
	return true
}

// selected are the columns that a query hands back.
func (b *builder) selected(query *ssa.Call) []string {
	if got, ok := b.queries[query]; ok {
		return got
	}
	var out []string
	if e := b.entryOf(query.Common()); e != nil && e.Kind == catalog.SQL {
		if v := textArg(query.Common(), e.SQL); v != nil {
			out = sqltext.Parse(b.text(v, textDepth)...)[0].Selected
		}
	}
	b.queries[query] = out
	return out
}

// scannedBehind adds what a row that is behind an interface of the module's own stores in a
// variable: Scan(...any) error of what a function takes that scans a row and one of many
// alike. The field or variable says what the column is called.
func (d *deriving) scannedBehind(i ssa.CallInstruction, into ssa.Value, out *Lineage) bool {
	c := i.Common()
	if !c.IsInvoke() || c.Method.Name() != "Scan" {
		return false
	}
	sig := c.Method.Signature()
	if !sig.Variadic() || sig.Params().Len() != 1 || sig.Results().Len() != 1 || !isError(sig.Results().At(0).Type()) {
		return false
	}
	if m, ok := into.(*ssa.MakeInterface); ok {
		into = m.X
	}
	name := ""
	switch x := into.(type) {
	case *ssa.FieldAddr:
		name = fieldName(x.X.Type(), x.Field)
	case *ssa.Alloc:
		name = x.Comment
	}
	out.Bits |= FromStored
	for _, r := range d.of(c.Value).flat().Refs {
		if r.Field == "" {
			r.Field = name
		}
		out.addRef(r)
	}
	return true
}
