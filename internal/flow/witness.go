package flow

import (
	"slices"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// Level is one call on the way down to an effect.
type Level struct {
	Func *effect.Func
	Node *effect.Node
}

// Witness is the place at which a bit was set: the calls on the way down from
// the function that the path is in to the library's function.
type Witness struct {
	Path   []Level
	Effect *effect.Effect
	// Dropped says that an error on the way is not looked at.
	Dropped bool
}

// Node is the call in the function that the path is in.
func (w Witness) Node() *effect.Node {
	if len(w.Path) == 0 {
		return nil
	}
	return w.Path[0].Node
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

// put keeps the first witness of a bit.
func (ws *witnesses) put(k scoped, w Witness) {
	if _, ok := ws.get(k); !ok {
		*ws = append(*ws, witnessed{k, w})
	}
}

func (ws *witnesses) drop(gone func(scoped) bool) {
	*ws = slices.DeleteFunc(*ws, func(x witnessed) bool { return gone(x.scoped) })
}
