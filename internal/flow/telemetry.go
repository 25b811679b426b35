package flow

import (
	"slices"
	"strings"
	"unicode"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// This file tells by names what a call is for. A name is the last resort, and
// here it only ever silences.

// Journal: the calls write or publish log or audit entries.
func (w Witness) Journal() bool {
	return slices.ContainsFunc(w.Path, func(l Level) bool { return isJournal(l.Func.Name) || isJournal(l.Node.Text) })
}

// Journal: the same of the way of a delivery.
func (w *Way) Journal() bool { return Witness{Path: w.Path}.Journal() }

// Telemetry: the calls publish measurements, or tell caches to forget.
func (w Witness) Telemetry() bool { return w.named(telemetry()...) }

// Measures: by its name, a function publishes measurements or tells caches to forget.
func Measures(f *effect.Func) bool { return named([]string{f.Name}, telemetry()) }

func telemetry() []string {
	return []string{"telemetry", "metric", "payloadtracker", "trackpayload", "heartbeat", "invalidat", "refreshcache", "clearcache", "purgecache", "evict"}
}

// IsEventLog tells by its name a function that appends to, or reads, a log of events
// which is the state, and not what tells of it: a method of a type that is called a log, a
// journal or an event store.
func IsEventLog(f *effect.Func, verbs ...string) bool {
	owner, method, ok := strings.Cut(strings.ToLower(strings.TrimLeft(f.Name, "(*")), ").")
	return ok && slices.ContainsFunc([]string{"log", "journal", "eventstore"}, func(x string) bool { return strings.HasSuffix(owner, x) }) &&
		slices.ContainsFunc(verbs, func(v string) bool { return strings.HasPrefix(method, v) })
}

// ReadsLog: a log of events hands its messages on, one after the other, in the order in which
// they were appended.
func (w *Ways) ReadsLog(way *Way) bool {
	return slices.ContainsFunc(way.Path, func(l Level) bool { return readsLog(l.Func) }) || w.loggedBy(way.Path[0].Func.Symbol, 2)
}

// loggedBy: what calls the function, or the value of a method, reads such a log.
func (w *Ways) loggedBy(symbol string, depth int) bool {
	return depth > 0 && slices.ContainsFunc(w.prog.Callers[symbol], func(c string) bool {
		f := w.prog.Funcs[c]
		return readsLog(f) || f.Synthetic && w.loggedBy(c, depth-1)
	})
}

func readsLog(f *effect.Func) bool {
	return IsEventLog(f, "tail", "replay", "follow", "stream", "subscribe", "read", "rebuild", "project", "catchup")
}

// Unanswered: the function of the place, or one below it, has no way to tell that what it does has failed.
func (w Witness) Unanswered() bool {
	return slices.ContainsFunc(w.Path[w.Depth():], func(l Level) bool { return !l.Func.Answers() })
}

// DeadLetter: the calls put a message away that can't be handled.
func (w Witness) DeadLetter() bool { return w.named("dlq", "deadletter") }

// named reports whether a call, a constant argument or the type of a payload has
// one of the words in its name.
func (w Witness) named(words ...string) bool { return named(w.names(), words) }

func named(names, words []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		l := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(n))
		return slices.ContainsFunc(words, func(x string) bool { return strings.Contains(l, x) })
	})
}

func (w Witness) names() []string {
	var names []string
	for i, l := range w.Path {
		names = append(names, l.Node.Text)
		for j, a := range l.Node.Args {
			if a.Kind == effect.ValueConst {
				names = append(names, a.Name)
			}
			// the payload of a wrapper that takes any
			if i+1 < len(w.Path) && j < len(w.Path[i+1].Func.Params) && w.Path[i+1].Func.Params[j].Type != a.Type {
				names = append(names, a.Type)
			}
		}
	}
	return names
}

func isJournal(name string) bool {
	for w := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
		l := strings.ToLower(w)
		if strings.HasPrefix(l, "audit") || strings.HasSuffix(l, "audit") {
			return true
		}
		if rest, ok := strings.CutPrefix(w, "Log"); ok && rest != "" && unicode.IsUpper(rune(rest[0])) {
			return true
		}
		if i := strings.Index(w, "Log"); i > 0 && (i+3 == len(w) || unicode.IsUpper(rune(w[i+3])) || w[i+3:] == "s") {
			return true
		}
		if rest, ok := strings.CutPrefix(w, "log"); ok && rest != "" && unicode.IsUpper(rune(rest[0])) {
			return true
		}
	}
	return false
}
