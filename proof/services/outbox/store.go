package outbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const (
	// The lock is freed by the end of the transaction, however it ends.
	lockRelay = `SELECT name FROM outbox_relay WHERE name = 'relay' FOR UPDATE SKIP LOCKED`

	setIdleTimeout = `SELECT set_config('idle_in_transaction_session_timeout', $1, true)`

	// Rows of a key whose first row was refused wait until it is tried again.
	readWaiting = `
SELECT position, id::text, aggregatetype, aggregateid, type, payload
FROM outbox AS o
WHERE published_at IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM outbox AS r
    WHERE r.aggregatetype = o.aggregatetype AND r.aggregateid = o.aggregateid
      AND r.published_at IS NULL AND r.retry_at IS NOT NULL AND r.retry_at > now())
ORDER BY position
LIMIT $1`

	markPublished = `UPDATE outbox SET published_at = clock_timestamp(), retry_at = NULL WHERE position = ANY($1::bigint[])`

	// A refused row is tried again after 1, 2, 4 ... 256 seconds.
	markRefused = `
UPDATE outbox SET attempts = attempts + 1, retry_at = clock_timestamp() + (1 << least(attempts, 8)) * interval '1 second'
WHERE position = ANY($1::bigint[])`

	deletePublished = `
DELETE FROM outbox WHERE position IN (
  SELECT position FROM outbox
  WHERE published_at IS NOT NULL AND published_at < now() - $1 * interval '1 second'
  LIMIT $2)`

	readStats = `
SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8, count(retry_at)
FROM outbox WHERE published_at IS NULL`
)

// claim takes the relay's lock and reads what waits; it reads nothing if another
// relay has the lock.
func claim(ctx context.Context, tx *sql.Tx, lease time.Duration, limit int) ([]row, error) {
	var name string
	err := tx.QueryRowContext(ctx, lockRelay).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("outbox: taking the lock: %w", err)
	}
	if _, err := tx.ExecContext(ctx, setIdleTimeout, strconv.FormatInt(lease.Milliseconds(), 10)); err != nil {
		return nil, fmt.Errorf("outbox: setting the lease: %w", err)
	}
	rows, err := tx.QueryContext(ctx, readWaiting, limit)
	if err != nil {
		return nil, fmt.Errorf("outbox: reading rows: %w", err)
	}
	return scan(rows)
}

func scan(rows *sql.Rows) ([]row, error) {
	defer rows.Close()
	var list []row
	for rows.Next() {
		var r row
		err := rows.Scan(&r.position, &r.msg.ID, &r.msg.AggregateType, &r.msg.AggregateID, &r.msg.Type, &r.msg.Payload)
		if err != nil {
			return nil, fmt.Errorf("outbox: reading a row: %w", err)
		}
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("outbox: reading rows: %w", err)
	}
	return list, nil
}

// settle marks what the broker has confirmed and puts off what it has refused.
func settle(ctx context.Context, tx *sql.Tx, out outcome) error {
	if _, err := tx.ExecContext(ctx, markPublished, array(out.published)); err != nil {
		return fmt.Errorf("outbox: marking rows: %w", err)
	}
	if len(out.refused) == 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, markRefused, array(out.refused)); err != nil {
		return fmt.Errorf("outbox: putting rows off: %w", err)
	}
	return nil
}

// array writes positions as an array that every driver of PostgreSQL takes.
func array(positions []int64) string {
	texts := make([]string, len(positions))
	for i, p := range positions {
		texts[i] = strconv.FormatInt(p, 10)
	}
	return "{" + strings.Join(texts, ",") + "}"
}

// prune deletes what was published longer than keep ago, a piece at a time.
func prune(ctx context.Context, db *sql.DB, keep time.Duration) error {
	const piece = 1000
	for {
		res, err := db.ExecContext(ctx, deletePublished, keep.Seconds(), piece)
		if err != nil {
			return fmt.Errorf("outbox: pruning: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n < piece {
			return err
		}
	}
}

func stats(ctx context.Context, db *sql.DB) (Stats, error) {
	var s Stats
	var seconds float64
	if err := db.QueryRowContext(ctx, readStats).Scan(&s.Depth, &seconds, &s.Refused); err != nil {
		return Stats{}, fmt.Errorf("outbox: reading the depth: %w", err)
	}
	s.Age = time.Duration(seconds * float64(time.Second))
	return s, nil
}
