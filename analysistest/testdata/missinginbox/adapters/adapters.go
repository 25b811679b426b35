// Package adapters hands deliveries on through functions with methods.
package adapters

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/nats-io/nats.go"
)

type Handler interface {
	Handle(ctx context.Context, body []byte) error
}

type HandlerFunc func(ctx context.Context, body []byte) error

func (f HandlerFunc) Handle(ctx context.Context, body []byte) error { return f(ctx, body) }

type Stream struct{ js nats.JetStreamContext }

func (s *Stream) Subscribe(subject string, h Handler) error {
	_, err := s.js.Subscribe(subject, func(m *nats.Msg) {
		if err := h.Handle(context.Background(), m.Data); err != nil {
			_ = m.Nak()
			return
		}
		_ = m.Ack()
	}, nats.ManualAck())
	return err
}

type Prices struct {
	table string
	db    *sql.DB
}

func (p *Prices) named(query string) string { return fmt.Sprintf(query, p.table) }

func (p *Prices) Raise(ctx context.Context, id string) error {
	const query = "UPDATE %s SET price = price + 1 WHERE id = $1"
	_, err := p.db.ExecContext(ctx, p.named(query), id)
	return err
}

func Register(s *Stream, p *Prices) error {
	h := HandlerFunc(func(ctx context.Context, body []byte) error {
		return p.Raise(ctx, string(body)) // want no-dedupe "adds to price"
	})
	return s.Subscribe("prices", h)
}
