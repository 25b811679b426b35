// Package insidetx tells of a paid order before that is committed.
package insidetx

import (
	"context"
	"database/sql"

	"github.com/nats-io/nats.go/jetstream"
)

// Orders are the orders of a shop.
type Orders struct {
	db *sql.DB
	js jetstream.JetStream
}

// New makes the service.
func New(db *sql.DB, js jetstream.JetStream) *Orders { return &Orders{db, js} }

// Pay marks an order as paid.
func (o *Orders) Pay(ctx context.Context, id string) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `UPDATE orders SET state = 'paid' WHERE id = $1 AND state = 'new'`, id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := o.js.Publish(ctx, "orders.paid", []byte(id)); err != nil {
		return err
	}
	return tx.Commit()
}
