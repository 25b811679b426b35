// Package inbox remembers which messages a consumer has applied.
package inbox

import (
	"context"
	"database/sql"
)

// DB is a *sql.DB or a *sql.Tx.
type DB interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Claim records the message and tells whether it is new. It belongs in the
// transaction of the effect: then both are there, or neither.
func Claim(ctx context.Context, tx *sql.Tx, consumer, messageID string) (isNew bool, err error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO inbox (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, consumer, messageID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Seen only asks.
func Seen(ctx context.Context, db DB, consumer, messageID string) (seen bool, err error) {
	err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM inbox WHERE consumer = $1 AND message_id = $2)`, consumer, messageID).Scan(&seen)
	return seen, err
}

// Record only records.
func Record(ctx context.Context, db DB, consumer, messageID string) error {
	_, err := db.ExecContext(ctx, `INSERT INTO inbox (consumer, message_id) VALUES ($1, $2)`, consumer, messageID)
	return err
}
