package effect

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// KeyedOp is what is done to a key.
type KeyedOp byte

// The operations.
const (
	Recalls   KeyedOp = 'r' // looks it up
	Remembers KeyedOp = 'w' // sets it
	Claims    KeyedOp = 'c' // sets it unless it is set, and tells
	Forgets   KeyedOp = 'd' // deletes it
	Scripts   KeyedOp = 's' // may do any of these
)

// Keyed is what a call does to a key of a store that is not the database: a map, a
// cache, Redis.
type Keyed struct {
	Op KeyedOp
	// Store names it: the field or variable of a map, or else the library.
	Store string
	// Memory: it is gone when the process ends.
	Memory bool
	// Key is what the key is made from.
	Key *Lineage
}

// keyed is what the catalog or the standard library says of a call.
func (b *builder) keyed(n *Node, c *ssa.CallCommon) *Keyed {
	if n.Entry != nil {
		op := keyedOp(n.Entry.Kind)
		if op == 0 {
			return nil
		}
		k := &Keyed{Op: op, Store: n.Entry.Library, Memory: n.Entry.Broker == "memory"}
		if x := ssaArg(c, n.Entry.Key); x != nil {
			k.Key = b.lineage(x)
		}
		return k
	}
	if fn, ok := c.Value.(*ssa.Builtin); ok {
		if store := b.deletes(fn, c); store != "" {
			return &Keyed{Op: Forgets, Store: store, Memory: true, Key: b.lineage(c.Args[1])}
		}
		return nil
	}
	return b.syncMap(c)
}

func keyedOp(k catalog.Kind) KeyedOp {
	switch k {
	case catalog.Dedupe:
		return Claims
	case catalog.Recall:
		return Recalls
	case catalog.Remember:
		return Remembers
	case catalog.Forget:
		return Forgets
	case catalog.Script:
		return Scripts
	}
	return 0
}

func (b *builder) deletes(fn *ssa.Builtin, c *ssa.CallCommon) string {
	if fn.Name() != "delete" || len(c.Args) != 2 {
		return ""
	}
	return b.sharedMap(c.Args[0])
}

// syncMap: the standard library's map is in no catalog file, since a package that
// uses a catalogued one is read in full.
func (b *builder) syncMap(c *ssa.CallCommon) *Keyed {
	fn := c.StaticCallee()
	if fn == nil || fn.Signature.Recv() == nil || len(c.Args) < 2 {
		return nil
	}
	n := namedOf(fn.Signature.Recv().Type())
	if n == nil || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "sync" || n.Obj().Name() != "Map" {
		return nil
	}
	store := placeKey(c.Args[0])
	if store == "" {
		return nil
	}
	k := &Keyed{Store: store, Memory: true, Key: b.lineage(c.Args[1])}
	switch fn.Name() {
	case "Load":
		k.Op = Recalls
	case "Store", "Swap":
		k.Op = Remembers
	case "LoadOrStore", "CompareAndSwap":
		k.Op = Claims
	case "Delete", "LoadAndDelete":
		k.Op = Forgets
	default:
		return nil
	}
	return k
}

// sharedMap names a map that is kept in a field or a variable of the package, ""
// for any other.
func (b *builder) sharedMap(v ssa.Value) string {
	if _, ok := v.Type().Underlying().(*types.Map); !ok {
		return ""
	}
	u, ok := v.(*ssa.UnOp)
	if !ok || u.Op != token.MUL {
		return ""
	}
	if a, ok := u.X.(*ssa.FieldAddr); ok && !b.ofModule(a.X.Type()) {
		return ""
	}
	return placeKey(u.X)
}

// mapNode is a lookup in a shared map, or a change of it.
func (b *builder) mapNode(pos token.Pos, op KeyedOp, m, key ssa.Value) *Node {
	store := b.sharedMap(m)
	return &Node{
		Pos: b.p.position(pos), Text: shortKey(store),
		Keyed: &Keyed{Op: op, Store: store, Memory: true, Key: b.lineage(key)},
	}
}

// ofModule: a type of the code that is read, and not of a library.
func (b *builder) ofModule(t types.Type) bool {
	n := namedOf(t)
	return n != nil && n.Obj().Pkg() != nil && b.p.own(n.Obj().Pkg())
}
