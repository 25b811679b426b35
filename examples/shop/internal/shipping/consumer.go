package shipping

import (
	"context"
	"database/sql"

	"github.com/google/uuid"

	"example.org/shop/internal/events"
	"example.org/shop/internal/inbox"
)

// OnOrderPaid makes a shipment, and remembers the message when that has been
// committed.
func (s *Service) OnOrderPaid(ctx context.Context, e events.Event) error {
	var seen bool
	err := s.work.Do(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		if seen, err = inbox.Seen(ctx, tx, "shipping", e.ID); err != nil || seen {
			return err
		}
		return insert(ctx, tx, e.Key)
	})
	if err != nil || seen {
		return err
	}
	return inbox.Record(ctx, s.db, "shipping", e.ID) // wrong: checkthenact/record-outside-tx
}

// OnGiftPaid remembers it in the transaction that makes the shipment.
func (s *Service) OnGiftPaid(ctx context.Context, e events.Event) error {
	return s.work.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		isNew, err := inbox.Claim(ctx, tx, "gifts", e.ID) // right: recorded with the shipment or not at all
		if err != nil || !isNew {
			return err
		}
		return insert(ctx, tx, e.Key)
	})
}

func insert(ctx context.Context, tx *sql.Tx, order string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO shipments (id, order_id) VALUES ($1, $2)`, uuid.NewString(), order)
	return err
}
