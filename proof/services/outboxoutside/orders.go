// Package outboxoutside stores the event of a paid order in a transaction of its own.
package outboxoutside

import (
	"context"
	"database/sql"

	"github.com/deliverylint/deliverylint/proof/services/outbox"
)

// Orders are the orders of a shop.
type Orders struct{ db *sql.DB }

// New makes the service.
func New(db *sql.DB) *Orders { return &Orders{db} }

// Pay marks an order as paid.
func (o *Orders) Pay(ctx context.Context, id string) error {
	paid, err := o.setPaid(ctx, id)
	if err != nil || !paid {
		return err
	}
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := outbox.Enqueue(ctx, tx, outbox.Message{AggregateType: "orders", AggregateID: id, Type: "OrderPaid", Payload: []byte(id)}); err != nil {
		return err
	}
	return tx.Commit()
}

func (o *Orders) setPaid(ctx context.Context, id string) (bool, error) {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `UPDATE orders SET state = 'paid' WHERE id = $1 AND state = 'new'`, id)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, err
	}
	return n == 1, tx.Commit()
}
