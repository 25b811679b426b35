// Package decided looks at a failure before it acks, in the ways that code does.
package decided

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/http"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Cars keeps cars.
type Cars struct {
	db   *sql.DB
	http *http.Client
}

func (c *Cars) keep(ctx context.Context, id string) error {
	_, err := c.db.ExecContext(ctx, `INSERT INTO cars (id) VALUES ($1)`, id)
	return err
}

// Bool says with a bool whether it is stored.
func (c *Cars) Bool(ctx context.Context, d amqp.Delivery) error {
	if c.kept(ctx, d.MessageId) {
		return d.Ack(false)
	}
	return d.Nack(false, true)
}

func (c *Cars) kept(ctx context.Context, id string) bool {
	if err := c.keep(ctx, id); err != nil {
		slog.Error("keep", "err", err)
		return false
	}
	return true
}

// BoolIgnored asks, and acks whatever it says.
func (c *Cars) BoolIgnored(ctx context.Context, d amqp.Delivery) error {
	if !c.stored(ctx, d.MessageId) {
		slog.Warn("not stored", "id", d.MessageId)
	}
	return d.Ack(false)
}

func (c *Cars) stored(ctx context.Context, id string) bool {
	if err := c.keep(ctx, id); err != nil { // want on-failure "c.keep may fail, and d.Ack"
		slog.Error("keep", "err", err)
		return false
	}
	return true
}

// LastError keeps the failure of any part for the end.
func (c *Cars) LastError(ctx context.Context, d amqp.Delivery, parts []string) error {
	var last error
	for _, id := range parts {
		if err := c.keep(ctx, id); err != nil {
			slog.Error("keep", "err", err)
			last = err
		}
	}
	if last != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Named decides in a deferred function.
func (c *Cars) Named(ctx context.Context, d amqp.Delivery) (err error) {
	defer func() {
		if err != nil {
			_ = d.Nack(false, true)
			return
		}
		_ = d.Ack(false)
	}()
	return c.keep(ctx, d.MessageId)
}

// Flag counts what failed.
func (c *Cars) Flag(ctx context.Context, d amqp.Delivery, parts []string) error {
	failed := 0
	for _, id := range parts {
		if err := c.keep(ctx, id); err != nil {
			slog.Error("keep", "err", err)
			failed++
		}
	}
	if failed > 0 {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Attempts gives it back until it was tried often enough.
func (c *Cars) Attempts(ctx context.Context, d amqp.Delivery) error {
	err := c.keep(ctx, d.MessageId)
	if err == nil {
		return d.Ack(false)
	}
	if n, _ := d.Headers["x-attempt"].(int64); n < 5 {
		return d.Nack(false, true)
	}
	slog.Error("given up", "id", d.MessageId, "err", err)
	return d.Ack(false)
}

// Retry tries some times, and gives it back.
func (c *Cars) Retry(ctx context.Context, d amqp.Delivery) error {
	for i := range 3 {
		if err := c.keep(ctx, d.MessageId); err == nil {
			return d.Ack(false)
		}
		time.Sleep(time.Duration(i) * time.Second)
	}
	return d.Nack(false, true)
}

// RetryAcked tries some times, and acks.
func (c *Cars) RetryAcked(ctx context.Context, d amqp.Delivery) error {
	for i := range 3 {
		if err := c.keep(ctx, d.MessageId); err == nil { // want on-failure "c.keep may fail, and d.Ack"
			break
		}
		time.Sleep(time.Duration(i) * time.Second)
	}
	return d.Ack(false)
}

// Fallback has a second place to store it.
func (c *Cars) Fallback(ctx context.Context, d amqp.Delivery) error {
	if err := c.keep(ctx, d.MessageId); err != nil {
		if _, err := c.db.ExecContext(ctx, `INSERT INTO cars_later (id) VALUES ($1)`, d.MessageId); err != nil {
			return d.Nack(false, true)
		}
	}
	return d.Ack(false)
}

// Read can't look it up, and acks all the same.
func (c *Cars) Read(ctx context.Context, d amqp.Delivery) error {
	var owner string
	if err := c.db.QueryRowContext(ctx, `SELECT owner FROM cars WHERE id = $1`, d.MessageId).Scan(&owner); err != nil { // want on-failure
		slog.Error("owner", "err", err)
		return d.Ack(false)
	}
	if err := c.keep(ctx, owner); err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// ReadMissing acks what is not there.
func (c *Cars) ReadMissing(ctx context.Context, d amqp.Delivery) error {
	var owner string
	err := c.db.QueryRowContext(ctx, `SELECT owner FROM cars WHERE id = $1`, d.MessageId).Scan(&owner)
	if errors.Is(err, sql.ErrNoRows) {
		return d.Ack(false)
	}
	if err != nil {
		return d.Nack(false, true)
	}
	if err := c.keep(ctx, owner); err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Told asks another service, and acks what it could not ask.
func (c *Cars) Told(ctx context.Context, d amqp.Delivery) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://example.org/cars", nil)
	if err != nil {
		return d.Nack(false, false)
	}
	resp, err := c.http.Do(req) // want on-failure
	if err != nil {
		slog.Error("tell", "err", err)
		return d.Ack(false)
	}
	if err := resp.Body.Close(); err != nil {
		return err
	}
	return d.Ack(false)
}

// Shutdown stops when its context ends; the broker gives back what was not acked.
func (c *Cars) Shutdown(ctx context.Context, msgs <-chan amqp.Delivery) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case d, ok := <-msgs:
			if !ok {
				return nil
			}
			if err := c.keep(ctx, d.MessageId); err != nil {
				slog.Error("keep", "err", err)
				return err
			}
			if err := d.Ack(false); err != nil {
				return err
			}
		}
	}
}
