package sqltext

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzParse checks what holds for any text: no panic, the same answer twice, and
// values inside what the types promise. A tilde stands for a hole.
func FuzzParse(f *testing.F) {
	for _, group := range allCases() {
		for _, c := range group {
			f.Add(strings.ReplaceAll(c.sql, "<gap>", "~"))
		}
	}
	for _, s := range hostile() {
		f.Add(strings.Repeat(s, 20))
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Parse(withHoles(s, "~")...)
		if len(got) == 0 {
			t.Fatal("no statement")
		}
		for _, st := range got {
			if msg := broken(st); msg != "" {
				t.Errorf("%s: %+v", msg, st)
			}
		}
		if again := Parse(withHoles(s, "~")...); !reflect.DeepEqual(got, again) {
			t.Errorf("first %+v\nthen %+v", got, again)
		}
	})
}

// broken tells what is wrong with a statement, whatever its text is.
func broken(s Statement) string {
	switch {
	case !slices.Contains(verbs(), s.Verb):
		return "no such verb"
	case !slices.IsSorted(s.Tables) || len(slices.Compact(slices.Clone(s.Tables))) != len(s.Tables):
		return "tables not sorted"
	case slices.Contains(s.Tables, ""):
		return "a table without a name"
	case s.Table != strings.ToLower(s.Table):
		return "table not lower-case"
	case writesByItself(s.Verb) && !s.Writes:
		return "a write that doesn't write"
	case s.Conflict == ConflictNone && len(s.ConflictSet) > 0:
		return "sets on a conflict that it doesn't meet"
	}
	for _, c := range s.Set {
		if c.Op != "" || c.From == "" {
			return "bad assignment"
		}
	}
	for _, c := range slices.Concat(s.Compared, s.ConflictCompared) {
		if !slices.Contains(operators(), c.Op) || c.From == "" || c.Name == "" {
			return "bad comparison"
		}
	}
	return ""
}

func verbs() []Verb {
	return []Verb{VerbSelect, VerbInsert, VerbUpdate, VerbDelete, VerbMerge, VerbTruncate, VerbBegin, VerbCommit, VerbRollback,
		VerbSavepoint, VerbNotify, VerbListen, VerbCall, VerbDDL, VerbSet, VerbOther, VerbUnknown}
}

func operators() []string {
	return []string{"=", "<>", "<", "<=", ">", ">=", "in", "is", "like", "not in", "is not", "not like"}
}

// hostile gives texts that are slow to read when they are repeated, if anything
// is read again and again.
func hostile() []string {
	return []string{
		"(", ")", "[", "CASE ", "CASE WHEN a THEN ", "END ", "a.", "a,", `a"b`, `"a".`, "a!", "a/", "a@b", "?|", "?+", "=-", "a#>>", "$a$", "$a", "`", "[a].",
		"{{", "%s", "%", "--\n", "/*", "#\n", "'", "''", `\'`, ";", ":a", "@a.", "::a", "1:a", "WHERE ", "WHERE a=(", "AND ", "NOT ", "a AND (",
		"(a AND b OR ", "a BETWEEN 1 AND ", "FROM ", "FROM a,", "FROM (", "JOIN a ON ", "(SELECT ", "(SELECT a FROM b WHERE c=", "SELECT EXISTS(",
		"WITH a AS (", "a AS (SELECT 1), ", "INSERT INTO t (a) VALUES ", "INSERT INTO t SELECT ", "(INSERT INTO t ", "(UPDATE t SET a=1 WHERE ",
		"UPDATE t SET a=", "a=a+", "SET a=(", "ON CONFLICT (a) ", "ON CONFLICT (a) DO UPDATE SET a=1 WHERE b ", "WHEN MATCHED THEN ", "CAST(", "CAST(a AS ",
		"coalesce(", "f(", "a IN (", "a = ANY(", "x || ", "interval ", "BEGIN ", "BEGIN SELECT ELSE ", "IF EXISTS (", "IF @@ROWCOUNT ", "ELSE ", "CREATE TRIGGER ",
		"(VALUES (", "unnest(", "(SELECT 1) AS a ", "a AT TIME ZONE ", "x->>'a'", "~", " ~ ", "a~", "FOR UPDATE ", "LOCK ", "values(", "row(", "é", "ꙮ", "\x00", "\xff",
	}
}

// TestTime reads each hostile text repeated to a length at which reading it in
// quadratic time takes many seconds.
func TestTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, s := range hostile() {
		for _, prefix := range []string{"", "SELECT ", "UPDATE t SET a = 1 WHERE ", "INSERT INTO t (a) SELECT b FROM c WHERE "} {
			text := prefix + strings.Repeat(s, 40_000/len(s))
			if d := quickest(text); d > time.Second {
				t.Errorf("%q repeated after %q: %v for %d bytes", s, prefix, d, len(text))
			}
		}
	}
}

// quickest is the time that a text takes, the best of three tries where the first is slow:
// on a busy machine one says little.
func quickest(text string) time.Duration {
	best := time.Duration(0)
	for range 3 {
		start := time.Now()
		Parse(withHoles(text, "~")...)
		if d := time.Since(start); best == 0 || d < best {
			best = d
		}
		if best < time.Second {
			break
		}
	}
	return best
}
