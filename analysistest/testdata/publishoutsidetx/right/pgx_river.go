package right

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
)

type NotifyArgs struct {
	Meter string `json:"meter"`
}

func (NotifyArgs) Kind() string { return "notify" }

type Meters struct {
	pool *pgxpool.Pool
	jobs *river.Client[pgx.Tx]
}

// Close enqueues in the transaction: the job is there if the change is.
func (m *Meters) Close(ctx context.Context, meter string) error {
	tx, err := m.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "UPDATE meters SET closed_at = now() WHERE id = $1", meter); err != nil {
		return err
	}
	if _, err := m.jobs.InsertTx(ctx, tx, NotifyArgs{Meter: meter}, nil); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func (m *Meters) CloseMany(ctx context.Context, meters []string) error {
	return pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE meters SET closed_at = now() WHERE id = ANY($1)", meters); err != nil {
			return err
		}
		params := make([]river.InsertManyParams, len(meters))
		for i, meter := range meters {
			params[i].Args = NotifyArgs{Meter: meter}
		}
		_, err := m.jobs.InsertManyTx(ctx, tx, params)
		return err
	})
}

// Swap writes the event to the write-ahead log, where logical decoding reads it.
func (m *Meters) Swap(ctx context.Context, from, to string) error {
	tx, err := m.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "UPDATE meters SET replaced_by = $2 WHERE id = $1", from, to); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "SELECT pg_logical_emit_message(true, 'meters.swapped', $1)", from+":"+to); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func (m *Meters) Split(ctx context.Context, from string, parts []string) error {
	tx, err := m.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	b := &pgx.Batch{}
	for _, part := range parts {
		b.Queue("INSERT INTO meters (id, parent) VALUES ($1, $2)", part, from)
	}
	b.Queue("INSERT INTO outbox (topic, payload) VALUES ('meters.split', $1)", from)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Nudge wakes listeners that read the table anyway.
func (m *Meters) Nudge(ctx context.Context, meter string) error {
	if _, err := m.pool.Exec(ctx, "UPDATE meters SET nudged = true WHERE id = $1", meter); err != nil {
		return err
	}
	_, err := m.pool.Exec(ctx, "SELECT pg_notify('meters', $1)", meter)
	return err
}
