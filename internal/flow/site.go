package flow

import (
	"github.com/deliverylint/deliverylint/internal/effect"
)

// Site is the call on a way that a finding on a statement points at, which the
// function at a level makes: that of a store's method, or where the handler's own code
// makes the statement, the statement.
func (w *Way) Site(level int) Level {
	at := level - 1
	for at > 0 && (w.Path[at].Node.Pos.Line == 0 || w.wraps(at, level)) { // a wrapper that the compiler makes
		at--
	}
	for at > 0 && kin(w.Path[at].Func, w.Path[level].Func) && w.Path[level].Func.Stores() { // a store's own helper
		at--
	}
	if at < 0 || kin(w.Path[at].Func, w.Path[level].Func) {
		return w.Path[w.Literal(level)]
	}
	return w.Path[at]
}

// wraps: a store on top of a general one makes the call.
func (w *Way) wraps(at, level int) bool {
	f := w.Path[at].Func
	return f.Package != w.Path[level].Func.Package && f.Stores() && w.Path[level].Func.Stores()
}

// kin: two functions, or methods of one type, of a package.
func kin(f, g *effect.Func) bool {
	return f.Package == g.Package && f.Receiver() == g.Receiver()
}
