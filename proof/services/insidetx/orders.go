// Package insidetx tells of a paid order before that is committed.
package insidetx

import (
	"context"
	"database/sql"

	"github.com/google/uuid"

	"github.com/deliverylint/deliverylint/proof/services/outbox"
)

// Orders are the orders of a shop.
type Orders struct {
	db  *sql.DB
	pub outbox.Publisher
}

// New makes the service.
func New(db *sql.DB, pub outbox.Publisher) *Orders { return &Orders{db, pub} }

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
	if err := o.pub.Publish(ctx, paid(id)); err != nil {
		return err
	}
	return tx.Commit()
}

func paid(id string) outbox.Message {
	return outbox.Message{ID: uuid.NewString(), AggregateType: "order", AggregateID: id, Type: "OrderPaid", Payload: []byte(id)}
}
