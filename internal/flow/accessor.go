package flow

import (
	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
)

// accessor settles what a function returns that picks a handle: the transaction
// in the context, else the pool. Where a transaction is at hand it is the one;
// where nobody knows, the caller's path tells.
func accessor(f *effect.Func, r *result) {
	for i, v := range f.Returns {
		if v.Class != catalog.Either && v.Class != catalog.Tx && v.Class != catalog.Pool && v.Kind != effect.ValueChoice {
			continue
		}
		tx, pooled, open := false, false, false
		for _, e := range r.exits {
			if i >= len(e.vals) || e.err == effect.Yes {
				continue
			}
			switch e.vals[i].handle().kind {
			case txHandle:
				tx = true
			case pool:
				pooled = true
			case unknown:
				open = true
			}
		}
		if !pooled || !tx && !open {
			continue
		}
		settle(r, i, tx)
	}
}

// settle drops the exits with the pool, or their claim to know.
func settle(r *result, i int, tx bool) {
	kept := r.exits[:0:0]
	for _, e := range r.exits {
		if i < len(e.vals) && e.vals[i].kind == pool {
			if tx {
				continue
			}
			vals := append([]av(nil), e.vals...)
			vals[i] = av{}
			e.vals = vals
		}
		kept = append(kept, e)
	}
	r.exits = kept
}
