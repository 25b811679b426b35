// Package riverjobs has a queue in the database of the change: a job is an outbox row
// if it is inserted with the transaction, and a second write if not.
package riverjobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
)

type ScanArgs struct {
	From, To int64
}

func (ScanArgs) Kind() string { return "scan" }

type Shelf struct {
	pool *pgxpool.Pool
	jobs *river.Client[pgx.Tx]
}

// withLock runs fn in a transaction that holds an advisory lock.
func (s *Shelf) withLock(ctx context.Context, key int64, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", key); err != nil {
			return err
		}
		return fn(ctx, tx)
	})
}

func ranges(from, to int64) []river.InsertManyParams {
	var out []river.InsertManyParams
	for ; from < to; from += 1000 {
		out = append(out, river.InsertManyParams{Args: ScanArgs{from, min(from+1000, to)}})
	}
	return out
}

// ScanAll reads in the transaction, and inserts the jobs when it is over.
func (s *Shelf) ScanAll(ctx context.Context) error {
	var from, to int64
	err := s.withLock(ctx, 1, func(ctx context.Context, tx pgx.Tx) error {
		return tx.QueryRow(ctx, "SELECT min(id), max(id) FROM books").Scan(&from, &to)
	})
	if err != nil {
		return err
	}
	_, err = s.jobs.InsertMany(ctx, ranges(from, to))
	return err
}

func (s *Shelf) ScanFast(ctx context.Context) error {
	var to int64
	if err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "SELECT max(id) FROM books").Scan(&to)
	}); err != nil {
		return err
	}
	_, err := s.jobs.InsertManyFast(ctx, ranges(0, to))
	return err
}

// Reindex changes something in it.
func (s *Shelf) Reindex(ctx context.Context, from, to int64) error {
	err := s.withLock(ctx, 2, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE books SET indexed = false WHERE id BETWEEN $1 AND $2", from, to)
		return err
	})
	if err != nil {
		return err
	}
	_, err = s.jobs.InsertMany(ctx, ranges(from, to)) // want after-commit "runs after"
	return err
}

// ReindexHere inserts them while it is open, but not with it.
func (s *Shelf) ReindexHere(ctx context.Context, from, to int64) error {
	return s.withLock(ctx, 2, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE books SET indexed = false WHERE id BETWEEN $1 AND $2", from, to); err != nil {
			return err
		}
		_, err := s.jobs.InsertManyFast(ctx, ranges(from, to)) // want inside-tx "transaction"
		return err
	})
}

func (s *Shelf) ReindexTogether(ctx context.Context, from, to int64) error {
	return s.withLock(ctx, 2, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE books SET indexed = false WHERE id BETWEEN $1 AND $2", from, to); err != nil {
			return err
		}
		for _, p := range ranges(from, to) {
			if _, err := s.jobs.InsertTx(ctx, tx, p.Args, nil); err != nil {
				return err
			}
		}
		_, err := s.jobs.InsertManyFastTx(ctx, tx, ranges(to, to+1000))
		return err
	})
}

// ReindexApart has the change in one transaction and the jobs in the next.
func (s *Shelf) ReindexApart(ctx context.Context, from, to int64) error {
	if _, err := s.pool.Exec(ctx, "UPDATE books SET indexed = false WHERE id BETWEEN $1 AND $2", from, to); err != nil {
		return err
	}
	return s.withLock(ctx, 2, func(ctx context.Context, tx pgx.Tx) error {
		_, err := s.jobs.InsertManyTx(ctx, tx, ranges(from, to)) // want outbox-outside-tx
		return err
	})
}
