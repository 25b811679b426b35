package flow

import (
	"maps"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// live tells for each block the keys that it or a later block looks at.
func (w *Walker) live(f *effect.Func) []map[effect.Key]bool {
	if l, ok := w.lives[f.Symbol]; ok {
		return l
	}
	l := make([]map[effect.Key]bool, len(f.Blocks))
	free := map[effect.Key]bool{} // the creator of a closure reads them after it
	for i := range f.Blocks {
		l[i] = used(f, &f.Blocks[i])
		for k := range l[i] {
			if k.Kind == 'f' {
				free[k] = true
			}
		}
	}
	for i := range f.Blocks {
		maps.Copy(l[i], free)
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			for _, s := range f.Blocks[i].Succs {
				for k := range l[s] {
					if !l[i][k] {
						l[i][k] = true
						changed = true
					}
				}
			}
		}
	}
	w.lives[f.Symbol] = l
	return l
}

func used(f *effect.Func, b *effect.Block) map[effect.Key]bool {
	out := map[effect.Key]bool{}
	if b.Cond != nil {
		out[b.Cond.Key] = true
	}
	if b.Match != nil {
		out[b.Match.Key] = true
	}
	for _, p := range b.Phis {
		for _, s := range p.From {
			out[s.Key] = true
		}
	}
	for _, id := range b.Nodes {
		n := f.Nodes[id]
		out[n.Err.Key] = true
		out[n.Bool.Key] = true
		if n.Dynamic != nil {
			captured(n.Dynamic, out)
		}
		for _, a := range n.Args {
			captured(a, out)
		}
	}
	for _, id := range b.Nodes { // captured variables are read by closures
		if f.Nodes[id].Kind == effect.NodeStore && f.Nodes[id].Key.Kind == 'f' {
			out[f.Nodes[id].Key] = true
		}
	}
	delete(out, effect.Key{})
	return out
}

// captured marks the variables that a closure sees.
func captured(v *effect.Value, out map[effect.Key]bool) {
	if v == nil || v.Kind != effect.ValueClosure {
		return
	}
	for _, x := range v.Of {
		switch x.Kind {
		case effect.ValueCell:
			out[effect.Key{Kind: 'm', A: x.Index}] = true
			out[effect.Key{Kind: 'm', A: x.Index, Bool: true}] = true
		case effect.ValueFree:
			out[effect.Key{Kind: 'f', A: x.Index}] = true
			out[effect.Key{Kind: 'f', A: x.Index, Bool: true}] = true
		}
	}
}
