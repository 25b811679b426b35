// Package outboxoutside stores the event of a paid order after the order.
package outboxoutside

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
)

// Orders are the orders of a shop.
type Orders struct{ db *sql.DB }

// New makes the service.
func New(db *sql.DB) *Orders { return &Orders{db} }

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
	if err := tx.Commit(); err != nil {
		return err
	}
	return store(ctx, o.db, id)
}

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// store puts the event where the relay finds it.
func store(ctx context.Context, on execer, id string) error {
	_, err := on.ExecContext(ctx, `INSERT INTO outbox (id, aggregatetype, aggregateid, type, payload) VALUES ($1, 'order', $2, 'OrderPaid', $3)`,
		uuid.NewString(), id, []byte(id))
	return err
}
