package sqltext

import "strings"

// reserved tells the keywords that end a name, an alias or a value: what can't
// be a column or a table without quotes.
func reserved(up string) bool {
	switch up {
	case "ALL", "AND", "ANY", "AS", "ASC", "AT", "BETWEEN", "BY", "CASE", "COLLATE", "CONFLICT", "CROSS", "DEFAULT",
		"DELETE", "DESC", "DISTINCT", "DO", "DUPLICATE", "ELSE", "END", "EXCEPT", "EXISTS", "FETCH", "FOR", "FORCE", "FROM", "FULL",
		"GROUP", "HAVING", "IF", "ILIKE", "IN", "INNER", "INSERT", "INTERSECT", "INTERVAL", "INTO", "IS", "JOIN",
		"LATERAL", "LEFT", "LIKE", "LIMIT", "LOCK", "MERGE", "NATURAL", "NOT", "NULL", "OFFSET", "ON", "OPTION", "OR", "ORDER", "OUTER",
		"OUTPUT", "OVER", "PARTITION", "RETURNING", "RIGHT", "SELECT", "SET", "SIMILAR", "SKIP", "SOME", "STRAIGHT_JOIN",
		"TABLESAMPLE", "THEN", "TOP", "TRUE", "FALSE", "UNION", "UPDATE", "USE", "USING", "VALUES", "WHEN", "WHERE",
		"WINDOW", "WITH", "XOR", "ZONE", "REGEXP", "RLIKE", "GLOB", "ESCAPE", "NOWAIT", "OVERRIDING":
		return true
	}
	return false
}

// dataVerb tells the words that begin a statement which changes rows.
func dataVerb(up string) bool {
	switch up {
	case "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "UPSERT":
		return true
	}
	return false
}

// clause tells the words that end a WHERE, a SET or a list of tables.
func clause(up string) bool {
	switch up {
	case "WHERE", "SET", "GROUP", "ORDER", "HAVING", "LIMIT", "OFFSET", "FETCH", "FOR", "LOCK", "UNION", "INTERSECT",
		"EXCEPT", "MINUS", "WINDOW", "RETURNING", "OUTPUT", "SELECT", "ON", "OPTION", "WHEN", "DO", "QUALIFY", "ALLOW", "BYPASS", "USING":
		return true
	}
	return false
}

// clockWord tells the names of the database's clock that take no parentheses,
// or may go without.
func clockWord(up string) bool {
	switch up {
	case "CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME", "LOCALTIMESTAMP", "LOCALTIME", "SYSDATE", "SYSTIMESTAMP",
		"UTC_TIMESTAMP", "UTC_DATE", "UTC_TIME":
		return true
	}
	return false
}

// clockCall tells the functions that read the database's clock.
func clockCall(up string) bool {
	switch up {
	case "NOW", "CLOCK_TIMESTAMP", "STATEMENT_TIMESTAMP", "TRANSACTION_TIMESTAMP", "GETDATE", "GETUTCDATE", "SYSDATETIME",
		"SYSUTCDATETIME", "SYSDATETIMEOFFSET", "CURDATE", "CURTIME", "NOW64", "TODAY", "TIMEOFDAY",
		"PENDING_COMMIT_TIMESTAMP", "CLUSTER_LOGICAL_TIMESTAMP", "CURRENT_DATETIME":
		return true
	}
	return clockWord(up)
}

// clockFormat tells the functions that read the clock when their argument is
// 'now' or missing.
func clockFormat(up string) bool {
	switch up {
	case "DATETIME", "DATE", "TIME", "JULIANDAY", "STRFTIME", "UNIXEPOCH", "UNIX_TIMESTAMP":
		return true
	}
	return false
}

// conversion tells the functions that hand their argument on in another form.
func conversion(up string) bool {
	switch up {
	case "CAST", "TRY_CAST", "SAFE_CAST", "CONVERT", "LOWER", "UPPER", "TRIM", "LTRIM", "RTRIM", "BTRIM", "NULLIF", "COALESCE", "IFNULL", "ISNULL", "NVL",
		"TO_TIMESTAMP", "TO_DATE", "TO_CHAR", "TO_NUMBER", "TO_JSON", "TO_JSONB", "FROM_UNIXTIME", "STR_TO_DATE",
		"UNIX_TIMESTAMP", "UUID_TO_BIN", "BIN_TO_UUID", "UNHEX", "HEX", "JSON", "JSONB", "PARSE_JSON", "DECODE", "ENCODE", "MD5", "SHA1",
		"SHA256", "SHA2", "UNNEST", "ARRAY", "DATE", "DATETIME", "TIMESTAMP", "TIME", "UUID", "ROW", "ANY", "ABS", "ROUND",
		"DATE_TRUNC", "DATE_FORMAT", "DATETRUNC", "TIMEZONE", "EXTRACT", "TOUUID", "TIMESTAMP_MILLIS", "TIMESTAMP_MICROS", "TIMESTAMP_SECONDS", "STRING_TO_ARRAY",
		"DATE_ADD", "DATE_SUB", "DATEADD", "ADDTIME", "MAKE_INTERVAL":
		return true
	}
	return false
}

// advisory tells the functions that take a lock on a number or a name.
func advisory(up string) bool {
	switch {
	case strings.HasPrefix(up, "PG_ADVISORY_"), strings.HasPrefix(up, "PG_TRY_ADVISORY_"):
		return !strings.Contains(up, "UNLOCK")
	}
	return up == "GET_LOCK" || up == "SP_GETAPPLOCK"
}
