package flow

import (
	"slices"
	"strings"

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
	for at > 0 && kin(w.Path[at].Func, w.Path[level].Func) && isStore(w.Path[level].Func) { // a store's own helper
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
	return f.Package != w.Path[level].Func.Package && isStore(f) && isStore(w.Path[level].Func)
}

// isStore tells by the name of its type what keeps things.
func isStore(f *effect.Func) bool {
	l := strings.ToLower(receiver(f))
	return slices.ContainsFunc([]string{"repository", "repo", "store", "storage", "dao"}, func(w string) bool { return strings.HasSuffix(l, w) })
}

// kin: two functions, or methods of one type, of a package.
func kin(f, g *effect.Func) bool {
	return f.Package == g.Package && receiver(f) == receiver(g)
}

func receiver(f *effect.Func) string {
	t, _, _ := strings.Cut(strings.TrimLeft(f.Name, "(*"), ".")
	if !strings.Contains(f.Name, ".") {
		return ""
	}
	return strings.TrimRight(t, ")")
}
