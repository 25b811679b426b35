package right

import (
	"context"
	"log/slog"

	amqp "github.com/rabbitmq/amqp091-go"
)

// The counterparts of what is right.

// TxAckFirst acks between the writes and the commit.
func (o *Orders) TxAckFirst(ctx context.Context, d amqp.Delivery) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return d.Nack(false, true)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO orders (id) VALUES ($1)`, d.MessageId); err != nil {
		return d.Nack(false, true)
	}
	if err := d.Ack(false); err != nil { // want before-effect
		return err
	}
	return tx.Commit()
}

// TxCommitFails acks although the commit failed.
func (o *Orders) TxCommitFails(ctx context.Context, d amqp.Delivery) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return d.Nack(false, true)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO orders (id) VALUES ($1)`, d.MessageId); err != nil {
		return d.Nack(false, true)
	}
	if err := tx.Commit(); err != nil { // want on-failure
		slog.Error("commit", "err", err)
	}
	return d.Ack(false)
}

// SecondStep swallows the failure of the last step.
func (o *Orders) SecondStep(ctx context.Context, d amqp.Delivery) error {
	if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
		return d.Nack(false, true)
	}
	if err := o.setState(ctx, d.MessageId, "PAID"); err != nil { // want on-failure "o.setState may fail, and d.Ack"
		slog.Error("state", "err", err)
	}
	return d.Ack(false)
}

// SecondStepAlone acks with no effect of the delivery but the one that failed.
func (o *Orders) SecondStepAlone(ctx context.Context, d amqp.Delivery) error {
	if err := o.setState(ctx, d.MessageId, "PAID"); err != nil { // want on-failure "o.setState may fail, and d.Ack"
		slog.Error("state", "err", err)
	}
	return d.Ack(false)
}

// FailedDropped stores that it has failed, and nobody looks whether that worked.
func (o *Orders) FailedDropped(ctx context.Context, d amqp.Delivery) error {
	if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
		if err := o.setState(ctx, d.MessageId, "FAILED"); err != nil { // want on-failure
			slog.Error("state", "err", err)
		}
	}
	return d.Ack(false)
}

// DroppedError assigns the error to nothing.
func (o *Orders) DroppedError(ctx context.Context, d amqp.Delivery) error {
	_ = o.keep(ctx, Order{ID: d.MessageId}) // want on-failure "o.keep may fail, and d.Ack"
	return d.Ack(false)
}

// Published swallows the failure of its one publish.
func (o *Orders) Published(ctx context.Context, d amqp.Delivery) error {
	if err := o.ch.PublishWithContext(ctx, "orders", "next", true, false, amqp.Publishing{Body: d.Body}); err != nil { // want on-failure "may fail, and d.Ack"
		slog.Error("publish", "err", err)
	}
	return d.Ack(false)
}

// PublishedAfter acks before it publishes.
func (o *Orders) PublishedAfter(ctx context.Context, d amqp.Delivery) error {
	if err := d.Ack(false); err != nil { // want before-effect
		return err
	}
	return o.ch.PublishWithContext(ctx, "orders", "next", true, false, amqp.Publishing{Body: d.Body})
}
