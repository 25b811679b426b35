package outbox

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"example.org/shop/internal/events"
	"example.org/shop/internal/uow"
)

// Relay publishes what is in the outbox, in order, at least once.
type Relay struct {
	work *uow.Work
	pub  events.Publisher
}

// NewRelay publishes through pub.
func NewRelay(work *uow.Work, pub events.Publisher) *Relay { return &Relay{work: work, pub: pub} }

// Run polls until ctx ends.
func (r *Relay) Run(ctx context.Context, every time.Duration) error {
	for {
		if err := r.work.Do(ctx, r.batch); err != nil {
			slog.ErrorContext(ctx, "relay", "err", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
	}
}

func (r *Relay) batch(ctx context.Context, tx *sql.Tx) error {
	due, err := lock(ctx, tx, 100)
	if err != nil {
		return err
	}
	for _, d := range due {
		if err := r.pub.Publish(ctx, d.event); err != nil { // right: the row is locked, and stays if this fails
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM outbox WHERE seq = $1`, d.seq); err != nil {
			return err
		}
	}
	return nil
}

type locked struct {
	seq   int64
	event events.Event
}

func lock(ctx context.Context, tx *sql.Tx, max int) (due []locked, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT seq, id, type, key, version, data FROM outbox ORDER BY seq LIMIT $1 FOR UPDATE`, max)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var d locked
		if err := rows.Scan(&d.seq, &d.event.ID, &d.event.Type, &d.event.Key, &d.event.Version, &d.event.Data); err != nil {
			return nil, err
		}
		due = append(due, d)
	}
	return due, rows.Err()
}
