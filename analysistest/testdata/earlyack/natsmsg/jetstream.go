package natsmsg

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go/jetstream"
)

// First acks and then stores.
func (s *Sensors) First(ctx context.Context, c jetstream.Consumer) (jetstream.ConsumeContext, error) {
	return c.Consume(func(m jetstream.Msg) {
		if err := m.Ack(); err != nil { // want before-effect "m.Ack runs before s.keep"
			return
		}
		if err := s.keep(ctx, m.Data()); err != nil {
			slog.Error("keep", "err", err)
		}
	})
}

// Last stores and then acks.
func (s *Sensors) Last(ctx context.Context, c jetstream.Consumer) (jetstream.ConsumeContext, error) {
	return c.Consume(func(m jetstream.Msg) {
		if err := s.keep(ctx, m.Data()); err != nil {
			_ = m.NakWithDelay(1000)
			return
		}
		_ = m.Ack()
	})
}

// Terminated gives up what failed: it says so, and doesn't pass for done.
func (s *Sensors) Terminated(ctx context.Context, c jetstream.Consumer) (jetstream.ConsumeContext, error) {
	return c.Consume(func(m jetstream.Msg) {
		if err := s.keep(ctx, m.Data()); err != nil {
			slog.Error("keep", "err", err)
			_ = m.Term()
			return
		}
		_ = m.Ack()
	})
}

// Unacked has a consumer whose policy is none.
func (s *Sensors) Unacked(ctx context.Context, js jetstream.JetStream) (jetstream.ConsumeContext, error) {
	c, err := js.CreateOrUpdateConsumer(ctx, "READINGS", jetstream.ConsumerConfig{Durable: "sensors", AckPolicy: jetstream.AckNonePolicy})
	if err != nil {
		return nil, err
	}
	return c.Consume(func(m jetstream.Msg) { // want auto-ack
		if err := s.keep(ctx, m.Data()); err != nil {
			slog.Error("keep", "err", err)
		}
	})
}

// Nexts reads one by one, and acks however it ends.
func (s *Sensors) Nexts(ctx context.Context, c jetstream.Consumer) error {
	it, err := c.Messages()
	if err != nil {
		return err
	}
	for {
		m, err := it.Next()
		if err != nil {
			return err
		}
		if err := s.keep(ctx, m.Data()); err != nil { // want on-failure "and m.Ack"
			slog.Error("keep", "err", err)
		}
		if err := m.Ack(); err != nil {
			return err
		}
	}
}

// NextsRight acks what is stored.
func (s *Sensors) NextsRight(ctx context.Context, c jetstream.Consumer) error {
	it, err := c.Messages()
	if err != nil {
		return err
	}
	for {
		m, err := it.Next()
		if err != nil {
			return err
		}
		if err := s.keep(ctx, m.Data()); err != nil {
			slog.Error("keep", "err", err)
			continue
		}
		if err := m.Ack(); err != nil {
			return err
		}
	}
}
