package publishoutsidetx

import (
	"fmt"
	"path"
	"strings"

	"github.com/deliverylint/deliverylint/internal/flow"
)

// maxWords is how long a message may be, maxVia how many helpers it names.
const (
	maxWords = 24
	maxVia   = 3
)

// message tells the story in one sentence, and leaves helpers out that make it
// too long.
func message(s *flow.Story) string {
	text := ""
	for n := maxVia; n >= 0; n-- {
		if text = sentence(s, n); len(strings.Fields(text)) <= maxWords {
			break
		}
	}
	return text
}

func sentence(s *flow.Story, helpers int) string {
	site, other := s.Place(), s.Other()
	at := other.Place().Node
	line := fmt.Sprintf("%s (line %d)", at.Text, at.Pos.Line)
	if at.Pos.File != site.Node.Pos.File {
		line = fmt.Sprintf("%s (%s:%d)", at.Text, path.Base(at.Pos.File), at.Pos.Line)
	}
	name := site.Node.Text + viaAtMost(helpers, s.Site(), s.Depth())
	switch {
	case s.Site().Effect != nil && s.Site().Effect.ByName:
		name += " looks like a publish and"
	case byName(s):
		line += ", which looks like a write"
	}
	switch s.Category {
	case afterCommit:
		if at != other.Path[len(other.Path)-1].Node {
			return fmt.Sprintf("%s runs after %s has committed: a crash in between loses the event", name, line)
		}
		return fmt.Sprintf("%s runs after %s: a crash in between loses the event", name, line)
	case dualWrite:
		return fmt.Sprintf("%s follows %s with no transaction: if it fails, the change stays and nobody is told", name, line)
	case insideTx:
		return fmt.Sprintf("%s runs in the open transaction of %s: a rollback leaves an event for no change", name, line)
	case beforeWrite:
		return fmt.Sprintf("%s runs before %s: if the write fails, the event tells of no change", name, line)
	}
	return fmt.Sprintf("%s is not in the transaction of %s: a crash in between loses the event", name, line)
}

// via names the functions between the site and the library's call.
func via(w flow.Witness, depth int) string { return viaAtMost(maxVia, w, depth) }

func viaAtMost(most int, w flow.Witness, depth int) string {
	var names []string
	last := w.Path[depth].Node.Text
	for _, l := range w.Path[depth+1:] {
		name := l.Func.Name
		if strings.ContainsRune(name, '$') {
			continue
		}
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			name = name[i+1:]
		}
		if !strings.HasSuffix(last, name) && len(names) < most {
			names = append(names, name)
			last = name
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (via " + strings.Join(names, " -> ") + ")"
}
