package sqltext

import "slices"

// grows tells whether a value is a column's own one with something added, behind
// functions that keep that so: GREATEST(n - 1, 0), a counter within a document,
// array_append(list, x).
func (r *reader) grows(s span, own string, depth int) bool {
	s = r.trim(s)
	if _, ok := r.delta(s, own); ok {
		return true
	}
	if depth == 0 || r.at(s.lo).kind != isWord || r.at(s.lo+1).up != "(" || r.next(s.lo+1) < s.hi {
		return false
	}
	args := r.commas(r.group(s.lo + 1))
	switch r.at(s.lo).up {
	case "ARRAY_APPEND", "ARRAY_CAT", "LIST_APPEND", "JSON_ARRAY_APPEND":
		return len(args) > 1 && r.own(args[0], own)
	case "TO_JSONB", "TO_JSON", "JSONB_SET", "JSON_SET", "GREATEST", "LEAST", "ROUND", "COALESCE", "IFNULL":
		return slices.ContainsFunc(args, func(a span) bool { return r.grows(a, own, depth-1) })
	}
	return false
}
