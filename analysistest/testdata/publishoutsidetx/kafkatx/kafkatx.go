// Package kafkatx has transactions of the broker. They make reading, processing and
// writing one step as long as no database is in it: the two transactions end one
// after the other.
package kafkatx

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type Tills struct {
	pool *pgxpool.Pool
	cl   *kgo.Client
}

// Book ends the one in the defer of the other.
func (t *Tills) Book(ctx context.Context, till string) (err error) {
	tx, err := t.pool.Begin(ctx)
	if err != nil {
		return err
	}
	if err := t.cl.BeginTransaction(); err != nil {
		return errors.Join(err, tx.Rollback(ctx))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.cl.EndTransaction(ctx, kgo.TryAbort), tx.Rollback(ctx))
			return
		}
		if err = t.cl.EndTransaction(ctx, kgo.TryCommit); err != nil {
			err = errors.Join(err, tx.Rollback(ctx))
			return
		}
		err = tx.Commit(ctx)
	}()
	if _, err = tx.Exec(ctx, "UPDATE tills SET booked = true WHERE id = $1", till); err != nil {
		return err
	}
	return t.cl.ProduceSync(ctx, &kgo.Record{Topic: "tills-booked", Key: []byte(till)}).FirstErr() // want inside-tx "transaction"
}

// Close begins the broker's when the database's has committed.
func (t *Tills) Close(ctx context.Context, till string) error {
	tx, err := t.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "UPDATE tills SET closed = true WHERE id = $1", till); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	if err := t.cl.BeginTransaction(); err != nil {
		return err
	}
	t.cl.Produce(ctx, &kgo.Record{Topic: "tills-closed", Key: []byte(till)}, nil) // want after-commit "runs after tx.Commit"
	return t.cl.EndTransaction(ctx, kgo.TryCommit)
}

// Convert reads from one topic and writes to another, and has no database.
func (t *Tills) Convert(ctx context.Context, s *kgo.GroupTransactSession) error {
	for {
		fetches := s.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		if err := s.Begin(); err != nil {
			return err
		}
		var failed error
		fetches.EachRecord(func(r *kgo.Record) {
			s.Produce(ctx, &kgo.Record{Topic: "tills-converted", Key: r.Key, Value: r.Value}, func(_ *kgo.Record, err error) {
				failed = errors.Join(failed, err)
			})
		})
		if _, err := s.End(ctx, kgo.TransactionEndTry(failed == nil)); err != nil {
			return err
		}
	}
}
