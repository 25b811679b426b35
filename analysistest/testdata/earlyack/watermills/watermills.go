// Package watermills takes messages from watermill's routers and subscribers.
package watermills

import (
	"context"
	"log/slog"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jmoiron/sqlx"
)

// Rooms keeps bookings.
type Rooms struct{ db *sqlx.DB }

func (r *Rooms) keep(ctx context.Context, payload []byte) error {
	_, err := r.db.ExecContext(ctx, `INSERT INTO bookings (payload) VALUES (?)`, payload)
	return err
}

// Routes registers with the router, which acks what returns nil.
func (r *Rooms) Routes(router *message.Router, sub message.Subscriber) {
	router.AddConsumerHandler("returned", "bookings", sub, r.returned)
	router.AddConsumerHandler("hidden", "bookings", sub, r.hidden)
}

func (r *Rooms) returned(m *message.Message) error { return r.keep(m.Context(), m.Payload) }

func (r *Rooms) hidden(m *message.Message) error {
	if err := r.keep(m.Context(), m.Payload); err != nil { // want on-failure "the handler returns no error"
		slog.Error("keep", "err", err)
	}
	return nil
}

// First acks before it stores.
func (r *Rooms) First(ctx context.Context, sub message.Subscriber) error {
	msgs, err := sub.Subscribe(ctx, "bookings")
	if err != nil {
		return err
	}
	for m := range msgs {
		m.Ack() // want before-effect "m.Ack runs before r.keep"
		if err := r.keep(ctx, m.Payload); err != nil {
			slog.Error("keep", "err", err)
		}
	}
	return nil
}

// Last stores before it acks.
func (r *Rooms) Last(ctx context.Context, sub message.Subscriber) error {
	msgs, err := sub.Subscribe(ctx, "bookings")
	if err != nil {
		return err
	}
	for m := range msgs {
		if err := r.keep(ctx, m.Payload); err != nil {
			m.Nack()
			continue
		}
		m.Ack()
	}
	return nil
}

// Anyway acks what failed.
func (r *Rooms) Anyway(ctx context.Context, sub message.Subscriber) error {
	msgs, err := sub.Subscribe(ctx, "bookings")
	if err != nil {
		return err
	}
	for m := range msgs {
		if err := r.keep(ctx, m.Payload); err != nil { // want on-failure "r.keep may fail, and m.Ack"
			slog.Error("keep", "err", err)
		}
		m.Ack()
	}
	return nil
}
