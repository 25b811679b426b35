package publishoutsidetx

import (
	"fmt"
	"strings"

	"github.com/deliverylint/deliverylint/internal/flow"
)

// message tells the story in one sentence.
func message(s *flow.Story) string {
	site, other := site(s), other(s)
	line := fmt.Sprintf("%s (line %d)", other.Node.Text, other.Node.Pos.Line)
	if other.Node.Pos.File != site.Node.Pos.File {
		line = other.Node.Text
	}
	name := site.Node.Text + via(site)
	switch s.Category {
	case afterCommit:
		if len(other.Chain) > 0 {
			return fmt.Sprintf("%s runs after %s has committed: a crash in between loses the event", name, line)
		}
		return fmt.Sprintf("%s runs after %s: a crash in between loses the event", name, line)
	case dualWrite:
		return fmt.Sprintf("%s follows %s with no transaction: if it fails, the change stays and nobody is told", name, line)
	case insideTx:
		return fmt.Sprintf("%s runs inside the transaction of %s: a rollback leaves an event for a change that never happened", name, line)
	case beforeWrite:
		return fmt.Sprintf("%s runs before %s: if the write fails, the event tells of a change that never happened", name, line)
	}
	if other.Effect != nil && other.Node == nil {
		return name
	}
	return fmt.Sprintf("%s is not in the transaction of %s: a crash in between loses the event", name, line)
}

// via names the functions between the site and the library's call.
func via(w flow.Witness) string {
	if len(w.Chain) == 0 {
		return ""
	}
	names := make([]string, 0, 3)
	for _, c := range w.Chain {
		if i := strings.LastIndexByte(c, '.'); i >= 0 {
			c = c[i+1:]
		}
		if strings.ContainsRune(c, '$') || len(names) == 3 {
			continue
		}
		names = append(names, c)
	}
	if len(names) == 0 || len(names) == 1 && strings.HasSuffix(w.Node.Text, names[0]) {
		return ""
	}
	if strings.HasSuffix(w.Node.Text, names[0]) {
		names = names[1:]
	}
	return " (via " + strings.Join(names, " -> ") + ")"
}

func site(s *flow.Story) flow.Witness { return s.Site() }

func other(s *flow.Story) flow.Witness {
	if s.AtFirst {
		return s.Second
	}
	return s.First
}
