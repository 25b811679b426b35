// Package orders takes orders, on database/sql.
package orders

import (
	"context"
	"database/sql"
	"fmt"

	"example.org/shop/internal/events"
	"example.org/shop/internal/outbox"
	"example.org/shop/internal/uow"
)

// Order is what a customer wants.
type Order struct {
	ID       string `json:"id"`
	Product  string `json:"product"`
	Quantity int64  `json:"quantity"`
	Status   string `json:"status"`
	// Shipping is what the carrier last said, ShippingVersion when.
	Shipping        string `json:"shipping"`
	ShippingVersion int64  `json:"-"`
}

// Repository stores orders.
type Repository interface {
	Insert(ctx context.Context, tx *sql.Tx, o Order) error
	SetStatus(ctx context.Context, tx *sql.Tx, id, status string) error
	Get(ctx context.Context, id string) (Order, error)
	SetShipping(ctx context.Context, id, shipping string) error
	Advance(ctx context.Context, id, shipping string, version int64) error
}

// Service is the use cases of orders.
type Service struct {
	db     *sql.DB
	work   *uow.Work
	orders Repository
	pub    events.Publisher
}

// New works on db and announces through pub.
func New(db *sql.DB, orders Repository, pub events.Publisher) *Service {
	return &Service{db: db, work: uow.New(db), orders: orders, pub: pub}
}

// Place stores the order and publishes when that is done.
func (s *Service) Place(ctx context.Context, o Order) error {
	o.Status = "placed"
	e, err := events.New("order.placed", o.ID, 1, o)
	if err != nil {
		return err
	}
	err = s.work.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return s.orders.Insert(ctx, tx, o)
	})
	if err != nil {
		return fmt.Errorf("place order: %w", err)
	}
	return s.pub.Publish(ctx, e) // wrong: publishoutsidetx/after-commit
}

// PlaceGift stores the order and the event, and lets the relay publish.
func (s *Service) PlaceGift(ctx context.Context, o Order) error {
	o.Status = "gift"
	e, err := events.New("order.placed", o.ID, 1, o)
	if err != nil {
		return err
	}
	return s.work.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := s.orders.Insert(ctx, tx, o); err != nil {
			return err
		}
		return outbox.Add(ctx, tx, e) // right: committed with the order or not at all
	})
}

// Cancel has an outbox too, but hands it the pool.
func (s *Service) Cancel(ctx context.Context, o Order) error {
	e, err := events.New("order.cancelled", o.ID, 2, o)
	if err != nil {
		return err
	}
	return s.work.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := s.orders.SetStatus(ctx, tx, o.ID, "cancelled"); err != nil {
			return err
		}
		return outbox.Add(ctx, s.db, e) // wrong: publishoutsidetx/outbox-outside-tx
	})
}

// Reject hands it the transaction.
func (s *Service) Reject(ctx context.Context, o Order, why string) error {
	e, err := events.New("order.rejected", o.ID, 2, map[string]string{"why": why})
	if err != nil {
		return err
	}
	return s.work.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := s.orders.SetStatus(ctx, tx, o.ID, "rejected"); err != nil {
			return err
		}
		return outbox.Add(ctx, tx, e) // right: the same transaction
	})
}
