package missinginbox

import (
	"fmt"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// message tells the story in one sentence.
func message(s *story) string {
	name := s.site().Node.Text
	r := &s.repeat
	switch {
	case s.tried:
		return fmt.Sprintf("%s inserts by the key %s, which each try of %s makes anew: a try whose answer is lost is inserted twice", name, r.Column, s.way.Path[0].Node.Text)
	case r.Kind == effect.RepeatKey:
		return fmt.Sprintf("%s inserts by the key %s, which every attempt makes anew: it never collides, and a redelivery is applied twice", name, r.Column)
	case r.Kind == effect.RepeatInsert:
		return fmt.Sprintf("%s %s with no unique key that comes from the message: a redelivery inserts it again", name, does(r))
	}
	return fmt.Sprintf("%s %s and nothing notes which messages were applied: a redelivery does so again", name, does(r))
}

// does is what the write does, in words.
func does(r *effect.Repeat) string {
	to := r.Column
	if to == "" {
		to = r.Table
	} else if r.Table != "" {
		to = r.Table + "." + to
	}
	if to == "" {
		to = "stored state"
	}
	switch r.Kind {
	case effect.RepeatAppend:
		return "appends to " + to
	case effect.RepeatInsert:
		if r.Table == "" {
			return "inserts a row"
		}
		return "inserts into " + r.Table
	case effect.RepeatKey:
		return "inserts by " + to
	}
	return "adds to " + to
}
