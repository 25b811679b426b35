package injected

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

type txKey struct{}

// PgStore is the BookingStore and the Transactor.
type PgStore struct{ pool *pgxpool.Pool }

func (s *PgStore) on(ctx context.Context) execer {
	if tx, ok := ctx.Value(txKey{}).(pgx.Tx); ok {
		return tx
	}
	return s.pool
}

func (s *PgStore) Put(ctx context.Context, b *Booking) error {
	_, err := s.on(ctx).Exec(ctx, `INSERT INTO bookings (id, guest, nights) VALUES ($1, $2, $3)
		ON CONFLICT (id) DO UPDATE SET nights = EXCLUDED.nights`, b.ID, b.Guest, b.Nights)
	return err
}

func (s *PgStore) Find(ctx context.Context, id string) (*Booking, error) {
	b := &Booking{ID: id}
	err := s.on(ctx).QueryRow(ctx, `SELECT guest, nights FROM bookings WHERE id = $1`, id).Scan(&b.Guest, &b.Nights)
	return b, err
}

func (s *PgStore) Remove(ctx context.Context, b *Booking) error {
	_, err := s.on(ctx).Exec(ctx, `DELETE FROM bookings WHERE id = $1`, b.ID)
	return err
}

func (s *PgStore) WithinBooking(ctx context.Context, b *Booking, fn func(ctx context.Context) error) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	if err := fn(context.WithValue(ctx, txKey{}, tx)); err != nil {
		return errors.Join(err, tx.Rollback(ctx))
	}
	return tx.Commit(ctx)
}

// PgJournal is the Journal: a table that change data capture reads.
type PgJournal struct{ store *PgStore }

func (j *PgJournal) Publish(ctx context.Context, kind string, b *Booking) error {
	_, err := j.store.on(ctx).Exec(ctx, `INSERT INTO booking_outbox (kind, booking_id) VALUES ($1, $2)`, kind, b.ID)
	return err
}

// Counter is the Gauge.
type Counter struct{ n atomic.Int64 }

func (c *Counter) Emit(ctx context.Context, b *Booking) { c.n.Add(int64(b.Nights)) }
