// Package relay has what drains an outbox. A relay publishes inside the transaction
// that locks its rows, or before it marks them: that is its job.
package relay

import (
	"context"
	"database/sql"
	"time"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"github.com/nats-io/nats.go/jetstream"
)

type row struct {
	ID      int64  `db:"id"`
	Topic   string `db:"topic"`
	Payload []byte `db:"payload"`
}

type Locking struct {
	db       *sqlx.DB
	producer sarama.SyncProducer
}

// Tick locks, publishes and marks.
func (r *Locking) Tick(ctx context.Context) (int, error) {
	tx, err := r.db.BeginTxx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	var due []row
	if err := tx.SelectContext(ctx, &due, `SELECT id, topic, payload FROM gate_outbox
		WHERE published_at IS NULL ORDER BY id LIMIT 50 FOR UPDATE SKIP LOCKED`); err != nil {
		return 0, err
	}
	for _, m := range due {
		if _, _, err := r.producer.SendMessage(&sarama.ProducerMessage{Topic: m.Topic, Value: sarama.ByteEncoder(m.Payload)}); err != nil {
			return 0, err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE gate_outbox SET published_at = now() WHERE id = $1`, m.ID); err != nil {
			return 0, err
		}
	}
	return len(due), tx.Commit()
}

// Run is the loop around it.
func (r *Locking) Run(ctx context.Context) error {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		if _, err := r.Tick(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
	}
}

type Deleting struct {
	pool *pgxpool.Pool
	js   jetstream.JetStream
}

// Drain deletes what it has published, row by row.
func (d *Deleting) Drain(ctx context.Context) error {
	rows, err := d.pool.Query(ctx, "SELECT id, topic, payload FROM lift_outbox ORDER BY id LIMIT 100")
	if err != nil {
		return err
	}
	due, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	if err != nil {
		return err
	}
	for _, m := range due {
		if _, err := d.js.Publish(ctx, m.Topic, m.Payload, jetstream.WithMsgID(m.Topic)); err != nil {
			return err
		}
		if _, err := d.pool.Exec(ctx, "DELETE FROM lift_outbox WHERE id = $1", m.ID); err != nil {
			return err
		}
	}
	return nil
}

type Leasing struct {
	db *sql.DB
	js jetstream.JetStream
}

// Claim takes a lease in one statement. Lease is the write that comes before the
// publish: what is not deleted in time is claimed again.
func (l *Leasing) Claim(ctx context.Context) error {
	var m row
	err := l.db.QueryRowContext(ctx, `UPDATE ramp_outbox SET locked_until = now() + interval '1 minute'
		WHERE id = (SELECT id FROM ramp_outbox WHERE locked_until < now() ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING id, topic, payload`).Scan(&m.ID, &m.Topic, &m.Payload)
	if err != nil {
		return err
	}
	if _, err := l.js.Publish(ctx, m.Topic, m.Payload); err != nil {
		_, _ = l.db.ExecContext(ctx, "UPDATE ramp_outbox SET attempts = attempts + 1 WHERE id = $1", m.ID)
		return err
	}
	_, err = l.db.ExecContext(ctx, "DELETE FROM ramp_outbox WHERE id = $1", m.ID)
	return err
}
