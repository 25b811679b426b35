package effect

import (
	"go/constant"
	"go/token"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// textDepth bounds how far a text is followed.
const textDepth = 8

// textBudget bounds the values looked at for one text: in a variable that is
// added to again and again each addition leads to all others.
const textBudget = 2000

// text is what is known of a string: constants, concatenation, the format of a
// Sprintf, a variable of the package that is set once. The rest are holes.
func (b *builder) text(v ssa.Value, depth int) []sqltext.Part {
	hole := []sqltext.Part{sqltext.Hole()}
	if depth == textDepth {
		b.textBudget = textBudget
	}
	if b.textBudget--; depth == 0 || b.textBudget < 0 {
		return hole
	}
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value != nil && x.Value.Kind() == constant.String {
			return []sqltext.Part{sqltext.Text(constant.StringVal(x.Value))}
		}
	case *ssa.BinOp:
		if x.Op == token.ADD {
			return append(b.text(x.X, depth-1), b.text(x.Y, depth-1)...)
		}
	case *ssa.Phi:
		return b.firstKnown(x.Edges, depth-1)
	case *ssa.Convert:
		return b.text(x.X, depth-1)
	case *ssa.ChangeType:
		return b.text(x.X, depth-1)
	case *ssa.MakeInterface:
		return b.text(x.X, depth-1)
	case *ssa.Extract:
		return hole
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return b.loadText(x.X, depth-1)
		}
	case *ssa.Call:
		return b.callText(x, depth-1)
	case *ssa.Parameter: // of a function that makes the text from what it is given
		if a := b.textGiven[x]; a != nil {
			return b.text(a, depth-1)
		}
	}
	return hole
}

func (b *builder) firstKnown(vs []ssa.Value, depth int) []sqltext.Part {
	for _, v := range vs {
		if _, ok := v.(*ssa.Phi); ok {
			continue
		}
		if t := b.text(v, depth); len(t) > 0 && t[0].Known && strings.ContainsFunc(t[0].Text, unicode.IsLetter) {
			return t
		}
	}
	return []sqltext.Part{sqltext.Hole()}
}

func (b *builder) loadText(x ssa.Value, depth int) []sqltext.Part {
	switch a := x.(type) {
	case *ssa.Global:
		if v := b.p.initial(a); v != nil {
			return b.text(v, depth)
		}
	case *ssa.Alloc:
		return b.firstKnown(b.stores[a], depth)
	case *ssa.FreeVar:
		return b.firstKnown(capturedStores(a), depth)
	}
	return []sqltext.Part{sqltext.Hole()}
}

// capturedStores are what the enclosing function stores in a captured variable.
func capturedStores(v *ssa.FreeVar) []ssa.Value {
	fn := v.Parent()
	index := slices.Index(fn.FreeVars, v)
	if fn.Parent() == nil || index < 0 {
		return nil
	}
	var out []ssa.Value
	for _, block := range fn.Parent().Blocks {
		for _, instr := range block.Instrs {
			m, ok := instr.(*ssa.MakeClosure)
			if !ok || m.Fn != fn {
				continue
			}
			switch x := m.Bindings[index].(type) {
			case *ssa.Alloc:
				out = append(out, storedIn(x)...)
			case *ssa.FreeVar:
				out = append(out, capturedStores(x)...)
			}
		}
	}
	return out
}

// storedIn are the values that a function stores at an address.
func storedIn(addr ssa.Value) []ssa.Value {
	var out []ssa.Value
	for _, r := range *addr.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == addr {
			out = append(out, s.Val)
		}
	}
	return out
}

// callText: what fmt.Sprintf makes, strings.TrimSpace's argument, and functions
// that return one constant.
func (b *builder) callText(c *ssa.Call, depth int) []sqltext.Part {
	fn := c.Call.StaticCallee()
	if fn == nil || depth <= 0 {
		return []sqltext.Part{sqltext.Hole()}
	}
	if fn.Pkg != nil && fn.Signature.Recv() == nil {
		switch fn.Pkg.Pkg.Path() + "." + fn.Name() {
		case "fmt.Sprintf":
			return b.formatted(c, depth)
		case "strings.TrimSpace", "strings.ReplaceAll", "strings.Replace", "github.com/jmoiron/sqlx.Rebind":
			return b.text(c.Call.Args[0], depth)
		}
	}
	if fn.Name() == "Rebind" && len(c.Call.Args) == 2 {
		return b.text(c.Call.Args[1], depth)
	}
	if fn.Parent() == nil && len(fn.Params) == len(c.Call.Args) {
		for i, q := range fn.Params {
			if isString(q.Type()) && b.textGiven[q] == nil {
				b.textGiven[q] = c.Call.Args[i]
				defer delete(b.textGiven, q)
			}
		}
	}
	return b.returnedText(fn, depth)
}

func (b *builder) returnedText(fn *ssa.Function, depth int) []sqltext.Part {
	for _, block := range fn.Blocks {
		if len(block.Instrs) == 0 {
			continue
		}
		if r, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok && len(r.Results) > 0 {
			return b.text(r.Results[0], depth-1)
		}
	}
	return []sqltext.Part{sqltext.Hole()}
}
