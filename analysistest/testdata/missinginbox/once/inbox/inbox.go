// Package inbox keeps a message that comes twice from being applied twice.
package inbox

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Once records that consumer has handled the message, and tells whether this is the
// first time.
func Once(ctx context.Context, tx pgx.Tx, consumer, messageID string) (first bool, err error) {
	tag, err := tx.Exec(ctx, `INSERT INTO inbox (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, consumer, messageID)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}
