package sqltext

func nosqlCases() []sqlCase {
	return []sqlCase{
		{``, []string{
			"unknown",
		}},
		{` ;; `, []string{
			"unknown",
		}},
		{`hello world`, []string{
			"unknown",
		}},
		{`MATCH (n:Person {id: $id}) SET n.x = 1 RETURN n`, []string{
			"unknown",
		}},
		{`MERGE (n:Person {id: $id}) ON CREATE SET n.x = 1`, []string{
			"other",
		}},
		{`CREATE (n:Person {name: 'x'})`, []string{
			"other",
		}},
		{`WITH n AS n MATCH (a) RETURN a`, []string{
			"unknown",
		}},
		{`{"query": "x"}`, []string{
			"unknown",
		}},
		{`update failed`, []string{
			"other",
		}},
		{`update order %s: %w`, []string{
			"other | partial",
		}},
		{`delete user failed`, []string{
			"other",
		}},
		{`insert failed: duplicate`, []string{
			"other",
		}},
		{`commit failed`, []string{
			"other",
		}},
		{`begin transaction: oops`, []string{
			"other",
		}},
		{`merge conflict in file`, []string{
			"other",
		}},
		{`truncate string too long`, []string{
			"other",
		}},
		{`notify the user`, []string{
			"other",
		}},
		{`release it`, []string{
			"savepoint",
		}},
		{`set status`, []string{
			"set",
		}},
		{`call me`, []string{
			"call",
		}},
		{`create order`, []string{
			"ddl",
		}},
		{`'unclosed`, []string{
			"unknown",
		}},
		{`SELECT 'unclosed`, []string{
			"select",
		}},
		{`SELECT a FROM "unclosed`, []string{
			"select unclosed",
		}},
		{`SELECT /* unclosed`, []string{
			"select",
		}},
		{`SELECT (((`, []string{
			"select",
		}},
		{`))) SELECT`, []string{
			"unknown",
		}},
		{`INSERT`, []string{
			"other",
		}},
		{`UPDATE t SET`, []string{
			"update t",
		}},
		{`DELETE FROM`, []string{
			"delete",
		}},
		{`WITH`, []string{
			"unknown",
		}},
		{`INSERT INTO t (a) VALUES`, []string{
			"insert t | set a := unknown",
		}},
		{`INSERT INTO t (a, b) VALUES (?`, []string{
			"insert t | set a := $1, b := unknown",
		}},
		{`UPDATE t SET a = WHERE b =`, []string{
			"update t | set a := unknown | where b = unknown",
		}},
	}
}
