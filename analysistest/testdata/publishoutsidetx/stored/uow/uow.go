// Package uow runs functions in a transaction.
package uow

import (
	"context"
	"database/sql"
)

type key struct{}

// Do puts the transaction into the context.
func Do(ctx context.Context, db *sql.DB, fn func(ctx context.Context) error) error {
	return Tx(ctx, db, func(tx *sql.Tx) error { return fn(context.WithValue(ctx, key{}, tx)) })
}

// From is the transaction of the context.
func From(ctx context.Context) *sql.Tx {
	tx, _ := ctx.Value(key{}).(*sql.Tx)
	return tx
}

// Tx hands the transaction on.
func Tx(ctx context.Context, db *sql.DB, fn func(tx *sql.Tx) error) (err error) {
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
