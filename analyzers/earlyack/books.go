package earlyack

import (
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/effect"
	"github.com/deliverylint/deliverylint/internal/flow"
)

// notes reports whether what fails does nothing but note that the delivery was handled,
// at the end of who takes it: what it is about has come about. Further down a row that is
// made where there is none is part of the work.
func (r rule) notes(failed flow.Witness) bool {
	return slices.ContainsFunc(failed.Path, func(l flow.Level) bool { return takes(r.p, l.Func) && r.d.Notes(l.Func, l.Node) })
}

// keepsBooks reports whether what follows an ack tells how far the work has come, or that
// it was done: by the name of its table, or of what makes it.
func (r rule) keepsBooks(s *flow.Story) bool {
	w := s.Second
	if s.Category != beforeEffect || !s.AtFirst || w.Effect == nil {
		return false
	}
	if r.notes(w) {
		return true
	}
	names := w.Effect.Names()
	for _, l := range w.Path {
		names = append(names, l.Func.Name, l.Node.Text)
	}
	return slices.ContainsFunc(names, func(n string) bool {
		n = strings.ReplaceAll(strings.ToLower(n), "_", "")
		return slices.ContainsFunc([]string{"cursor", "checkpoint", "watermark", "highwater", "forcron", "crontable", "syncstate", "markprocessed", "processedevent", "processedmessage"}, func(word string) bool {
			return strings.Contains(n, word)
		})
	}) || slices.ContainsFunc(names, func(n string) bool {
		return endsIn(n, "_runs", "_run", "_offsets") || w.Effect.Op == catalog.Update && endsIn(n, "_jobs", "_tasks", "_job", "_task")
	})
}

func endsIn(name string, with ...string) bool {
	return slices.ContainsFunc(with, func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) })
}

// last is the library's call at the end of a way.
func last(w flow.Witness) *effect.Node { return w.Path[len(w.Path)-1].Node }
