package effect

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Side names the branch that is taken when what was asked for is there.
type Side byte

// The sides: Succs[0] or Succs[1] of the block, or either, since a comparison may
// mean both.
const (
	SideTrue Side = 1 + iota
	SideFalse
	SideEither
)

// Fork is what a branch depends on.
type Fork struct {
	From *Lineage
	// Found is the branch that is taken when something was there.
	Found Side
	// Looked: the answer is one of a look into a map, or of a call whose body was not
	// read.
	Looked bool
	// Ordered: it asks which of two times is later.
	Ordered bool
	// Op is the operator of a comparison, Consts the constant compared with.
	Op     string
	Consts []string
	Pos    Position
}

// fork says what a condition asks; nil where it says nothing of data: how a call
// went, the length of a list against another.
func (b *builder) fork(v ssa.Value, depth int) *Fork {
	if depth == 0 {
		return nil
	}
	switch x := v.(type) {
	case *ssa.Const:
		return nil
	case *ssa.UnOp:
		if x.Op == token.NOT {
			return b.fork(x.X, depth-1).flipped()
		}
	case *ssa.BinOp:
		return b.forkAtCompare(x)
	case *ssa.Call:
		if of, found := errorKind(x); of != nil {
			return b.forkAtError(of, found)
		} else if found != 0 {
			return nil
		}
		out := b.forking(SideEither, b.unread(x), x)
		if out != nil {
			out.Ordered = ordersTimes(x)
		}
		return out
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.Lookup:
			return b.forking(SideTrue, true, t.X, t.Index)
		case *ssa.Call:
			return b.forking(SideEither, b.unread(t), x)
		}
		return nil
	}
	return b.forking(SideEither, false, v)
}

func ordersTimes(c *ssa.Call) bool {
	fn := c.Call.StaticCallee()
	return fn != nil && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "time" && (fn.Name() == "After" || fn.Name() == "Before") && len(c.Call.Args) == 2
}

// unread: a function of the module tells itself where its answer comes from.
func (b *builder) unread(c *ssa.Call) bool {
	fn := c.Call.StaticCallee()
	return fn == nil || len(fn.Blocks) == 0
}

func (f *Fork) flipped() *Fork {
	if f != nil && f.Found != SideEither {
		f.Found = SideTrue + SideFalse - f.Found
	}
	return f
}

func (b *builder) forking(found Side, looked bool, vs ...ssa.Value) *Fork {
	out := &Lineage{}
	for _, v := range vs {
		out.add(b.lineage(v).flat())
		if l, ok := v.(*ssa.Lookup); ok { // a table of what may follow what
			out.add(b.lineage(l.Index).flat())
		}
	}
	out.Bits &^= FromConst
	if out.empty() {
		return nil
	}
	return &Fork{From: out, Found: found, Looked: looked}
}

func (b *builder) forkAtCompare(x *ssa.BinOp) *Fork {
	v, c := x.X, x.Y
	op := x.Op
	if _, ok := v.(*ssa.Const); ok {
		v, c, op = c, v, mirrored(op)
	}
	k, ok := c.(*ssa.Const)
	switch {
	case isError(v.Type()) && ok && k.Value == nil:
		return b.forkAtError(v, side(op == token.EQL))
	case isError(v.Type()):
		found := sentinelSide(c)
		if found == 0 {
			return nil
		}
		if op == token.NEQ {
			found = SideTrue + SideFalse - found
		}
		return b.forkAtError(v, found)
	case ok && k.Value == nil:
		return b.forking(side(op == token.NEQ), false, v)
	}
	if list := lengthOf(v); list != nil {
		if !ok {
			return nil
		}
		return b.forking(side(!emptiness(op, k)), false, list)
	}
	if lengthOf(c) != nil {
		return nil
	}
	if ok && isZero(k) && (op == token.EQL || op == token.NEQ) {
		if _, named := types.Unalias(v.Type()).(*types.Named); !named {
			return b.forking(side(op == token.NEQ), false, v)
		}
	}
	out := b.forking(SideEither, false, v, c)
	if out != nil {
		out.Op = op.String()
		if ok {
			out.Consts = constLineage(k).Consts
		}
	}
	return out
}

func side(onTrue bool) Side {
	if onTrue {
		return SideTrue
	}
	return SideFalse
}

// lengthOf is the list whose length a value is.
func lengthOf(v ssa.Value) ssa.Value {
	if c, ok := v.(*ssa.Call); ok && builtin(&c.Call) == "len" {
		return c.Call.Args[0]
	}
	return nil
}

// emptiness reports whether a length compared so is one of nothing: == 0, < 1.
func emptiness(op token.Token, k *ssa.Const) bool {
	n, _ := constant.Int64Val(constant.ToInt(k.Value))
	switch op {
	case token.EQL:
		return n == 0
	case token.LSS, token.LEQ:
		return true
	}
	return false
}

func isZero(k *ssa.Const) bool {
	switch k.Value.Kind() {
	case constant.String:
		return constant.StringVal(k.Value) == ""
	case constant.Int, constant.Float:
		return constant.Sign(k.Value) == 0
	}
	return false
}

// forkAtError: whether a call failed tells whether what it looked for was there.
func (b *builder) forkAtError(err ssa.Value, found Side) *Fork {
	if e, ok := err.(*ssa.Extract); ok {
		if c, ok := e.Tuple.(*ssa.Call); ok && e.Index > 0 {
			out := b.from.call(c, 0).flat()
			if out.empty() {
				return nil
			}
			return &Fork{From: out, Found: found, Looked: b.unread(c)}
		}
	}
	if u, ok := err.(*ssa.UnOp); ok { // tx.First(&x).Error
		if f, ok := u.X.(*ssa.FieldAddr); ok {
			return b.forking(found, true, f.X)
		}
	}
	if c, ok := err.(*ssa.Call); ok { // row.Scan(&x)
		return b.forking(found, true, operandsOf(&c.Call)...)
	}
	return nil
}

// errorKind reads errors.Is(err, ErrX) and predicates on errors: what is asked
// about, and on which side the thing was there. found without a value says that it
// is a question about an error that tells nothing of that.
func errorKind(c *ssa.Call) (of ssa.Value, found Side) {
	args := c.Call.Args
	if len(args) == 0 || !isError(args[0].Type()) {
		return nil, 0
	}
	if len(args) > 1 {
		found = sentinelSide(args[1])
	} else if fn := c.Call.StaticCallee(); fn != nil {
		found = nameSide(fn.Name())
	}
	if found == 0 {
		return nil, SideEither
	}
	return args[0], found
}

func sentinelSide(v ssa.Value) Side {
	if g := variableOf(v); g != nil {
		return nameSide(g.Name())
	}
	return 0
}

// nameSide tells by the name of an error or a predicate on one.
func nameSide(name string) Side {
	l := strings.ToLower(name)
	switch {
	case hasAny(l, "notfound", "norows", "nodocument", "notexist", "noitem", "nil", "missing"):
		return SideFalse
	case hasAny(l, "dup", "already", "exist", "conflict", "unique", "processed", "idempot"):
		return SideTrue
	}
	return 0
}
