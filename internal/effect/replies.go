package effect

import (
	"golang.org/x/tools/go/ssa"
)

// answers: what is published goes back to who asked, to the queue or subject that the
// message names (d.ReplyTo, m.Reply). It is the end of a call that the other side waits
// for, and asks again; no event.
func answers(to ...ssa.Value) bool {
	for _, v := range to {
		if v == nil {
			continue
		}
		if name, _ := loadedField(v); name == "ReplyTo" || name == "Reply" {
			return true
		}
	}
	return false
}
