package effect

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// purpose is the kind of a catalogued publish by what it is given and where it
// stands.
//
// A message to a person is a side effect. A hint is what goes to a broker that
// keeps it for nobody, from a function that tells nobody of the failure: who
// wrote it counts on no one to get it.
func (n *Node) purpose(e *catalog.Entry, f *Func) catalog.Kind {
	switch {
	case e.Kind != catalog.Publish:
	case e.Recipient != "" && n.arg(e.Payload).sets(e.Recipient):
		return catalog.SideEffect
	case e.Transient && !f.Answers():
		return catalog.Notify
	}
	return e.Kind
}

// sets reports whether a struct that is made in the function is given a field.
func (v *Value) sets(field string) bool {
	if v == nil {
		return false
	}
	return v.Kind == ValueStruct && slices.Contains(v.Names, field) ||
		v.Kind != ValueStruct && slices.ContainsFunc(v.Of, func(o *Value) bool { return o.sets(field) })
}

// Answers reports whether a function can tell somebody of a failure: it returns
// an error, or serves a request.
func (f *Func) Answers() bool {
	return f.ErrResult >= 0 || slices.ContainsFunc(f.Params, func(p Param) bool { return p.Request })
}

// expires reports whether the function lets the messages of a topic expire: what
// is put into a list that is kept for a while is a buffer, whose readers look it
// up, and no queue.
func (b *builder) expires(topic ssa.Value) bool {
	if topic == nil {
		return false
	}
	for _, block := range b.fn.Blocks {
		for _, i := range block.Instrs {
			c, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			e := b.entryOf(c.Common())
			if e == nil || e.Kind != catalog.Ignore || e.Expires == catalog.NoArg {
				continue
			}
			if same(ssaArg(c.Common(), e.Expires), topic) {
				return true
			}
		}
	}
	return false
}

// same: one value, or equal constants.
func same(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok := a.(*ssa.Const)
	y, ok2 := b.(*ssa.Const)
	return ok && ok2 && x.Value != nil && y.Value != nil && constant.Compare(x.Value, token.EQL, y.Value)
}
