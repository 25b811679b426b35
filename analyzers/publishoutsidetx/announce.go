package publishoutsidetx

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// unannounced says why a write that follows a publish is not what the message
// tells of, "" if it may be. Publish first, write second is the usual order of
// much that is right (a job is queued, then its run is noted), so that
// before-write asks for more than the other stories.
func unannounced(w *flow.Walker, s *flow.Story) string {
	if s.Category != beforeWrite {
		return ""
	}
	publish, write := s.First, s.Second
	switch {
	case publish.Async() || write.Async():
		return "a goroutine runs one of the two: they have no order"
	case len(publish.Path) == 1 && publish.Node() != write.Node() && write.Node().Uses(publish.Node()): // a helper may return what it has changed
		return "what is written is what the publish has returned"
	case publish.Node() == write.Node():
		return "the two belong to different rounds"
	case write.Effect.Op == catalog.Delete || names(write, false, endWords()):
		if !names(publish, false, endWords()) {
			return "the rows that are deleted are those that were worked off"
		}
	case len(publish.Node().Origins) > 0 && len(write.Node().Origins) > 0 && !publish.Node().Shares(write.Node()):
		return "what is written has nothing in common with what was published"
	case names(write, true, progressWords()) || isEventRow(write):
		return "by its name the write notes how far the work has come"
	case marked(s):
		return "the value was marked as published before it is written"
	}
	return aftermath(w, s)
}

// aftermath says why a write belongs to what comes after the publish: it notes
// that it was done, answers for itself, or has its own failure told.
func aftermath(w *flow.Walker, s *flow.Story) string {
	publish, write := s.First, s.Second
	switch {
	case write.Effect.IgnoresDuplicates():
		return "a row that is only inserted where there is none remembers the publish"
	case len(write.Path) > 1 && !write.Node().ErrResult && !write.Node().BoolResult:
		return "the caller doesn't learn whether the write failed: it is a matter of its own"
	case publishes(write):
		return "by its name the write is a second copy of the message"
	case write.Effect.Op == catalog.Insert && !publish.Node().Knows(write.Node()):
		return "what is inserted is made after the publish, from the same data"
	case w.Ends(s.Func.Symbol, unsaved|retorted):
		return "if the write fails, another message says so"
	}
	return ""
}

// publishes reports whether by its name the call that writes is a publish.
func publishes(write flow.Witness) bool {
	name := write.Node().Text
	in := words(name[strings.LastIndexByte(name, '.')+1:])
	return len(in) > 0 && in[0] == "publish"
}

// names reports whether the calls of a witness, or with tables what it writes,
// have a word in their names.
func names(w flow.Witness, tables bool, words []string) bool {
	var in []string
	for _, l := range w.Path {
		in = append(in, l.Node.Text, l.Func.Name)
	}
	if tables {
		in = append(in, w.Effect.Names()...)
	}
	return slices.ContainsFunc(in, func(n string) bool { return containsAny(strings.ToLower(n), words) })
}

// isEventRow: the row that is inserted is itself an event that people read.
func isEventRow(w flow.Witness) bool {
	return w.Effect.Op == catalog.Insert && slices.ContainsFunc(w.Effect.Names(), func(n string) bool {
		return strings.EqualFold(n, "event") || strings.EqualFold(n, "events")
	})
}

func progressWords() []string {
	return []string{
		"metadata", "progress", "cursor", "checkpoint", "offset", "attempt", "lease", "runtime", "schedule", "heartbeat",
		"queue", "span", "trace", "job_run", "jobrun", "last_run", "lastrun", "event_log", "history",
	}
}

func endWords() []string {
	return []string{
		"delet", "remov", "cancel", "revok", "terminat", "expir", "unassign", "deregister", "unregister", "leave", "left", "drop",
		"destroy", "detach", "clos", "discard", "purg", "withdraw",
	}
}

// marked: between the two, a method of what is written notes the publish
// (build.SetEnqueued).
func marked(s *flow.Story) bool {
	first, second := s.First.Node(), s.Second.Node()
	return slices.ContainsFunc(s.Func.Nodes, func(n *effect.Node) bool {
		return n != nil && n.Text != "" && n.Pos.Line >= first.Pos.Line && n.Pos.Line <= second.Pos.Line &&
			n != first && n != second && isMark(n.Text) && n.Shares(second)
	})
}
