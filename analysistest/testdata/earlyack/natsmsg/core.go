// Package natsmsg takes messages from NATS and JetStream.
package natsmsg

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go"
	"gorm.io/gorm"
)

// Reading is what is kept.
type Reading struct{ Value []byte }

// Sensors keeps readings.
type Sensors struct{ db *gorm.DB }

func (s *Sensors) keep(ctx context.Context, value []byte) error {
	return s.db.WithContext(ctx).Create(&Reading{Value: value}).Error
}

// Core is delivered at most once, whatever the code does: there is no ack to be early.
func (s *Sensors) Core(nc *nats.Conn) error {
	_, err := nc.Subscribe("readings", func(m *nats.Msg) {
		if err := s.keep(context.Background(), m.Data); err != nil {
			slog.Error("keep", "err", err)
		}
	})
	return err
}

// Returning has the library ack when the callback returns, after a failure too.
func (s *Sensors) Returning(js nats.JetStreamContext) error {
	_, err := js.Subscribe("readings", func(m *nats.Msg) {
		if err := s.keep(context.Background(), m.Data); err != nil { // want on-failure "s.keep may fail"
			slog.Error("keep", "err", err)
		}
	}, nats.Durable("sensors"))
	return err
}

// Manual acks what it has stored.
func (s *Sensors) Manual(js nats.JetStreamContext) error {
	_, err := js.Subscribe("readings", func(m *nats.Msg) {
		if err := s.keep(context.Background(), m.Data); err != nil {
			_ = m.Nak()
			return
		}
		_ = m.Ack()
	}, nats.Durable("sensors"), nats.ManualAck())
	return err
}

// ManualWaits says nothing after a failure: the server delivers again by itself.
func (s *Sensors) ManualWaits(js nats.JetStreamContext) error {
	_, err := js.Subscribe("readings", func(m *nats.Msg) {
		if err := s.keep(context.Background(), m.Data); err != nil {
			slog.Error("keep", "err", err)
			return
		}
		_ = m.Ack()
	}, nats.Durable("sensors"), nats.ManualAck())
	return err
}

// ManualFirst acks first.
func (s *Sensors) ManualFirst(js nats.JetStreamContext) error {
	_, err := js.QueueSubscribe("readings", "sensors", func(m *nats.Msg) {
		_ = m.Ack() // want before-effect "m.Ack runs before s.keep"
		if err := s.keep(context.Background(), m.Data); err != nil {
			slog.Error("keep", "err", err)
		}
	}, nats.ManualAck())
	return err
}

// None is acked by the server as it sends.
func (s *Sensors) None(js nats.JetStreamContext) error {
	_, err := js.Subscribe("readings", func(m *nats.Msg) { // want auto-ack
		if err := s.keep(context.Background(), m.Data); err != nil {
			slog.Error("keep", "err", err)
		}
	}, nats.AckNone())
	return err
}

// Pulled fetches a batch and acks each.
func (s *Sensors) Pulled(ctx context.Context, sub *nats.Subscription) error {
	msgs, err := sub.Fetch(10)
	if err != nil {
		return err
	}
	for _, m := range msgs {
		if err := s.keep(ctx, m.Data); err != nil {
			if err := m.Nak(); err != nil {
				return err
			}
			continue
		}
		if err := m.Ack(); err != nil {
			return err
		}
	}
	return nil
}

// PulledAnyway acks what failed.
func (s *Sensors) PulledAnyway(ctx context.Context, sub *nats.Subscription) error {
	msgs, err := sub.Fetch(10)
	if err != nil {
		return err
	}
	for _, m := range msgs {
		if err := s.keep(ctx, m.Data); err != nil { // want on-failure "and m.Ack"
			slog.Error("keep", "err", err)
		}
		if err := m.Ack(); err != nil {
			return err
		}
	}
	return nil
}
