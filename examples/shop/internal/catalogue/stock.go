package catalogue

import (
	"context"
	"database/sql"
	"encoding/json"

	"example.org/shop/internal/events"
	"example.org/shop/internal/inbox"
	"example.org/shop/internal/uow"
)

type line struct {
	Product  string `json:"product"`
	Quantity int64  `json:"quantity"`
}

// Stock follows the orders.
type Stock struct {
	db   *sql.DB
	work *uow.Work
}

// NewStock works on db.
func NewStock(db *sql.DB) *Stock { return &Stock{db: db, work: uow.New(db)} }

// OnOrderPlaced takes the stock once for each delivery.
func (s *Stock) OnOrderPlaced(ctx context.Context, e events.Event) error {
	var l line
	if err := json.Unmarshal(e.Data, &l); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, `UPDATE products SET stock = stock - $2 WHERE id = $1`, l.Product, l.Quantity) // wrong: missinginbox/no-dedupe
	return err
}

// OnOrderCancelled gives it back once for each event.
func (s *Stock) OnOrderCancelled(ctx context.Context, e events.Event) error {
	var l line
	if err := json.Unmarshal(e.Data, &l); err != nil {
		return err
	}
	return s.work.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		isNew, err := inbox.Claim(ctx, tx, "stock", e.ID)
		if err != nil || !isNew {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE products SET stock = stock + $2 WHERE id = $1`, l.Product, l.Quantity) // right: the claim shares the transaction
		return err
	})
}
