// Package app is a service on top of lib and ports.
package app

import (
	"context"

	"example.org/testdata/publishoutsidetx/multipackage/lib"
	"example.org/testdata/publishoutsidetx/multipackage/ports"
)

type leases struct{ db *lib.Database }

func (s leases) Sign(ctx context.Context, l ports.Lease) error {
	return s.db.Exec(ctx, "INSERT INTO leases (id, flat) VALUES ($1, $2)", l.ID, l.Flat)
}

type feed struct{ producer *lib.Producer }

func (f feed) LeaseSigned(ctx context.Context, l ports.Lease) error {
	return f.producer.Deliver(ctx, "lease-signed", l)
}

type Service struct {
	db       *lib.Database
	producer *lib.Producer
	sign     ports.UseCase
}

func New(db *lib.Database, producer *lib.Producer) *Service {
	return &Service{db: db, producer: producer, sign: ports.UseCase{Store: leases{db}, Feed: feed{producer}}}
}

func (s *Service) Sign(ctx context.Context, l ports.Lease) error { return s.sign.Sign(ctx, l) }

func (s *Service) Cancel(ctx context.Context, l ports.Lease) error {
	err := s.db.Atomically(ctx, func(tx *lib.Tx) error {
		return tx.Exec(ctx, "DELETE FROM leases WHERE id = $1", l.ID)
	})
	if err != nil {
		return err
	}
	return s.producer.Deliver(ctx, "lease-cancelled", l) // want after-commit "runs after"
}

func (s *Service) Move(ctx context.Context, l ports.Lease, flat string) error {
	return s.db.Atomically(ctx, func(tx *lib.Tx) error {
		if err := tx.Exec(ctx, "UPDATE leases SET flat = $2 WHERE id = $1", l.ID, flat); err != nil {
			return err
		}
		return s.producer.Deliver(ctx, "lease-moved", l) // want inside-tx "transaction"
	})
}

// Evict has the same words for the row in the transaction.
func (s *Service) Evict(ctx context.Context, l ports.Lease) error {
	return s.db.Atomically(ctx, func(tx *lib.Tx) error {
		if err := tx.Exec(ctx, "DELETE FROM leases WHERE id = $1", l.ID); err != nil {
			return err
		}
		return tx.Deliver(ctx, "lease-evicted", l)
	})
}

func (s *Service) Inspect(ctx context.Context, l ports.Lease) error {
	if err := s.db.Exec(ctx, "UPDATE leases SET inspected = now() WHERE id = $1", l.ID); err != nil {
		return err
	}
	return s.producer.Deliver(ctx, "lease-inspected", l) // want dual-write "follows"
}
