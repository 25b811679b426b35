package cloud

import (
	"context"
	"log/slog"

	"cloud.google.com/go/pubsub/v2"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Seats keeps what was taken.
type Seats struct{ pool *pgxpool.Pool }

func (s *Seats) keep(ctx context.Context, data []byte) error {
	_, err := s.pool.Exec(ctx, `INSERT INTO seats (data) VALUES ($1)`, data)
	return err
}

// First acks, and then stores.
func (s *Seats) First(ctx context.Context, sub *pubsub.Subscriber) error {
	return sub.Receive(ctx, func(ctx context.Context, m *pubsub.Message) {
		m.Ack() // want before-effect "m.Ack runs before s.keep"
		if err := s.keep(ctx, m.Data); err != nil {
			slog.Error("keep", "err", err)
		}
	})
}

// Last stores, and then acks.
func (s *Seats) Last(ctx context.Context, sub *pubsub.Subscriber) error {
	return sub.Receive(ctx, func(ctx context.Context, m *pubsub.Message) {
		if err := s.keep(ctx, m.Data); err != nil {
			m.Nack()
			return
		}
		m.Ack()
	})
}

// Deferred acks at the end, whatever happens.
func (s *Seats) Deferred(ctx context.Context, sub *pubsub.Subscriber) error {
	return sub.Receive(ctx, func(ctx context.Context, m *pubsub.Message) {
		defer m.Ack()
		if err := s.keep(ctx, m.Data); err != nil { // want on-failure "s.keep may fail, and m.Ack"
			slog.Error("keep", "err", err)
			return
		}
	})
}

// Told acks what it could not store, and calls that an answer.
func (s *Seats) Told(ctx context.Context, sub *pubsub.Subscriber) error {
	return sub.Receive(ctx, func(ctx context.Context, m *pubsub.Message) {
		if err := s.keep(ctx, m.Data); err != nil { // want on-failure "s.keep may fail, and m.Ack"
			slog.Error("keep", "err", err)
		}
		m.Ack()
	})
}

// Method passes a method.
func (s *Seats) Method(ctx context.Context, sub *pubsub.Subscriber) error {
	return sub.Receive(ctx, s.receive)
}

func (s *Seats) receive(ctx context.Context, m *pubsub.Message) {
	m.Ack() // want before-effect "m.Ack runs before s.reserve"
	_ = s.reserve(ctx, m)
}

func (s *Seats) reserve(ctx context.Context, m *pubsub.Message) error {
	if err := s.keep(ctx, m.Data); err != nil {
		return err
	}
	slog.Info("kept")
	return nil
}
