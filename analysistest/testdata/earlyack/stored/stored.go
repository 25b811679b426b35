// Package stored acks what is durable, although it is not done: something looks
// for it again.
package stored

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	amqp "github.com/rabbitmq/amqp091-go"
)

// Jobs are rows that a poller works off.
type Jobs struct{ pool *pgxpool.Pool }

// Take stores the delivery, acks it, and begins to work on it: if that fails, Poll
// takes it up.
func (j *Jobs) Take(ctx context.Context, d amqp.Delivery) error {
	if _, err := j.pool.Exec(ctx, `INSERT INTO inbox (id, body) VALUES ($1, $2) ON CONFLICT DO NOTHING`, d.MessageId, d.Body); err != nil {
		return d.Nack(false, true)
	}
	if err := d.Ack(false); err != nil {
		return err
	}
	return j.work(ctx, d.MessageId)
}

// TakeOnly stores the delivery and acks it.
func (j *Jobs) TakeOnly(ctx context.Context, d amqp.Delivery) error {
	if _, err := j.pool.Exec(ctx, `INSERT INTO inbox (id, body) VALUES ($1, $2) ON CONFLICT DO NOTHING`, d.MessageId, d.Body); err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

func (j *Jobs) work(ctx context.Context, id string) error {
	if _, err := j.pool.Exec(ctx, `UPDATE stocks SET amount = amount - 1 WHERE item = $1`, id); err != nil {
		return err
	}
	_, err := j.pool.Exec(ctx, `DELETE FROM inbox WHERE id = $1`, id)
	return err
}

// Poll works off what is left.
func (j *Jobs) Poll(ctx context.Context) error {
	for {
		rows, err := j.pool.Query(ctx, `SELECT id FROM inbox ORDER BY id LIMIT 100`)
		if err != nil {
			return err
		}
		var ids []string
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		for _, id := range ids {
			if err := j.work(ctx, id); err != nil {
				slog.Error("work", "err", err)
			}
		}
	}
}

// Halves stores one half, acks, and stores the other: nothing looks for it again.
func (j *Jobs) Halves(ctx context.Context, d amqp.Delivery) error {
	if _, err := j.pool.Exec(ctx, `UPDATE stocks SET amount = amount - 1 WHERE item = $1`, d.MessageId); err != nil {
		return d.Nack(false, true)
	}
	if err := d.Ack(false); err != nil { // want before-effect "d.Ack runs before"
		return err
	}
	_, err := j.pool.Exec(ctx, `UPDATE shelves SET amount = amount + 1 WHERE item = $1`, d.MessageId)
	return err
}

// Cleans acks, and takes away what nobody needs any more.
func (j *Jobs) Cleans(ctx context.Context, d amqp.Delivery) error {
	if _, err := j.pool.Exec(ctx, `UPDATE stocks SET amount = amount - 1 WHERE item = $1`, d.MessageId); err != nil {
		return d.Nack(false, true)
	}
	if err := d.Ack(false); err != nil {
		return err
	}
	if _, err := j.pool.Exec(ctx, `INSERT INTO request_log (id) VALUES ($1)`, d.MessageId); err != nil {
		slog.Warn("log", "err", err)
	}
	return nil
}
