// Package amqp takes deliveries from RabbitMQ.
package amqp

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Parcels keeps what was delivered.
type Parcels struct{ db *sql.DB }

func (p *Parcels) keep(ctx context.Context, body []byte) error {
	_, err := p.db.ExecContext(ctx, `INSERT INTO parcels (body) VALUES ($1)`, body)
	return err
}

// AckFirst acks, and then stores.
func (p *Parcels) AckFirst(ctx context.Context, ch *amqp.Channel) error {
	msgs, err := ch.Consume("parcels", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := d.Ack(false); err != nil { // want before-effect "d.Ack runs before p.keep .line [0-9]+.: a crash in between loses the message"
			return err
		}
		if err := p.keep(ctx, d.Body); err != nil {
			slog.Error("keep", "err", err)
		}
	}
	return nil
}

// AckLast stores, and then acks.
func (p *Parcels) AckLast(ctx context.Context, ch *amqp.Channel) error {
	msgs, err := ch.Consume("parcels", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := p.keep(ctx, d.Body); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

// AckAnyway acks what it could not store.
func (p *Parcels) AckAnyway(ctx context.Context, ch *amqp.Channel) error {
	msgs, err := ch.Consume("parcels", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := p.keep(ctx, d.Body); err != nil { // want on-failure "p.keep may fail, and d.Ack .line [0-9]+. acks all the same: the message is lost"
			slog.Error("keep", "err", err)
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

// DeferredAck acks however it ends.
func (p *Parcels) DeferredAck(ctx context.Context, d amqp.Delivery) {
	defer func() { _ = d.Ack(false) }()
	if err := p.keep(ctx, d.Body); err != nil { // want on-failure "p.keep may fail"
		slog.Error("keep", "err", err)
		return
	}
	slog.Info("kept")
}

// AckInBranch says on the branch of the failure that the delivery is done.
func (p *Parcels) AckInBranch(ctx context.Context, d amqp.Delivery) error {
	if err := p.keep(ctx, d.Body); err != nil { // want on-failure "p.keep may fail"
		slog.Error("keep", "err", err)
		return d.Ack(false)
	}
	return d.Ack(false)
}

// Batch acks all up to the last delivery.
func (p *Parcels) Batch(ctx context.Context, batch []amqp.Delivery) error {
	for _, d := range batch {
		if err := p.keep(ctx, d.Body); err != nil {
			return d.Nack(true, true)
		}
	}
	return batch[len(batch)-1].Ack(true)
}

// Undecodable acks what nobody will ever be able to read.
func (p *Parcels) Undecodable(ctx context.Context, d amqp.Delivery) error {
	var parcel struct{ ID string }
	if err := json.Unmarshal(d.Body, &parcel); err != nil {
		slog.Error("not a parcel", "err", err)
		return d.Ack(false)
	}
	if err := p.keep(ctx, []byte(parcel.ID)); err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Settle leaves the ack to its caller's answer.
func (p *Parcels) Settle(ctx context.Context, d amqp.Delivery) error {
	err := p.keep(ctx, d.Body)
	if err != nil {
		return d.Reject(true)
	}
	return d.Ack(false)
}
