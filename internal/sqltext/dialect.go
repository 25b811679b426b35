package sqltext

import (
	"strings"

	sqllexer "github.com/DataDog/go-sqllexer"
)

// dialect is what a text shows of the database that it is written for. Where
// it shows nothing, the rules of Postgres hold, which are the standard's.
type dialect struct {
	dbms  sqllexer.DBMSType
	mysql bool // "x" is a string, # begins a comment, \ escapes
}

func sniff(src string) dialect {
	if strings.Contains(src, "`") || mysqlOnly(strings.ToUpper(src)) {
		return dialect{mysql: true}
	}
	if brackets(src) {
		return dialect{dbms: sqllexer.DBMSSQLServer}
	}
	if strings.Contains(src, `\'`) && !strings.Contains(src, `'\'`) {
		return dialect{} // MySQL's way to write a quote
	}
	return dialect{dbms: sqllexer.DBMSPostgres}
}

func mysqlOnly(up string) bool {
	for _, s := range []string{"ON DUPLICATE KEY", "INSERT IGNORE", "UNIX_TIMESTAMP(", "LAST_INSERT_ID(", "STRAIGHT_JOIN", "UTC_TIMESTAMP("} {
		if strings.Contains(up, s) {
			return true
		}
	}
	return false
}

// brackets tells whether the text quotes a name in brackets. A bracket that
// follows a value is an index, and ARRAY[...] has more than a name in it.
func brackets(src string) bool {
	for i := 0; i < len(src); i++ {
		if src[i] != '[' || i > 0 && (nameByte(src[i-1]) || strings.IndexByte(")]'\"", src[i-1]) >= 0) {
			continue
		}
		n := 0
		for body := src[i+1:]; n < len(body) && (nameByte(body[n]) || body[n] == ' '); {
			n++
		}
		if end := i + 1 + n; n > 0 && end < len(src) && src[end] == ']' && (src[i+1] < '0' || src[i+1] > '9') {
			return true
		}
		i += n
	}
	return false
}
