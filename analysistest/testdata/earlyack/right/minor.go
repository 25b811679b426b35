package right

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go/jetstream"
	amqp "github.com/rabbitmq/amqp091-go"
)

// SeenLast notes when something was last heard of: the next beat says it again.
func (o *Orders) SeenLast(ctx context.Context, d amqp.Delivery) error {
	if _, err := o.db.ExecContext(ctx, `UPDATE devices SET last_seen = now() WHERE id = $1`, d.MessageId); err != nil {
		slog.Warn("device", "err", err)
	}
	return d.Ack(false)
}

// Counted counts what passes.
func (o *Orders) Counted(ctx context.Context, d amqp.Delivery) error {
	if _, err := o.db.ExecContext(ctx, `UPDATE order_stats SET n = n + 1`); err != nil {
		slog.Warn("stats", "err", err)
	}
	return d.Ack(false)
}

// Noted notes after the effect that it was handled: a redelivery there won't be.
func (o *Orders) Noted(ctx context.Context, d amqp.Delivery) error {
	if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
		return d.Nack(false, true)
	}
	if _, err := o.db.ExecContext(ctx, `INSERT INTO processed_messages (id) VALUES ($1)`, d.MessageId); err != nil {
		slog.Warn("processed", "err", err)
	}
	return d.Ack(false)
}

// Deferred settles at the end, by what has become of it.
func (o *Orders) Deferred(ctx context.Context, c jetstream.Consumer) (jetstream.ConsumeContext, error) {
	return c.Consume(func(m jetstream.Msg) {
		done := false
		defer func() {
			if done {
				_ = m.Ack()
			} else {
				_ = m.Nak()
			}
		}()
		if err := o.keep(ctx, Order{ID: string(m.Data())}); err != nil {
			slog.Error("keep", "err", err)
			return
		}
		done = true
	})
}

// Progress tells the server that it takes a while.
func (o *Orders) Progress(ctx context.Context, c jetstream.Consumer) (jetstream.ConsumeContext, error) {
	return c.Consume(func(m jetstream.Msg) {
		_ = m.InProgress()
		if err := o.keep(ctx, Order{ID: string(m.Data())}); err != nil {
			return
		}
		_ = m.Ack()
	})
}

// Compensated undoes the first step when the second fails, and gives it back.
func (o *Orders) Compensated(ctx context.Context, d amqp.Delivery) error {
	if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
		return d.Nack(false, true)
	}
	if err := o.setState(ctx, d.MessageId, "PAID"); err != nil {
		if err := o.setState(ctx, d.MessageId, "CANCELLED"); err != nil {
			slog.Error("cancel", "err", err)
		}
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Refunded answers the failure of a payment with another message.
func (o *Orders) Refunded(ctx context.Context, d amqp.Delivery) error {
	if err := o.setState(ctx, d.MessageId, "PAID"); err != nil {
		if err := o.ch.PublishWithContext(ctx, "orders", "refund", true, false, amqp.Publishing{Body: d.Body}); err != nil {
			return d.Nack(false, true)
		}
		return d.Ack(false)
	}
	return d.Ack(false)
}
