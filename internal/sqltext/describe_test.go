package sqltext

import (
	"fmt"
	"slices"
	"strings"
)

// describe writes all that a statement is known to do in one line, so that a
// test can expect it exactly.
func describe(s Statement) string {
	table := s.Table
	if s.Schema != "" {
		table = s.Schema + "." + table
	}
	out := []string{strings.TrimSpace(string(s.Verb) + " " + table)}
	add := func(ok bool, format string, args ...any) {
		if ok {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(len(s.Tables) > 0 && !slices.Equal(s.Tables, []string{s.Table}), "tables %s", strings.Join(s.Tables, ","))
	add(len(s.Set) > 0, "set %s", columns(s.Set))
	add(len(s.Compared) > 0, "where %s", columns(s.Compared))
	add(s.Conflict != "", "conflict %s", s.Conflict)
	add(len(s.ConflictColumns) > 0, "key %s", strings.Join(s.ConflictColumns, ","))
	add(len(s.ConflictSet) > 0, "becomes %s", columns(s.ConflictSet))
	add(len(s.ConflictCompared) > 0, "if %s", columns(s.ConflictCompared))
	add(s.Lock != "", "lock %s", s.Lock)
	add(s.SkipLocked, "skip")
	add(s.NoWait, "nowait")
	add(s.Returning, "returning")
	add(s.LogicalMessage, "message")
	add(s.NotifyCall, "notifies")
	add(s.Writes != writesByItself(s.Verb), "writes %v", s.Writes)
	add(s.Partial, "partial")
	return strings.Join(out, " | ")
}

func writesByItself(v Verb) bool {
	switch v {
	case VerbInsert, VerbUpdate, VerbDelete, VerbMerge, VerbTruncate:
		return true
	}
	return false
}

func columns(cs []Column) string {
	var out []string
	for _, c := range cs {
		op := c.Op
		if op == "" {
			op = ":="
		}
		out = append(out, c.Name+" "+op+" "+origin(c))
	}
	return strings.Join(out, ", ")
}

func origin(c Column) string {
	var parts []string
	if c.Param > 0 {
		parts = append(parts, fmt.Sprintf("$%d", c.Param))
	}
	if c.ParamName != "" {
		parts = append(parts, "@"+c.ParamName)
	}
	if c.Literal != "" || c.From == FromLiteral {
		parts = append(parts, "'"+c.Literal+"'")
	}
	if c.Ref != "" {
		parts = append(parts, c.Ref)
	}
	detail := strings.Join(parts, " ")
	switch {
	case c.From == FromParam && detail == "":
		return "$?"
	case c.From == FromParam, c.From == FromLiteral:
		return detail
	case detail == "":
		return string(c.From)
	}
	return string(c.From) + "(" + detail + ")"
}
