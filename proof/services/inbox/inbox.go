// Package inbox keeps a message that is delivered twice from being applied
// twice. The record that it was handled is written in the transaction of what it
// does:
//
//	first, err := inbox.Once(ctx, tx, "billing", messageID)
//	if err != nil {
//		return err // roll back; the message comes again
//	}
//	if !first {
//		return nil // applied before: ack it
//	}
//	// apply the message in tx, commit, then ack
//
// What no transaction covers (mails, calls to other services) needs an idempotency
// key of its own. Messages that come late are not found here: compare their version
// or time with the state's.
package inbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// The insert waits for a transaction that has inserted the same record and is not
// yet over.
const insertRecord = `INSERT INTO inbox (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`

// Once records in tx that consumer has handled the message, and tells whether this
// is the first time. If tx rolls back, so does the record. The name of the consumer
// keeps those apart that each have to handle the message.
//
// messageID has to come with the message and be the same in each delivery.
func Once(ctx context.Context, tx *sql.Tx, consumer, messageID string) (first bool, err error) {
	if consumer == "" || messageID == "" {
		return false, errors.New("inbox: no consumer or no message ID")
	}
	res, err := tx.ExecContext(ctx, insertRecord, consumer, messageID)
	if err != nil {
		return false, fmt.Errorf("inbox: recording %s for %s: %w", messageID, consumer, err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("inbox: recording %s for %s: %w", messageID, consumer, err)
	}
	return n == 1, nil
}

// DefaultWindow is how long records are kept. It has to be longer than the time in
// which a message can come again: a record that is gone too early lets it in.
// JetStream: the stream's MaxAge, for a consumer that is made anew. Set one: without
// it the stream keeps messages for ever, and no window is long enough.
const DefaultWindow = 8 * 24 * time.Hour

const deleteOld = `
DELETE FROM inbox WHERE ctid IN (
  SELECT ctid FROM inbox WHERE processed_at < now() - $1 * interval '1 second' LIMIT $2)`

// Prune deletes records that are older than the window, a piece at a time. It
// refuses to delete all of them.
func Prune(ctx context.Context, db *sql.DB, window time.Duration) error {
	if window <= 0 {
		return errors.New("inbox: the window has to be as long as a message can come again")
	}
	const piece = 1000
	for {
		res, err := db.ExecContext(ctx, deleteOld, window.Seconds(), piece)
		if err != nil {
			return fmt.Errorf("inbox: pruning: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n < piece {
			return err
		}
	}
}

// PruneEvery prunes until ctx is done. Any number of processes may do so at once.
func PruneEvery(ctx context.Context, db *sql.DB, window, interval time.Duration) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if err := Prune(ctx, db, window); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "inbox", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
