package assignstate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deliverylint/deliverylint/internal/effect"
)

// message tells the story in one sentence.
func message(s *story) string {
	if s.arrival {
		return fmt.Sprintf("%s stores the time of arrival in %s, which is ordered by: a late message counts as the newest", s.call().Node.Text, target(s))
	}
	if s.field {
		return fmt.Sprintf("%s is set %s with no version or transition guard: a late message overwrites a newer state", target(s), source(s))
	}
	return fmt.Sprintf("%s sets %s %s with no version or transition guard: a late message overwrites a newer state", s.call().Node.Text, target(s), source(s))
}

// target is the column or field.
func target(s *story) string {
	owner, name := s.table, s.set.Name
	if s.field {
		owner, name = s.set.At.Owner, s.set.At.Field
	}
	switch {
	case name == "":
		name = owner
	case owner != "":
		name = owner + "." + name
	}
	if name == "" {
		return "stored state"
	}
	return name
}

// source is where the value comes from.
func source(s *story) string {
	switch {
	case len(s.set.Consts) > 0 && len(s.set.Consts) < 4 && !told(&s.set) && !slices.ContainsFunc(s.set.Consts, isNumber):
		return "to " + strings.Join(s.set.Consts, " or ")
	case len(s.set.Consts) > 0 && !told(&s.set):
		return "to a constant"
	case s.set.At != nil && s.set.At.Value != "" && told(&s.set):
		return "from " + s.set.At.Value
	}
	return "from the message"
}

// category is the story's.
func (s *story) category() string {
	if s.arrival {
		return arrivalTime
	}
	return unguarded
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// setsOf says what a write sets and from what.
func setsOf(o *effect.Overwrite) string {
	var out []string
	for i := range o.Sets {
		set := &o.Sets[i]
		from := set.From.String()
		if len(set.Consts) > 0 {
			from += " " + strings.Join(set.Consts, "|")
		}
		out = append(out, strings.TrimSpace(set.Name+" ("+from+")"))
	}
	if len(out) > 12 {
		out = append(out[:12], "…")
	}
	return strings.Join(out, ", ")
}
