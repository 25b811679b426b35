// Package uow runs a function in a transaction.
package uow

import (
	"context"
	"database/sql"
	"fmt"
)

// Work begins transactions.
type Work struct{ db *sql.DB }

// New works on db.
func New(db *sql.DB) *Work { return &Work{db: db} }

// Do commits what fn did, or nothing of it.
func (w *Work) Do(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx) error) (err error) {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
		}
	}()
	if err = fn(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}
