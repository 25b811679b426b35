package sqltext

func mysqlCases() []sqlCase {
	return []sqlCase{
		{"INSERT INTO `orders` (`id`, `qty`) VALUES (?, ?) ON DUPLICATE KEY UPDATE `qty` = `qty` + VALUES(`qty`), name = \"x\" # why", []string{
			"insert orders | set id := $1, qty := $2 | conflict update | becomes qty := delta, name := 'x'",
		}},
		{`INSERT IGNORE INTO processed (id) VALUES (?)`, []string{
			"insert processed | set id := $1 | conflict nothing",
		}},
		{`REPLACE INTO t (a) VALUES (?)`, []string{
			"insert t | set a := $1 | conflict replace",
		}},
		{"REPLACE INTO `t` SET a = 1, b = NOW()", []string{
			"insert t | set a := '1', b := now | conflict replace",
		}},
		{`INSERT INTO t (a, b) VALUES (?, ?) AS new ON DUPLICATE KEY UPDATE b = new.b`, []string{
			"insert t | set a := $1, b := $2 | conflict update | becomes b := excluded(b)",
		}},
		{`INSERT INTO t SET a = ?, b = UUID() ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id), c = c + 1`, []string{
			"insert t | set a := $1, b := expr(uuid) | conflict update | becomes id := expr(last_insert_id), c := delta('1')",
		}},
		{`INSERT INTO t (a, v) VALUES (?, ?) ON DUPLICATE KEY UPDATE a = IF(VALUES(v) > v, VALUES(a), a)`, []string{
			"insert t | set a := $1, v := $2 | conflict update | becomes a := expr(if)",
		}},
		{"UPDATE `db`.`orders` SET `status`=?,`updated_at`=? WHERE `orders`.`id` = ? AND `status` <> 'done' LIMIT 1", []string{
			"update db.orders | set status := $1, updated_at := $2 | where id = $3, status <> 'done'",
		}},
		{`UPDATE orders SET status=?, version=version+1 WHERE id=? AND version=?`, []string{
			"update orders | set status := $1, version := delta('1') | where id = $2, version = $3",
		}},
		{`UPDATE a JOIN b ON a.id = b.id SET a.x = b.y WHERE b.z = ?`, []string{
			"update a | tables a,b | set x := column(b.y) | where z = $1",
		}},
		{`UPDATE t SET a = "it's", b = 'it\'s', c = UNIX_TIMESTAMP(), d = DATE_ADD(NOW(), INTERVAL ? SECOND), e = FROM_UNIXTIME(?) WHERE id <=> ?`, []string{
			"update t | set a := 'it's', b := 'it's', c := now, d := now($1), e := $2 | where id = $3",
		}},
		{`UPDATE consumer_offsets SET offset = GREATEST(offset, ?) WHERE topic = ? AND offset < ?`, []string{
			"update consumer_offsets | set offset := expr($1 greatest) | where topic = $2, offset < $3",
		}},
		{`DELETE o FROM orders o JOIN items i ON i.oid = o.id WHERE i.sku = ?`, []string{
			"delete orders | tables items,orders | where sku = $1",
		}},
		{`DELETE FROM t WHERE created < NOW() - INTERVAL 5 MINUTE ORDER BY id LIMIT 1000`, []string{
			"delete t | where created < now",
		}},
		{`SELECT * FROM t WHERE b = 'x' LOCK IN SHARE MODE`, []string{
			"select t | where b = 'x' | lock share",
		}},
		{`SELECT GET_LOCK(?, 10)`, []string{
			"select | lock advisory",
		}},
		{"SELECT * FROM `order` WHERE doc->>'$.version' = ? # UPDATE x", []string{
			"select order | where doc.version = $1",
		}},
		{`LOAD DATA LOCAL INFILE 'x' INTO TABLE t (a,b)`, []string{
			"insert t",
		}},
		{`SELECT * FROM t WHERE day = DATE_FORMAT(NOW(), '%Y-%m-%d')`, []string{
			"select t | where day = now",
		}},
		{`INSERT IGNORE INTO "t" ("a") VALUES (?)`, []string{
			"insert t | set a := $1 | conflict nothing",
		}},
	}
}
