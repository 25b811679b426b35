package assignstate

import (
	"slices"
	"strings"
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

// stays reports whether a state that a row holds is one that a message which sets another
// can only meet if it is late.
func stays(held, set string) bool {
	if held == set {
		return true // nothing is lost
	}
	x := stageOf(held)
	switch stageOf(set) {
	case open, won:
		return x == refused || x == ended || x == reversed
	case failed:
		return x == won || x == refused || x == ended || x == reversed
	case refused:
		return x == refused || x == ended || x == reversed
	case ended:
		return x == refused || x == reversed
	}
	return false
}

// kept are the known states, in order, that none of the values which are set may replace;
// none if that is no more than what is set anyway.
func kept(values, known []string) []string {
	var out []string
	others := false
	for _, held := range known {
		if held == "" || slices.Contains(out, held) || slices.ContainsFunc(values, func(set string) bool { return !stays(held, set) }) {
			continue
		}
		out = append(out, held)
		others = others || len(values) != 1 || values[0] != held
	}
	if !others {
		return nil
	}
	if len(values) == 1 { // the same again is no change
		out = slices.DeleteFunc(out, func(s string) bool { return s == values[0] })
	}
	slices.Sort(out)
	return out
}
