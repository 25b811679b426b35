package sqltext

func othersCases() []sqlCase {
	return []sqlCase{
		{`MERGE INTO [dbo].[Orders] AS t USING (VALUES (@p1, @p2, @p3)) AS s (Id, Status, Version) ON t.Id = s.Id WHEN MATCHED AND s.Version > t.Version THEN UPDATE SET t.Status = s.Status, Version = s.Version WHEN NOT MATCHED THEN INSERT (Id, Status, Version) VALUES (s.Id, s.Status, s.Version) OUTPUT $action, inserted.Id;`, []string{
			"merge dbo.orders | set id := $1, status := $2, version := $3 | where id = excluded(id), version < excluded(version) | conflict update | key id | becomes status := excluded(status), version := excluded(version) | if version < excluded(version) | returning",
		}},
		{`UPDATE TOP (10) dbo.Outbox WITH (UPDLOCK, READPAST) SET LockedUntil = DATEADD(second, 30, SYSUTCDATETIME()) OUTPUT inserted.Id WHERE LockedUntil < SYSUTCDATETIME()`, []string{
			"update dbo.outbox | set lockeduntil := now | where lockeduntil < now | lock update | skip | returning",
		}},
		{`WITH c AS (SELECT TOP 10 * FROM dbo.Outbox WITH (UPDLOCK, READPAST) WHERE SentAt IS NULL ORDER BY Id) UPDATE c SET SentAt = GETUTCDATE() OUTPUT inserted.*`, []string{
			"update dbo.outbox | set sentat := now | where sentat is null | lock update | skip | returning",
		}},
		{`IF NOT EXISTS (SELECT 1 FROM inbox WHERE id = @p1) INSERT INTO inbox (id) VALUES (@p1) ELSE UPDATE inbox SET n = n + 1 WHERE id = @p1`, []string{
			"select inbox | where id = $1",
			"insert inbox | set id := $1",
			"update inbox | set n := delta('1') | where id = $1",
		}},
		{`UPDATE t SET a = @p1 WHERE id = @p2 IF @@ROWCOUNT = 0 INSERT INTO t (id, a) VALUES (@p2, @p1)`, []string{
			"update t | set a := $1 | where id = $2",
			"other",
			"insert t | set id := $2, a := $1",
		}},
		{`UPDATE o SET o.status = 'x' FROM orders o JOIN ev e ON e.oid = o.id WHERE e.seq > o.seq`, []string{
			"update orders | tables ev,orders | set status := 'x' | where seq < column(e.seq)",
		}},
		{`UPDATE t SET x += @p1, y = CONVERT(varchar(10), @p2) WHERE id = @p3`, []string{
			"update t | set x := delta($1), y := $2 | where id = $3",
		}},
		{`INSERT INTO [Order Items] ([Id]) OUTPUT inserted.Id VALUES (@id)`, []string{
			"insert order items | set id := @id | returning",
		}},
		{`BEGIN TRY BEGIN TRANSACTION; DELETE FROM t WHERE id = @p1; COMMIT TRANSACTION; END TRY BEGIN CATCH ROLLBACK TRANSACTION; END CATCH`, []string{
			"begin",
			"delete t | where id = $1",
			"commit",
			"rollback",
		}},
		{`EXEC sp_getapplock @Resource = 'x', @LockMode = 'Exclusive'`, []string{
			"call | lock advisory",
		}},
		{`SELECT * FROM #temp WHERE a = @a`, []string{
			"select #temp | where a = @a",
		}},
		{`INSERT OR IGNORE INTO t(a) VALUES (?1)`, []string{
			"insert t | set a := $1 | conflict nothing",
		}},
		{`INSERT OR REPLACE INTO t(a, b) VALUES (?, datetime('now'))`, []string{
			"insert t | set a := $1, b := now | conflict replace",
		}},
		{`INSERT INTO t (a) VALUES (strftime('%s','now')) ON CONFLICT(a) DO UPDATE SET n = n + 1`, []string{
			"insert t | set a := now | conflict update | key a | becomes n := delta('1')",
		}},
		{`BEGIN IMMEDIATE`, []string{
			"begin",
		}},
		{`CREATE TRIGGER x AFTER INSERT ON t BEGIN UPDATE y SET a = CASE WHEN b THEN 1 ELSE 2 END; DELETE FROM z; END; SELECT 1`, []string{
			"ddl t | tables t,y,z",
			"select",
		}},
		{`UPSERT INTO t (id, v) VALUES ($1, $2)`, []string{
			"insert t | set id := $1, v := $2 | conflict update | becomes id := excluded(id), v := excluded(v)",
		}},
		{`UPDATE t SET v = cluster_logical_timestamp() WHERE id = $1`, []string{
			"update t | set v := now | where id = $1",
		}},
		{`INSERT OR UPDATE INTO t (id, a) VALUES (@id, @a) THEN RETURN id`, []string{
			"insert t | set id := @id, a := @a | conflict update | becomes id := excluded(id), a := excluded(a) | returning",
		}},
		{`UPDATE t SET ts = PENDING_COMMIT_TIMESTAMP(), x = @x WHERE id IN UNNEST(@ids)`, []string{
			"update t | set ts := now, x := @x | where id in @ids",
		}},
		{`INSERT INTO t (id) VALUES (?) IF NOT EXISTS`, []string{
			"insert t | set id := $1 | conflict nothing",
		}},
		{`UPDATE t USING TTL 10 SET s = ? WHERE id = ? IF version = ?`, []string{
			"update t | set s := $1 | where id = $2, version = $3",
		}},
		{`BEGIN BATCH INSERT INTO t (a) VALUES (?); DELETE FROM u WHERE b = ?; APPLY BATCH`, []string{
			"insert t | set a := $1",
			"delete u | where b = $2",
			"other",
		}},
		{`MERGE INTO inbox t USING (SELECT :id AS id FROM dual) s ON (t.id = s.id) WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)`, []string{
			"merge inbox | set id := @id | where id = excluded(id) | conflict nothing | key id",
		}},
		{`UPDATE orders SET status = :status, updated_at = :updated_at::timestamptz WHERE id=:id AND version<:version`, []string{
			"update orders | set status := @status, updated_at := @updated_at | where id = @id, version < @version",
		}},
		{`UPDATE t SET a=:a,b=:b.c,d=@d WHERE c>@p4 AND e=:5`, []string{
			"update t | set a := @a, b := @b.c, d := @d | where c > $4, e = $5",
		}},
		{`UPDATE users SET name = ?0 WHERE id = ?1`, []string{
			"update users | set name := $1 | where id = $2",
		}},
		{`UPDATE ?TableName SET a = ?a WHERE ?TablePKs`, []string{
			"update | set a := @a",
		}},
		{`UPDATE ? SET a = ? WHERE b>?`, []string{
			"update | set a := $2 | where b > $3",
		}},
		{"-- name: MarkDone :exec\nUPDATE jobs SET done = TRUE WHERE id = sqlc.arg('job_id')::bigint AND kind = sqlc.narg(kind);", []string{
			"update jobs | set done := 'true' | where id = @job_id, kind = @kind",
		}},
		{"SELECT a FROM `project.data.events` WHERE a=-1 AND b!=? AND c>?||'x'", []string{
			"select project.data.events | where a = '-1', b <> $1, c > $2",
		}},
		{`WITH prefix AS ? DELETE FROM a WHERE b = ?`, []string{
			"delete a | where b = $2",
		}},
		{`SELECT * FROM ks.t WHERE id=? AND a>? USING TIMEOUT ?`, []string{
			"select ks.t | where id = $1, a > $2",
		}},
		{`SELECT FROM t WHERE status = ? AND version < ?`, []string{
			"select t | where status = $1, version < $2",
		}},
	}
}
