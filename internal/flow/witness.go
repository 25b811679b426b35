package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/finding"
)

// Level is one call on the way down to an effect.
type Level struct {
	Func *effect.Func
	Node *effect.Node
}

// Finding is one at the call: an error that is proven, until the rule says otherwise.
func (l Level) Finding(rule, category string) finding.Finding {
	return finding.Finding{
		Rule: rule, Category: category, Tier: finding.Error, Evidence: finding.Proven,
		Pos: l.Node.Pos.Start(), End: l.Node.Pos.End(),
		Package: l.Func.Package, Function: l.Func.Name, Callee: l.Node.Text,
	}
}

// Witness is the place at which a bit was set: the calls on the way down from
// the function that the path is in to the library's function.
type Witness struct {
	Path   []Level
	Effect *effect.Effect
	// Dropped says that an error on the way is not looked at.
	Dropped bool
	// owner counts the levels from the function that owns what is told, down;
	// 0 for the function of the story.
	owner int
}

// Node is the call in the function that the path is in.
func (w Witness) Node() *effect.Node {
	if len(w.Path) == 0 {
		return nil
	}
	return w.Path[0].Node
}

// Depth is the level of the path that people are told of: the call in the owner,
// or within a function literal that the owner calls, defers, spawns or hands on,
// the call inside it. A goroutine's literal is the place also where a function
// of the same package between spawns it.
func (w Witness) Depth() int {
	if w.owner > 0 {
		return max(len(w.Path)-w.owner, 0)
	}
	depth := 0
	for i := 1; i < len(w.Path); i++ {
		if w.Path[i].Func.Parent == w.Path[depth].Func.Symbol && lends(w.Path[depth].Node, w.Path[i].Func.Symbol) {
			depth = i
		}
	}
	for i := depth; i+1 < len(w.Path); i++ {
		inner := w.Path[i+1].Func
		if w.Path[i].Node.Kind == effect.NodeGo && inner.Parent != "" && inner.Package == w.Path[depth].Func.Package {
			return i + 1
		}
	}
	return depth
}

// lends: a literal is called, or is among the arguments. What the receiver keeps
// runs where the receiver says.
func lends(n *effect.Node, literal string) bool {
	args := n.Args
	if n.Recv && len(args) > 0 {
		args = args[1:]
	}
	return n.Dynamic != nil || slices.ContainsFunc(args, func(v *effect.Value) bool { return names(v, literal, 4) })
}

func names(v *effect.Value, literal string, depth int) bool {
	if v == nil || depth == 0 {
		return false
	}
	switch {
	case v.Kind == effect.ValueClosure || v.Kind == effect.ValueFunc:
		return v.Name == literal
	case v.Kind == effect.ValueCell || v.Kind == effect.ValueUnknown || v.Kind == effect.ValueCall:
		return true // it may be
	}
	return slices.ContainsFunc(v.Of, func(x *effect.Value) bool { return names(x, literal, depth-1) })
}

// Place is the call that people are told of, and the function it is in.
func (w Witness) Place() Level { return w.Path[w.Depth()] }

// deep is the library's call at the end of the path.
func (w Witness) deep() *effect.Node {
	if len(w.Path) == 0 {
		return nil
	}
	return w.Path[len(w.Path)-1].Node
}

// Async says that a goroutine does it.
func (w Witness) Async() bool {
	for _, l := range w.Path {
		if l.Node.Kind == effect.NodeGo {
			return true
		}
	}
	return false
}

// maxPath bounds the levels kept; the innermost ones are kept.
const maxPath = 12

// below is the witness as a caller sees it that calls through l.
func (w Witness) below(l Level) Witness {
	path := append(make([]Level, 0, len(w.Path)+1), l)
	path = append(path, w.Path...)
	if len(path) > maxPath {
		path = append(path[:maxPath-1:maxPath-1], path[len(path)-1])
	}
	w.Path = path
	w.Dropped = w.Dropped || l.Node.Dropped
	return w
}

// witnesses are the places at which the bits of a path were set, few enough for
// a list.
type witnesses []witnessed

type witnessed struct {
	scoped
	Witness
}

func (ws witnesses) get(k scoped) (Witness, bool) {
	for i := range ws {
		if ws[i].scoped == k {
			return ws[i].Witness, true
		}
	}
	return Witness{}, false
}

// put keeps the first witness of a bit, or the last of those that are nearest.
func (ws *witnesses) put(k scoped, w Witness, nearest Bits) {
	for i := range *ws {
		if (*ws)[i].scoped == k {
			if k.bit&nearest != 0 {
				(*ws)[i].Witness = w
			}
			return
		}
	}
	*ws = append(*ws, witnessed{k, w})
}

// near takes over those of the nearest bits that other has from a later call.
func (ws witnesses) near(other witnesses, nearest Bits) {
	for i := range ws {
		if ws[i].bit&nearest == 0 {
			continue
		}
		now, ok := other.get(ws[i].scoped)
		if ok && now.Node() != nil && ws[i].Node() != nil && now.Path[0].Node.ID > ws[i].Path[0].Node.ID {
			ws[i].Witness = now
		}
	}
}

// merge takes over the witnesses that another path to the same state has of
// some bits: there each failure is a story of its own.
func (ws *witnesses) merge(from witnesses, bits Bits) {
	for _, x := range from {
		if x.tx < 0 && x.bit&bits != 0 && !ws.has(x) && len(*ws) < maxWitnesses {
			*ws = append(*ws, x)
		}
	}
}

// maxWitnesses bounds the witnesses kept of a path.
const maxWitnesses = 64

func (ws witnesses) has(x witnessed) bool {
	return slices.ContainsFunc(ws, func(y witnessed) bool {
		return y.scoped == x.scoped && len(x.Path) > 0 && len(y.Path) > 0 && y.Place().Node == x.Place().Node
	})
}

func (ws *witnesses) drop(gone func(scoped) bool) {
	*ws = slices.DeleteFunc(*ws, func(x witnessed) bool { return gone(x.scoped) })
}
