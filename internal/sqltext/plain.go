package sqltext

import "strings"

// plain gives the verb of a statement that stores nothing itself, at i.
func (r *reader) plain(i int) Verb {
	tok, after := r.at(i), r.at(i+1)
	if tok.kind != isWord || hasGap(tok.text) {
		return VerbUnknown
	}
	switch tok.up {
	case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "SAVE":
		return r.transaction(i)
	case "NOTIFY", "LISTEN":
		if !after.name() || r.at(i+2).name() {
			return VerbOther
		}
		return Verb(strings.ToLower(tok.up))
	case "CALL", "EXEC", "EXECUTE", "DO":
		return VerbCall
	case "CREATE", "ALTER", "DROP", "GRANT", "REVOKE", "COMMENT", "RENAME", "REINDEX":
		return r.define(i)
	case "SET", "RESET":
		return VerbSet
	case "IF", "DECLARE", "VALUES", "TABLE", "EXPLAIN", "DESCRIBE", "SHOW", "PRAGMA", "USE", "VACUUM", "ANALYZE", "LOCK", "UNLOCK",
		"FETCH", "CLOSE", "OPEN", "PREPARE", "DEALLOCATE", "UNLISTEN", "DISCARD", "CHECKPOINT", "REFRESH", "APPLY", "XA", "OPTIMIZE",
		"FLUSH", "KILL", "ATTACH", "DETACH", "RETURN", "PRINT", "THROW", "RAISERROR", "WAITFOR", "HANDLER", "CLUSTER", "SECURITY":
		return VerbOther
	}
	return VerbUnknown
}

// transaction reads what begins and ends a transaction. The words are words of
// error messages too, so what follows has to fit.
func (r *reader) transaction(i int) Verb {
	k := i + 1
	after := r.at(k).up
	if after == "TRAN" || after == "TRANSACTION" || after == "WORK" {
		if k++; r.at(k).name() && k+1 >= r.s.hi { // its name
			k++
		}
		after = r.at(k).up
	}
	if k < r.s.hi && after == "" {
		after = "?"
	}
	switch up := r.at(i).up; up {
	case "BEGIN", "START":
		switch after {
		case "", "DEFERRED", "IMMEDIATE", "EXCLUSIVE", "ISOLATION", "READ", "NOT", "DEFERRABLE", "DISTRIBUTED", "CONCURRENT", "PRIORITY", "AS":
			if up == "BEGIN" || i+1 < r.s.hi {
				return VerbBegin
			}
		}
	case "COMMIT", "END":
		if after == "" || after == "AND" || after == "PREPARED" {
			return VerbCommit
		}
	case "ROLLBACK", "ABORT":
		if r.find(span{i, r.s.hi}, "TO") < r.s.hi {
			return VerbSavepoint
		}
		if after == "" || after == "AND" || after == "PREPARED" {
			return VerbRollback
		}
	case "SAVEPOINT", "RELEASE", "SAVE":
		if i+1 < r.s.hi && (up != "SAVE" || after == "") {
			return VerbSavepoint
		}
	}
	return VerbOther
}

// define reads DDL, whose target is the table that it makes or changes.
func (r *reader) define(i int) Verb {
	if r.at(i+1).kind != isWord {
		return VerbOther
	}
	at := r.find(span{i, r.s.hi}, "TABLE")
	if r.indexes() {
		at = r.find(span{i, r.s.hi}, "ON")
	}
	if at < r.s.hi && at < i+6 || r.indexes() {
		r.tableAt(at)
	}
	return VerbDDL
}

// truncate reads TRUNCATE [TABLE] t.
func (r *reader) truncate(i int) {
	_, ok := r.tableAt(i)
	_, _, end := r.qualified(r.skipModifiers(i + 1))
	switch up := r.at(end).up; {
	case ok && (end >= r.s.hi || r.is(i+1, "TABLE") || hasGap(up)):
	case ok && (up == "," || up == "RESTART" || up == "CONTINUE" || up == "CASCADE" || up == "RESTRICT"):
	default:
		r.reject()
		return
	}
	r.st.Verb = VerbTruncate
}

// copyInto reads COPY t (...) FROM and LOAD DATA ... INTO TABLE t.
func (r *reader) copyInto(i int) {
	r.st.Verb = VerbOther
	if r.at(i).up == "LOAD" {
		if into := r.find(r.s, "INTO"); into < r.s.hi && r.is(into+1, "TABLE") {
			r.tableAt(into)
			r.st.Verb = VerbInsert
		}
		return
	}
	end, ok := r.tableAt(i)
	if !ok {
		return
	}
	var names []string
	if r.at(end).up == "(" {
		names, end = r.idents(r.group(end)), r.next(end)
	}
	if r.at(end).up == "TO" {
		r.st.Verb = VerbSelect
	}
	if r.at(end).up != "FROM" {
		return
	}
	r.st.Verb = VerbInsert
	for _, name := range names {
		r.st.Set = append(r.st.Set, Column{Name: name, From: FromUnknown})
	}
}

// clauses reads what may stand anywhere in a statement: locks, calls, and
// whether it hands rows back.
func (r *reader) clauses() {
	for i := r.s.lo; i < r.s.hi; i++ {
		tok := r.toks[i]
		if tok.kind != isWord || r.at(i-1).up == "." && r.at(i+1).up != "(" {
			continue
		}
		switch call := r.at(i+1).up == "("; {
		case tok.up == "PG_LOGICAL_EMIT_MESSAGE" && call:
			r.st.LogicalMessage = true
		case tok.up == "PG_NOTIFY" && call:
			r.st.NotifyCall = true
		case advisory(tok.up) && (call || tok.up == "SP_GETAPPLOCK"):
			r.lock(LockAdvisory)
		case r.st.Verb != VerbDDL:
			r.rowLock(i)
		}
	}
	r.st.NotifyCall = r.st.NotifyCall || r.st.Verb == VerbNotify
	r.returning()
}

// rowLock reads the locking clauses and SQL Server's hints.
func (r *reader) rowLock(i int) {
	switch r.toks[i].up {
	case "FOR":
		switch {
		case r.is(i+1, "UPDATE"):
			r.lock(LockUpdate)
		case r.is(i+1, "NO", "KEY", "UPDATE"):
			r.lock(LockNoKeyUpdate)
		case r.is(i+1, "SHARE"):
			r.lock(LockShare)
		case r.is(i+1, "KEY", "SHARE"):
			r.lock(LockKeyShare)
		}
	case "LOCK":
		first := i == r.s.lo && r.at(i+1).name()
		switch {
		case r.is(i+1, "IN", "SHARE"), first && r.find(r.s, "SHARE") < r.s.hi:
			r.lock(LockShare)
		case first:
			r.lock(LockUpdate)
		}
	case "UPDLOCK", "XLOCK", "TABLOCKX", "LOCK_SCANNED_RANGES":
		r.lock(LockUpdate)
	case "READPAST":
		r.st.SkipLocked = true
	case "SKIP":
		r.st.SkipLocked = r.st.SkipLocked || r.is(i+1, "LOCKED")
	case "NOWAIT":
		r.st.NoWait = true
	}
}

// lock keeps the strongest lock.
func (r *reader) lock(l Lock) {
	if strength(l) > strength(r.st.Lock) {
		r.st.Lock = l
	}
}

func strength(l Lock) int {
	switch l {
	case LockUpdate:
		return 5
	case LockNoKeyUpdate:
		return 4
	case LockShare:
		return 3
	case LockKeyShare:
		return 2
	case LockAdvisory:
		return 1
	}
	return 0
}

// returning looks for RETURNING, OUTPUT and THEN RETURN of the statement itself.
func (r *reader) returning() {
	if r.st.Verb == VerbSelect {
		return
	}
	for i := r.s.lo; i < r.s.hi; i = r.next(i) {
		switch r.toks[i].up {
		case "RETURNING":
			r.st.Returning = r.st.Returning || r.toks[i].kind == isWord && r.at(i-1).up != "."
		case "OUTPUT":
			after := r.at(i + 1).up
			r.st.Returning = r.st.Returning || after == "INSERTED" || after == "DELETED" || after == "$ACTION"
		case "THEN":
			r.st.Returning = r.st.Returning || r.is(i+1, "RETURN")
		}
	}
}
