package sqltext

func postgresCases() []sqlCase {
	return []sqlCase{
		{`SELECT id, payload FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED`, []string{
			"select outbox | where published_at is null | lock update | skip",
		}},
		{`SELECT a FROM t WHERE b = 'x' FOR NO KEY UPDATE NOWAIT`, []string{
			"select t | where b = 'x' | lock no key update | nowait",
		}},
		{`SELECT a FROM t JOIN u ON u.id = t.id FOR SHARE OF t`, []string{
			"select t | tables t,u | lock share",
		}},
		{`SELECT a FROM t FOR KEY SHARE`, []string{
			"select t | lock key share",
		}},
		{`INSERT INTO outbox (id, topic, payload) VALUES ($1, $2, $3::jsonb)`, []string{
			"insert outbox | set id := $1, topic := $2, payload := $3",
		}},
		{`INSERT INTO public.outbox_events(id,aggregate_type,payload,created_at)VALUES($1,'order',$2,NOW())RETURNING id`, []string{
			"insert public.outbox_events | set id := $1, aggregate_type := 'order', payload := $2, created_at := now | returning",
		}},
		{`INSERT INTO inbox (message_id, received_at) VALUES ($1, now()) ON CONFLICT (message_id) DO NOTHING RETURNING message_id`, []string{
			"insert inbox | set message_id := $1, received_at := now | conflict nothing | key message_id | returning",
		}},
		{`INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, []string{
			"insert inbox | set message_id := $1 | conflict nothing",
		}},
		{`INSERT INTO orders (id, status, version) VALUES ($1,$2,$3) ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status, version = EXCLUDED.version WHERE orders.version < EXCLUDED.version`, []string{
			"insert orders | set id := $1, status := $2, version := $3 | where version < excluded(version) | conflict update | key id | becomes status := excluded(status), version := excluded(version) | if version < excluded(version)",
		}},
		{`INSERT INTO t AS x (id, v) VALUES ($1, $2) ON CONFLICT (id, lower(email)) WHERE deleted_at IS NULL DO UPDATE SET v = excluded.v, updated_at = CURRENT_TIMESTAMP WHERE excluded.v > x.v`, []string{
			"insert t | set id := $1, v := $2 | where v < excluded(v) | conflict update | key id,email | becomes v := excluded(v), updated_at := now | if v < excluded(v)",
		}},
		{`INSERT INTO counters (k, n) VALUES ($1, 1) ON CONFLICT ON CONSTRAINT counters_pk DO UPDATE SET n = counters.n + excluded.n`, []string{
			"insert counters | set k := $1, n := '1' | conflict update | becomes n := delta",
		}},
		{`INSERT INTO t (a,b,c) SELECT $1, $2, id FROM src WHERE src.id = $3`, []string{
			"insert t | tables src,t | set a := $1, b := $2, c := column(id) | where id = $3",
		}},
		{`INSERT INTO inbox (id) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE id = $1)`, []string{
			"insert inbox | set id := $1 | where id = $1",
		}},
		{`INSERT INTO ev (id, body) SELECT * FROM unnest($1::uuid[], $2::text[])`, []string{
			"insert ev | set id := $1, body := $2",
		}},
		{`INSERT INTO t (a, b) SELECT u.a, u.b FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS u(a, b, ord)`, []string{
			"insert t | set a := $1, b := $2",
		}},
		{`INSERT INTO t (a, b) SELECT x.a, x.b FROM jsonb_to_recordset($1) AS x(a text, b int)`, []string{
			"insert t | set a := $1, b := $1",
		}},
		{`INSERT INTO t (a) SELECT a FROM unnest($1::text[]) AS a ON CONFLICT DO NOTHING`, []string{
			"insert t | set a := $1 | conflict nothing",
		}},
		{`INSERT INTO orders VALUES ($1, now(), NULL, DEFAULT)`, []string{
			"insert orders | set  := $1,  := now,  := null,  := expr(default)",
		}},
		{`INSERT INTO t DEFAULT VALUES RETURNING id`, []string{
			"insert t | returning",
		}},
		{`INSERT INTO t (id, n) OVERRIDING SYSTEM VALUE VALUES ($1, nextval('s'))`, []string{
			"insert t | set id := $1, n := expr(nextval)",
		}},
		{`INSERT INTO a (x) WITH c AS (SELECT 1 AS x) SELECT x FROM c`, []string{
			"insert a | set x := '1'",
		}},
		{`insert into t(a,b) values (e'it''s', 'x'), ('y', 'z') -- trailing`, []string{
			"insert t | set a := 'it's', b := 'x'",
		}},
		{`UPDATE accounts SET balance = balance + $1, updated_at = now() WHERE id = $2 AND balance >= $3`, []string{
			"update accounts | set balance := delta($1), updated_at := now | where id = $2, balance >= $3",
		}},
		{`UPDATE "public"."Orders" AS o SET "Status" = 'paid' WHERE o."Id" = $1 AND o."Status" IN ('new', 'pending')`, []string{
			"update public.orders | set status := 'paid' | where id = $1, status in 'new', status in 'pending'",
		}},
		{`UPDATE "t" SET "x"=$1,"y"=$2 WHERE ("t"."id" = $3) AND ("t"."deleted_at" IS NULL)`, []string{
			"update t | set x := $1, y := $2 | where id = $3, deleted_at is null",
		}},
		{`UPDATE t SET status = $1 WHERE id = $2 AND (status = 'new' OR (status = 'pending' AND version < $3))`, []string{
			"update t | set status := $1 | where id = $2, status = 'new', status = 'pending', version < $3",
		}},
		{`UPDATE t SET a = $1 WHERE $2 > version AND 'x' = name AND now() >= due`, []string{
			"update t | set a := $1 | where version < $2, name = 'x', due <= now",
		}},
		{`UPDATE t SET a = $1 WHERE COALESCE(version, 0) < $2 AND CAST(ver AS int) < CAST($3 AS int)`, []string{
			"update t | set a := $1 | where version < $2, ver < $3",
		}},
		{`UPDATE t SET a = $1 WHERE a IS DISTINCT FROM $1 AND b IS NOT DISTINCT FROM $2`, []string{
			"update t | set a := $1 | where a <> $1, b = $2",
		}},
		{`UPDATE t SET (a, b) = ($1, $2), (c, d) = (SELECT 1, 2) WHERE (data->>'version')::int < $3 AND meta #>> '{a,b}' = 'x'`, []string{
			"update t | set a := $1, b := $2, c := expr(select), d := expr(select) | where data.version < $3, meta.a.b = 'x'",
		}},
		{`UPDATE t SET n = COALESCE(n, 0) + $1, m = 1 + m, k = k * 2, j = j || $2, f = NOT f, o = other + 1 WHERE id = $3`, []string{
			"update t | set n := delta($1), m := delta('1'), k := delta('2'), j := expr($2), f := expr(not), o := expr | where id = $3",
		}},
		{`UPDATE t SET a = COALESCE($1, a), b = GREATEST(b, $2), c = CASE WHEN v < $3 THEN $4 ELSE c END WHERE id = $5`, []string{
			"update t | set a := expr($1 coalesce), b := expr($2 greatest), c := expr(case) | where id = $5",
		}},
		{`UPDATE t SET a = to_timestamp($1), b = lower($2) || 'x', c = $3 + interval '1 day', d = jsonb_set(d, '{a}', $4) WHERE id = $5`, []string{
			"update t | set a := $1, b := $2, c := $3, d := expr($4 jsonb_set) | where id = $5",
		}},
		{`UPDATE t SET lease_until = now() + interval '30 seconds', at = now() AT TIME ZONE 'utc', e = extract(epoch from now()) WHERE lease_until < now() - $1::interval`, []string{
			"update t | set lease_until := now, at := now, e := now | where lease_until < now($1)",
		}},
		{`UPDATE t SET a = (SELECT b FROM s WHERE s.id = t.id) WHERE id = $1`, []string{
			"update t | tables s,t | set a := expr(select) | where id = $1",
		}},
		{`UPDATE orders o SET status = v.status FROM (VALUES ($1::uuid, $2)) AS v(id, status) WHERE o.id = v.id AND v.status <> o.status`, []string{
			"update orders | set status := $2 | where id = $1, status <> $2",
		}},
		{`UPDATE items SET qty = data.qty FROM (SELECT unnest($1::bigint[]) AS id, unnest($2::int[]) AS qty) AS data WHERE items.id = data.id`, []string{
			"update items | set qty := $2 | where id = $1",
		}},
		{`UPDATE jobs SET state = 'running', attempts = attempts + 1 WHERE id = (SELECT id FROM jobs WHERE state = 'queued' ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING id`, []string{
			"update jobs | set state := 'running', attempts := delta('1') | where id = expr(select), state = 'queued' | lock update | skip | returning",
		}},
		{`DELETE FROM outbox WHERE id = ANY($1)`, []string{
			"delete outbox | where id in $1",
		}},
		{`DELETE FROM ONLY t WHERE a <> ALL ($1) AND b NOT IN (1, 2) AND c NOT LIKE 'x%'`, []string{
			"delete t | where a not in $1, b not in '1', b not in '2', c not like 'x%'",
		}},
		{`DELETE FROM a USING b WHERE a.id = b.id AND b.k = $1 RETURNING a.*`, []string{
			"delete a | tables a,b | where id = column(b.id), k = $1 | returning",
		}},
		{`DELETE FROM inbox WHERE created_at < now() - interval '7 days'`, []string{
			"delete inbox | where created_at < now",
		}},
		{`SELECT a FROM t WHERE NOT (a = 1 OR b IS NULL) AND (c, d) > ($1, $2) AND e BETWEEN $3 AND $4 AND NOT processed AND deleted`, []string{
			"select t | where a <> '1', b is not null, c > $1, d > $2, e >= $3, e <= $4, processed = 'false', deleted = 'true'",
		}},
		{`SELECT a FROM t WHERE data ? 'key' AND tags[1] = $1 AND arr && ARRAY[$2,$3] AND x ~ '^a' AND y IS NOT NULL`, []string{
			"select t | where tags = $1, x like '^a', y is not null",
		}},
		{`SELECT * FROM a, b AS x, (SELECT * FROM c) d LEFT JOIN e USING (id) WHERE a.id = x.id`, []string{
			"select a | tables a,b,c,e | where id = column(x.id)",
		}},
		{`SELECT EXISTS(SELECT 1 FROM processed WHERE event_id = $1)`, []string{
			"select processed | where event_id = $1",
		}},
		{`SELECT COUNT(1) > 0 FROM processed_events WHERE event_id=$1 AND handler=$2`, []string{
			"select processed_events | where event_id = $1, handler = $2",
		}},
		{`(SELECT id FROM a WHERE x = 1) UNION ALL (SELECT id FROM b WHERE y = 2)`, []string{
			"select a | tables a,b | where x = '1'",
		}},
		{`SELECT id FROM a WHERE x = 1 UNION SELECT id FROM b WHERE y = 2`, []string{
			"select a | tables a,b | where x = '1', y = '2'",
		}},
		{`SELECT * FROM generate_series(1, $1) AS g WHERE g > 2`, []string{
			"select | where g > '2'",
		}},
		{`SELECT trim(both 'x' from name), substring(a from 2) FROM t`, []string{
			"select t",
		}},
		{`WITH c AS (UPDATE outbox SET claimed_at = now() WHERE id IN (SELECT id FROM outbox WHERE claimed_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING *) SELECT * FROM c`, []string{
			"select outbox | lock update | skip | writes true",
			"update outbox | set claimed_at := now | where id in expr(select), claimed_at is null | lock update | skip | returning",
		}},
		{`WITH moved AS (DELETE FROM outbox WHERE id = ANY($1) RETURNING *) INSERT INTO outbox_archive SELECT * FROM moved`, []string{
			"insert outbox_archive | tables outbox,outbox_archive",
			"delete outbox | where id in $1 | returning",
		}},
		{`WITH ins AS (INSERT INTO inbox (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1) UPDATE accounts SET balance = balance + $2 WHERE id = $3 AND EXISTS (SELECT 1 FROM ins)`, []string{
			"update accounts | tables accounts,inbox | set balance := delta($2) | where id = $3",
			"insert inbox | set id := $1 | conflict nothing | returning",
		}},
		{`WITH picked AS MATERIALIZED (SELECT id FROM outbox WHERE status = 'new' LIMIT 10 FOR UPDATE SKIP LOCKED) UPDATE outbox o SET status = 'sent' FROM picked p WHERE o.id = p.id`, []string{
			"update outbox | set status := 'sent' | where status = 'new', id = column(p.id) | lock update | skip",
		}},
		{`WITH RECURSIVE r AS (SELECT id FROM t WHERE id = $1 UNION ALL SELECT t.id FROM t JOIN r ON t.parent = r.id) SELECT * FROM r`, []string{
			"select t | where id = $1",
		}},
		{`WITH orders AS (SELECT * FROM orders WHERE id = $1) SELECT * FROM orders`, []string{
			"select orders | where id = $1",
		}},
		{`MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN DO NOTHING`, []string{
			"merge t | tables s,t | where id = excluded(id) | key id",
		}},
		{`SELECT pg_notify('orders', $1)`, []string{
			"select | notifies",
		}},
		{`NOTIFY orders, 'x'`, []string{
			"notify | notifies",
		}},
		{`LISTEN orders`, []string{
			"listen",
		}},
		{`SELECT pg_logical_emit_message(true, 'outbox', $1)`, []string{
			"select | message",
		}},
		{`SELECT pg_advisory_xact_lock(hashtext($1))`, []string{
			"select | lock advisory",
		}},
		{`SELECT pg_try_advisory_lock($1), pg_advisory_unlock($2)`, []string{
			"select | lock advisory",
		}},
		{`LOCK TABLE t IN SHARE MODE`, []string{
			"other | tables t | lock share",
		}},
		{`COPY outbox (id, payload) FROM STDIN`, []string{
			"insert outbox | set id := unknown, payload := unknown",
		}},
		{`COPY outbox TO STDOUT`, []string{
			"other outbox",
		}},
		{`TRUNCATE TABLE a, b`, []string{
			"truncate a | tables a,b",
		}},
		{`TRUNCATE t RESTART IDENTITY CASCADE`, []string{
			"truncate t",
		}},
		{`BEGIN`, []string{
			"begin",
		}},
		{`BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE`, []string{
			"begin",
		}},
		{`START TRANSACTION`, []string{
			"begin",
		}},
		{`COMMIT; ROLLBACK; END; ABORT`, []string{
			"commit",
			"rollback",
			"commit",
			"rollback",
		}},
		{`SAVEPOINT a; RELEASE SAVEPOINT a; ROLLBACK TO SAVEPOINT a; ROLLBACK TO a`, []string{
			"savepoint",
			"savepoint",
			"savepoint",
			"savepoint",
		}},
		{`PREPARE TRANSACTION 'x'; COMMIT PREPARED 'x'`, []string{
			"other",
			"commit",
		}},
		{`SET TRANSACTION ISOLATION LEVEL SERIALIZABLE`, []string{
			"set",
		}},
		{`SELECT $$ DELETE FROM x; $$, $tag$ a $$ b $tag$; SELECT 2`, []string{
			"select",
			"select",
		}},
		{`SELECT /* DELETE FROM x; */ 1 -- UPDATE y;`, []string{
			"select",
		}},
		{`CREATE TABLE IF NOT EXISTS outbox (id uuid primary key); CREATE UNIQUE INDEX CONCURRENTLY i ON s.outbox (id) WHERE x IS NULL; ALTER TABLE ONLY t ADD x int; DROP TABLE IF EXISTS t`, []string{
			"ddl outbox",
			"ddl s.outbox",
			"ddl t",
			"ddl t",
		}},
		{`CREATE OR REPLACE FUNCTION f() RETURNS trigger AS $$ BEGIN UPDATE x SET y=1; END; $$ LANGUAGE plpgsql; INSERT INTO t VALUES (1)`, []string{
			"ddl",
			"insert t | set  := '1'",
		}},
		{`DO $$ BEGIN INSERT INTO x VALUES (1); END $$`, []string{
			"call",
		}},
		{`CALL transfer($1, $2)`, []string{
			"call",
		}},
		{`EXPLAIN ANALYZE UPDATE t SET a = 1`, []string{
			"other | tables t",
		}},
		{`UPDATE t SET status = 'paid'::order_status WHERE status = ANY(ARRAY['new','open']::text[]) AND k = ANY(ARRAY[$1, $2])`, []string{
			"update t | set status := 'paid' | where status in 'new', status in 'open', k in $1, k in $2",
		}},
		{`UPDATE t SET doc = doc - 'key', n = n - '1', e = e + interval '1 day', f = coalesce($1::timestamptz, now()), g = coalesce($2, now()) + make_interval(secs => $3)`, []string{
			"update t | set doc := expr, n := delta('1'), e := delta('1 day'), f := $1, g := now",
		}},
		{`WITH raw AS (SELECT unnest($1::bigint[]) AS id, unnest($2::text[]) AS body) INSERT INTO t (id, body, at) SELECT id, coalesce(body, ''), now() FROM raw r ON CONFLICT (id) DO NOTHING`, []string{
			"insert t | set id := $1, body := $2, at := now | conflict nothing | key id",
		}},
		{`INSERT INTO t (id) VALUES (COALESCE((SELECT max(id) FROM t), 0) + 1)`, []string{
			"insert t | set id := expr(select)",
		}},
		{`SELECT * FROM a JOIN b USING (id), c JOIN d USING (id) WHERE x = 1`, []string{
			"select a | tables a,b,c,d | where x = '1'",
		}},
	}
}
