package riverjobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
)

// Transfer enqueues the next step in the transaction, whose worker knows nothing of the
// message to the broker.
func (s *Shelf) Transfer(ctx context.Context, nc *nats.Conn, id string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "UPDATE books SET state = 'moving' WHERE id = $1", id); err != nil {
		return err
	}
	if _, err := s.jobs.InsertTx(ctx, tx, ScanArgs{1, 2}, nil); err != nil {
		return err
	}
	if err := nc.Publish("books.moving", []byte(id)); err != nil { // want inside-tx
		return err
	}
	return tx.Commit(ctx)
}

// Return has nothing but the job.
func (s *Shelf) Return(ctx context.Context, id string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE books SET state = 'here' WHERE id = $1", id); err != nil {
			return err
		}
		_, err := s.jobs.InsertTx(ctx, tx, ScanArgs{3, 4}, nil)
		return err
	})
}
