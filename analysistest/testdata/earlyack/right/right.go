// Package right acks what is done, also where a step has failed.
package right

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/redis/go-redis/v9"
)

// Order is what a delivery says.
type Order struct{ ID, State string }

// Orders keeps orders.
type Orders struct {
	db    *sql.DB
	ch    *amqp.Channel
	cache *redis.Client
}

var (
	errInvalid   = errors.New("invalid")
	errTransient = errors.New("try again")
)

func (o *Orders) keep(ctx context.Context, order Order) error {
	if order.ID == "" {
		return errInvalid
	}
	_, err := o.db.ExecContext(ctx, `INSERT INTO orders (id) VALUES ($1)`, order.ID)
	return err
}

func (o *Orders) setState(ctx context.Context, id, state string) error {
	_, err := o.db.ExecContext(ctx, `UPDATE orders SET state = $2 WHERE id = $1`, id, state)
	return err
}

// Duplicate acks what was stored before.
func (o *Orders) Duplicate(ctx context.Context, d amqp.Delivery) error {
	err := o.keep(ctx, Order{ID: d.MessageId})
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "23505" {
		slog.Info("seen before", "id", d.MessageId)
		return d.Ack(false)
	}
	if err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Seen looks whether it was stored before.
func (o *Orders) Seen(ctx context.Context, d amqp.Delivery) error {
	var n int
	if err := o.db.QueryRowContext(ctx, `SELECT count(*) FROM orders WHERE id = $1`, d.MessageId).Scan(&n); err != nil {
		return d.Nack(false, true)
	}
	if n > 0 {
		return d.Ack(false)
	}
	if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Undecodable acks what can't be read.
func (o *Orders) Undecodable(ctx context.Context, d amqp.Delivery) error {
	var order Order
	if err := json.Unmarshal(d.Body, &order); err != nil {
		return d.Ack(false)
	}
	if err := o.keep(ctx, order); err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Kinds acks what will never work and gives back what may.
func (o *Orders) Kinds(ctx context.Context, d amqp.Delivery) error {
	err := o.keep(ctx, Order{ID: d.MessageId})
	switch {
	case errors.Is(err, errInvalid):
		slog.Warn("invalid", "id", d.MessageId)
		return d.Ack(false)
	case err != nil:
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Transient gives back what may work later, and acks the rest.
func (o *Orders) Transient(ctx context.Context, d amqp.Delivery) error {
	err := o.keep(ctx, Order{ID: d.MessageId})
	if errors.Is(err, errTransient) || errors.Is(err, context.DeadlineExceeded) {
		return d.Nack(false, true)
	}
	if err != nil {
		slog.Error("given up", "err", err)
	}
	return d.Ack(false)
}

// Redelivered gives it back once.
func (o *Orders) Redelivered(ctx context.Context, d amqp.Delivery) error {
	if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
		if !d.Redelivered {
			return d.Nack(false, true)
		}
		slog.Error("given up", "err", err)
	}
	return d.Ack(false)
}

// SubStep has a first step that the order doesn't depend on.
func (o *Orders) SubStep(ctx context.Context, d amqp.Delivery) error {
	if _, err := o.db.ExecContext(ctx, `UPDATE customers SET last_order = $1`, d.MessageId); err != nil {
		slog.Warn("customer", "err", err)
	}
	if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Failed stores that it has failed: nobody waits for it any more.
func (o *Orders) Failed(ctx context.Context, d amqp.Delivery) error {
	if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
		if err := o.setState(ctx, d.MessageId, "FAILED"); err != nil {
			return d.Nack(false, true)
		}
	}
	return d.Ack(false)
}

// Audited has a log whose loss loses nothing.
func (o *Orders) Audited(ctx context.Context, d amqp.Delivery) error {
	if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
		return d.Nack(false, true)
	}
	if err := o.audit(ctx, d.MessageId); err != nil {
		slog.Warn("audit", "err", err)
	}
	return d.Ack(false)
}

// OnlyAudited does nothing but log.
func (o *Orders) OnlyAudited(ctx context.Context, d amqp.Delivery) error {
	if err := o.audit(ctx, d.MessageId); err != nil {
		slog.Warn("audit", "err", err)
	}
	return d.Ack(false)
}

func (o *Orders) audit(ctx context.Context, id string) error {
	_, err := o.db.ExecContext(ctx, `INSERT INTO audit_log (id, at) VALUES ($1, $2)`, id, time.Now())
	return err
}

// Measured tells of the failure elsewhere.
func (o *Orders) Measured(ctx context.Context, d amqp.Delivery) error {
	if _, err := o.db.ExecContext(ctx, `INSERT INTO telemetry (id) VALUES ($1)`, d.MessageId); err != nil {
		slog.Warn("telemetry", "err", err)
	}
	return d.Ack(false)
}

// Cached forgets what readers may hold.
func (o *Orders) Cached(ctx context.Context, d amqp.Delivery) error {
	if err := o.cache.Del(ctx, "order:"+d.MessageId).Err(); err != nil {
		slog.Warn("cache", "err", err)
	}
	return d.Ack(false)
}

// Answered publishes the failure as an answer, and acks.
func (o *Orders) Answered(ctx context.Context, d amqp.Delivery) error {
	state := "kept"
	if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
		state = err.Error()
	}
	if err := o.ch.PublishWithContext(ctx, "", d.ReplyTo, true, false, amqp.Publishing{Body: []byte(state)}); err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// NotFound takes a missing row for nothing to do.
func (o *Orders) NotFound(ctx context.Context, d amqp.Delivery) error {
	var id string
	err := o.db.QueryRowContext(ctx, `UPDATE orders SET state = 'seen' WHERE id = $1 RETURNING id`, d.MessageId).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return d.Ack(false)
	}
	if err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Tx stores in a transaction and acks after its commit.
func (o *Orders) Tx(ctx context.Context, d amqp.Delivery) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return d.Nack(false, true)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO orders (id) VALUES ($1)`, d.MessageId); err != nil {
		return d.Nack(false, true)
	}
	if err := tx.Commit(); err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}
