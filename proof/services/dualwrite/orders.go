// Package dualwrite stores a payment and tells of it, in no transaction.
package dualwrite

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

// Pay keeps the payment of an order.
func (o *Orders) Pay(ctx context.Context, id string) error {
	if _, err := o.db.ExecContext(ctx, `INSERT INTO payments (id, account, cents) VALUES ($1, 'shop', 100)`, id); err != nil {
		return err
	}
	return o.pub.Publish(ctx, paid(id))
}

func paid(id string) outbox.Message {
	return outbox.Message{ID: uuid.NewString(), AggregateType: "order", AggregateID: id, Type: "OrderPaid", Payload: []byte(id)}
}
