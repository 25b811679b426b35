// Package work runs functions in transactions.
package work

import (
	"context"
	"database/sql"
)

// InTx commits what fn has done, if it has not failed.
func InTx(ctx context.Context, db *sql.DB, fn func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}
