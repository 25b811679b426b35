package assignstate

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/finding"
)

// stage is how far a state is in the life of an entity, by its name.
type stage byte

const (
	// open: any other may follow.
	open stage = iota
	// failed: a further attempt may follow.
	failed
	// won: what was tried has succeeded, and no failure of it comes later.
	won
	// refused and ended: nothing follows but a reversal.
	refused
	ended
	// reversed: it was undone.
	reversed
	// toggled: it comes and goes.
	toggled
)

// stageOf tells by the words of a state's name: one that says that something is still to
// come, or under way, makes an open one of any.
func stageOf(value string) stage {
	words := wordsOf(value)
	has := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	switch {
	case has("not", "un", "non", "pending", "awaiting", "waiting", "requested", "request", "partial", "partially", "in", "to", "out", "for", "ready"),
		slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(w, "ing") }):
		return open
	case has("refunded", "refund", "reversed", "chargeback", "returned", "archived", "deleted", "compensated"):
		return reversed
	case has("cancelled", "canceled", "cancel", "rejected", "declined", "void", "voided", "aborted", "revoked"):
		return refused
	case has("completed", "complete", "delivered", "fulfilled", "finished", "finalized", "done"):
		return ended
	case has("paid", "captured", "succeeded", "success", "successful", "settled"):
		return won
	case has("failed", "fail", "failure", "expired", "error", "errored", "timeout"):
		return failed
	case has("active", "inactive", "enabled", "disabled", "online", "offline", "available", "unavailable", "busy", "free", "blocked", "locked", "unlocked", "connected", "disconnected", "suspended", "paused", "open", "opened", "reopened", "true", "false", "null"):
		return toggled
	}
	return open
}

// state is a value of a column, and the name that tells what it means: the value itself, or
// that of a constant.
type state struct {
	value, name string
	// constant is that, where the value is one of a type that lists its states.
	constant *types.Const
}

// stays reports whether a state that a row holds is one that a message which sets another
// can only meet if it is late.
func stays(held, set state) bool {
	if held.value == set.value {
		return true // nothing is lost
	}
	x := stageOf(held.name)
	switch stageOf(set.name) {
	case open:
		return x == refused || x == ended || x == reversed
	case won: // what is paid for a second time, after it was cancelled, is no old news
		return x == ended || x == reversed
	case failed:
		return x == won || x == refused || x == ended || x == reversed
	case refused:
		return x == refused || x == ended || x == reversed
	case ended:
		return x == refused || x == reversed
	}
	return false
}

// kept are the known states that none of those which are set may replace; none if that is
// no more than what is set anyway.
func kept(values, known []state) []state {
	var out []state
	for _, held := range known {
		has := func(s state) bool { return s.value == held.value }
		if held.value == "" || slices.ContainsFunc(out, has) || slices.ContainsFunc(values, func(set state) bool { return !stays(held, set) }) {
			continue
		}
		if len(values) > 1 || !has(values[0]) { // the same again is no change
			out = append(out, held)
		}
	}
	return out
}

// keptBy are the states that a statement must leave alone. Those of the type that a value
// has are known by their constants, in their order; others by what the code stores.
func keptBy(o *finding.Overwrite, listed []*types.Const) []state {
	all := statesOf(listed)
	if len(all) == 0 {
		for _, v := range o.Known {
			all = append(all, state{value: v, name: v})
		}
	}
	values := all
	if !o.Open {
		values = slices.DeleteFunc(slices.Clone(all), func(s state) bool { return !slices.Contains(o.Values, s.value) })
		if len(values) != len(o.Values) {
			return nil
		}
	} else if len(listed) == 0 {
		return nil // what a message may bring is not known
	}
	if len(values) == 0 {
		return nil
	}
	return kept(values, all)
}

// statesOf are those of constants. What a name has in common with the others' says nothing.
func statesOf(listed []*types.Const) []state {
	var out []state
	for _, c := range listed {
		s := state{value: c.Val().ExactString(), name: c.Name(), constant: c}
		if c.Val().Kind() == constant.String {
			s.value = constant.StringVal(c.Val())
			s.name = s.value
		}
		if !slices.ContainsFunc(out, func(x state) bool { return x.value == s.value }) {
			out = append(out, s)
		}
	}
	return out
}

// listOf are the constants of a named type, in their order, file by file; none where it has
// less than three: then it lists no states.
func listOf(fset *token.FileSet, t types.Type) []*types.Const {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	if b, ok := named.Underlying().(*types.Basic); !ok || b.Info()&(types.IsString|types.IsInteger) == 0 {
		return nil
	}
	var out []*types.Const
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) {
			out = append(out, c)
		}
	}
	if len(out) < 3 {
		return nil
	}
	slices.SortFunc(out, func(a, b *types.Const) int {
		x, y := fset.Position(a.Pos()), fset.Position(b.Pos())
		return cmp.Or(cmp.Compare(x.Filename, y.Filename), cmp.Compare(x.Offset, y.Offset))
	})
	return out
}
