// Package sqltext tells what a SQL text does: which table it writes, which
// columns it sets and from what, what it compares, how it treats a conflict
// and what it locks. The text may have gaps, pieces that are not constant.
//
// It reads a text the way a reviewer does, across dialects, and checks no
// grammar: what it doesn't understand it leaves out.
//
// A query builder's fragments are read as what they complete: a condition as
// Parse(Text("SELECT FROM t WHERE "), condition), assignments behind "UPDATE t
// SET ", a suffix behind "INSERT INTO t (a) VALUES (?) ".
package sqltext

// Part is one piece of a statement's text. The text of a piece that is not
// constant is not known.
type Part struct {
	Text  string
	Known bool
}

// Text is a piece whose text is known.
func Text(s string) Part { return Part{Text: s, Known: true} }

// Hole is a piece whose text is not known.
func Hole() Part { return Part{} }

// Verb is what a statement does.
type Verb string

// The verbs. A statement whose verb stands in a hole, and a text that is no
// SQL, is VerbUnknown; SQL that matters to nobody here is VerbOther.
const (
	VerbSelect    Verb = "select"
	VerbInsert    Verb = "insert" // also REPLACE, UPSERT and COPY ... FROM
	VerbUpdate    Verb = "update"
	VerbDelete    Verb = "delete"
	VerbMerge     Verb = "merge"
	VerbTruncate  Verb = "truncate"
	VerbBegin     Verb = "begin"
	VerbCommit    Verb = "commit"
	VerbRollback  Verb = "rollback"
	VerbSavepoint Verb = "savepoint" // also RELEASE and ROLLBACK TO
	VerbNotify    Verb = "notify"
	VerbListen    Verb = "listen"
	VerbCall      Verb = "call" // also EXEC and DO: code that isn't seen here
	VerbDDL       Verb = "ddl"
	VerbSet       Verb = "set"
	VerbOther     Verb = "other"
	VerbUnknown   Verb = "unknown"
)

// Source is where a column's new or compared value comes from.
type Source string

// The sources of a value.
const (
	FromParam     Source = "param"    // a placeholder, also converted or cast
	FromLiteral   Source = "literal"  // a constant
	FromNow       Source = "now"      // the database's clock, also with an interval added
	FromDelta     Source = "delta"    // the column's own old value with something added
	FromExcluded  Source = "excluded" // the row that an upsert proposed
	FromColumnRef Source = "column"   // another column, or the same one
	FromExpr      Source = "expr"     // anything else, a subquery too
	FromNull      Source = "null"
	FromUnknown   Source = "unknown" // a hole
)

// Column is a column that is set or compared.
type Column struct {
	// Name is lower-case, unquoted and without its qualifier; "" in an INSERT
	// that lists no columns. A path into a document follows its column:
	// data->>'version' is "data.version".
	Name string
	// Op is "" for assignments, else one of = <> < <= > >= in is like, or
	// "not in", "is not", "not like". An IN list has one Column a value.
	Op string
	// From tells where the value comes from.
	From Source
	// Param is the 1-based ordinal of the placeholder in the text, also of the
	// one placeholder inside a delta or an expression. 0 with FromParam means
	// that it has a name, or that a hole before it hides how many there are.
	Param int
	// ParamName is the name of a named placeholder.
	ParamName string
	// Literal is the constant, unquoted; for a delta, what is added.
	Literal string
	// Ref is the column a FromColumnRef or FromExcluded names, lower-case, and
	// what a FromExpr is made by: a function's name, "case" or "select".
	Ref string
}

// Conflict is what an insert does when the row is already there.
type Conflict string

// The ways to meet a conflict.
const (
	ConflictNone    Conflict = ""        // the statement fails
	ConflictNothing Conflict = "nothing" // ON CONFLICT DO NOTHING, INSERT IGNORE, INSERT OR IGNORE
	ConflictReplace Conflict = "replace" // REPLACE, INSERT OR REPLACE
	ConflictUpdate  Conflict = "update"  // ON CONFLICT DO UPDATE, ON DUPLICATE KEY UPDATE, UPSERT
)

// Lock is the strongest lock that a statement asks for.
type Lock string

// The locks.
const (
	LockNone        Lock = ""
	LockUpdate      Lock = "update"
	LockNoKeyUpdate Lock = "no key update"
	LockShare       Lock = "share"
	LockKeyShare    Lock = "key share"
	LockAdvisory    Lock = "advisory" // pg_advisory_xact_lock, GET_LOCK, sp_getapplock
)

// Statement is what one statement does.
type Statement struct {
	Verb   Verb
	Table  string   // the target: lower-case, unquoted, without its schema; "" if unknown
	Schema string   // the target's schema, if it is named
	Tables []string // every table named, sorted, each once

	// Selected are the columns that a SELECT hands back, as they are called; "" for one
	// without a name.
	Selected []string

	Set []Column // what INSERT and UPDATE store
	// Compared is what WHERE compares, ConflictCompared included; of the queries
	// inside it, those that read the target too. AND and OR look the same.
	Compared []Column

	Conflict         Conflict
	ConflictColumns  []string // the key, where it is named
	ConflictSet      []Column // what the row that is already there becomes
	ConflictCompared []Column // when it does

	Lock               Lock
	SkipLocked, NoWait bool

	Returning      bool // it hands rows back
	LogicalMessage bool // it calls pg_logical_emit_message
	NotifyCall     bool // it calls pg_notify, or is NOTIFY
	Writes         bool // it changes rows, itself or in a CTE
	// Partial: a gap may hide a clause, so absent clauses say nothing. A gap that
	// is only a name, a number or a value in a list hides none.
	Partial bool
}

// ParseText tells what the statements of a text do.
func ParseText(s string) []Statement { return Parse(Text(s)) }
