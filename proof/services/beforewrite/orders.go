// Package beforewrite tells of a paid order and stores it then.
package beforewrite

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
	if err := o.pub.Publish(ctx, paid(id)); err != nil {
		return err
	}
	_, err := o.db.ExecContext(ctx, `UPDATE orders SET state = 'paid' WHERE id = $1`, id)
	return err
}

func paid(id string) outbox.Message {
	return outbox.Message{ID: uuid.NewString(), AggregateType: "order", AggregateID: id, Type: "OrderPaid", Payload: []byte(id)}
}
