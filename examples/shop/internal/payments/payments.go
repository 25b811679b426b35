// Package payments takes the money, on pgx.
package payments

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.org/shop/internal/events"
	"example.org/shop/internal/outbox"
)

// Service is the use cases of payments.
type Service struct {
	pool *pgxpool.Pool
	pub  events.Publisher
}

// New works on pool and announces through pub.
func New(pool *pgxpool.Pool, pub events.Publisher) *Service { return &Service{pool: pool, pub: pub} }

// Capture publishes while the transaction is still open.
func (s *Service) Capture(ctx context.Context, id string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := setState(ctx, tx, id, "authorised", "captured"); err != nil {
		return err
	}
	if err := s.tell(ctx, "payment.captured", id); err != nil { // wrong: publishoutsidetx/inside-tx
		return err
	}
	return tx.Commit(ctx)
}

// Void stores the event while the transaction is open, which is when it should be.
func (s *Service) Void(ctx context.Context, id string) error {
	e, err := events.New("payment.voided", id, 0, nil)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := setState(ctx, tx, id, "authorised", "voided"); err != nil {
			return err
		}
		return outbox.AddPgx(ctx, tx, e) // right: a rollback takes the event with it
	})
}

func (s *Service) tell(ctx context.Context, typ, id string) error {
	e, err := events.New(typ, id, 0, nil)
	if err != nil {
		return err
	}
	return s.pub.Publish(ctx, e)
}

func setState(ctx context.Context, tx pgx.Tx, id, from, to string) error {
	tag, err := tx.Exec(ctx, `UPDATE payments SET state = $3 WHERE id = $1 AND state = $2`, id, from, to)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return fmt.Errorf("payment %s is not %s", id, from)
	}
	return nil
}
