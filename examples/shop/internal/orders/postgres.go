package orders

import (
	"context"
	"database/sql"
)

// Postgres is the Repository.
type Postgres struct{ db *sql.DB }

// NewPostgres works on db.
func NewPostgres(db *sql.DB) *Postgres { return &Postgres{db: db} }

// Insert stores a new order.
func (p *Postgres) Insert(ctx context.Context, tx *sql.Tx, o Order) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO orders (id, product_id, quantity, status) VALUES ($1, $2, $3, $4)`, o.ID, o.Product, o.Quantity, o.Status)
	return err
}

// SetStatus changes the status.
func (p *Postgres) SetStatus(ctx context.Context, tx *sql.Tx, id, status string) error {
	_, err := tx.ExecContext(ctx, `UPDATE orders SET status = $2 WHERE id = $1`, id, status)
	return err
}

// Get loads an order.
func (p *Postgres) Get(ctx context.Context, id string) (o Order, err error) {
	err = p.db.QueryRowContext(ctx, `SELECT id, product_id, quantity, status, shipping, shipping_version FROM orders WHERE id = $1`, id).
		Scan(&o.ID, &o.Product, &o.Quantity, &o.Status, &o.Shipping, &o.ShippingVersion)
	return o, err
}

// SetShipping stores the state of the shipment.
func (p *Postgres) SetShipping(ctx context.Context, id, shipping string) error {
	_, err := p.db.ExecContext(ctx, `UPDATE orders SET shipping = $2 WHERE id = $1`, id, shipping)
	return err
}

// Advance stores the state of the shipment unless a newer one is stored.
func (p *Postgres) Advance(ctx context.Context, id, shipping string, version int64) error {
	_, err := p.db.ExecContext(ctx, `UPDATE orders SET shipping = $2, shipping_version = $3 WHERE id = $1 AND shipping_version < $3`, id, shipping, version)
	return err
}
