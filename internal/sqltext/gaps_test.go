package sqltext

func gapsCases() []sqlCase {
	return []sqlCase{
		{`<gap> WHERE id = ?`, []string{
			"unknown | partial",
		}},
		{`UPDATE <gap>`, []string{
			"update | partial",
		}},
		{`UPDATE <gap> SET <gap> WHERE id = ?`, []string{
			"update | where id = $? | partial",
		}},
		{`UPDATE <gap> SET x = ?<gap>`, []string{
			"update | set x := $1 | partial",
		}},
		{`DELETE FROM <gap> WHERE id = $1`, []string{
			"delete | where id = $1",
		}},
		{`INSERT INTO <gap> (id, a) VALUES ($1, $2) ON CONFLICT DO NOTHING`, []string{
			"insert | set id := $1, a := $2 | conflict nothing",
		}},
		{`INSERT INTO %s (id, %s, b) VALUES ($1, $2, $3)`, []string{
			"insert | set id := $1, b := unknown",
		}},
		{`INSERT INTO t (a, b) VALUES <gap> ON CONFLICT (a) DO NOTHING`, []string{
			"insert t | set a := unknown, b := unknown | conflict nothing | key a",
		}},
		{`INSERT INTO t (a, b) VALUES (?, ?)<gap>`, []string{
			"insert t | set a := $1, b := $2 | partial",
		}},
		{`INSERT INTO t (a, b) VALUES ('<gap>', <gap>)`, []string{
			"insert t | set a := unknown, b := unknown",
		}},
		{`INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO <gap>`, []string{
			"insert t | set a := $1, b := $2 | key a | partial",
		}},
		{`SELECT * FROM <gap>.outbox WHERE id = $1`, []string{
			"select outbox | where id = $1",
		}},
		{`SELECT * FROM orders<gap>`, []string{
			"select orders | partial",
		}},
		{`SELECT * FROM orders_<gap> WHERE a = ?`, []string{
			"select | where a = $1",
		}},
		{`SELECT * FROM <gap>orders WHERE a = ?`, []string{
			"select | where a = $1",
		}},
		{`SELECT * FROM t JOIN <gap> ON true WHERE a = ?`, []string{
			"select t | where a = $1",
		}},
		{`SELECT * FROM t WHERE a = ? <gap> AND b = ?`, []string{
			"select t | where a = $1, b = $? | partial",
		}},
		{`SELECT * FROM t WHERE <gap>`, []string{
			"select t | partial",
		}},
		{`SELECT * FROM t WHERE (<gap>) AND a = ?`, []string{
			"select t | where a = $? | partial",
		}},
		{`SELECT * FROM t WHERE id IN (<gap>) AND x = ?`, []string{
			"select t | where id in unknown, x = $?",
		}},
		{`SELECT * FROM t WHERE id IN <gap> AND x = $1`, []string{
			"select t | where id in unknown, x = $1 | partial",
		}},
		{`SELECT * FROM t WHERE a = ? ORDER BY <gap> LIMIT ?`, []string{
			"select t | where a = $1",
		}},
		{`SELECT <gap> FROM t WHERE a = ?`, []string{
			"select t | where a = $1",
		}},
		{`SELECT * FROM t WHERE a = <gap> AND b = ?`, []string{
			"select t | where a = unknown, b = $?",
		}},
		{`SELECT * FROM t WHERE a = ? LIMIT %d`, []string{
			"select t | where a = $1",
		}},
		{`SELECT * FROM %s.outbox WHERE id = %d AND name LIKE '%%foo%%' AND x = ?`, []string{
			"select outbox | where id = unknown, name like '%foo%', x = $1",
		}},
		{`SELECT * FROM %[1]s WHERE a = %[2]q AND b LIKE '%something'`, []string{
			"select | where a = unknown, b like '%something'",
		}},
		{`SELECT * FROM t%d WHERE a %2 = 1 AND b % 10 = ?`, []string{
			"select | where a = '1', b = $1",
		}},
		{`UPDATE t SET %s = %s + 1, n = n + %d, s = '%s' WHERE id = $1`, []string{
			"update t | set n := delta, s := unknown | where id = $1",
		}},
		{`SELECT * FROM {{ .Table }} WHERE a = :a {{ if .B }}AND b = :b{{ end }}`, []string{
			"select | where a = @a, b = @b | partial",
		}},
		{`UPDATE outbox SET a = 1 WHERE id = '<gap>'`, []string{
			"update outbox | set a := '1' | where id = unknown",
		}},
		{`/* <gap> */ UPDATE outbox SET a = 1`, []string{
			"update outbox | set a := '1'",
		}},
		{`WITH c AS (<gap>) SELECT * FROM c`, []string{
			"select | partial",
		}},
		{`SELECT * FROM t WHERE id IN (SELECT id FROM t WHERE a = 1 <gap>)`, []string{
			"select t | where id in expr(select), a = '1' | partial",
		}},
		{`SELECT * FROM t WHERE a = 1 AND %s = ?`, []string{
			"select t | where a = '1' | partial",
		}},
		{`SELECT a FROM t WHERE a = 1 <gap>ORDER BY b`, []string{
			"select t | where a = '1' | partial",
		}},
	}
}
