// Package chain builds a publisher of middleware: functions that take the next one.
// One of them doesn't call it.
package chain

import (
	"context"
	"database/sql"
	"log/slog"

	"github.com/nats-io/nats.go"
)

type Wire struct {
	Subject string
	Data    []byte
}

type WirePublisher interface {
	PublishWire(ctx context.Context, w Wire) error
}

type WireFunc func(ctx context.Context, w Wire) error

func (f WireFunc) PublishWire(ctx context.Context, w Wire) error { return f(ctx, w) }

type Middleware func(next WirePublisher) WirePublisher

// with puts the middleware around p, the first outermost.
func with(p WirePublisher, m ...Middleware) WirePublisher {
	for i := len(m) - 1; i >= 0; i-- {
		p = m[i](p)
	}
	return p
}

func traced(next WirePublisher) WirePublisher {
	return WireFunc(func(ctx context.Context, w Wire) error {
		slog.DebugContext(ctx, "wire", "subject", w.Subject)
		return next.PublishWire(ctx, w)
	})
}

// outboxed stores the wire and drops what comes after it.
func outboxed(store *wireStore) Middleware {
	return func(WirePublisher) WirePublisher {
		return WireFunc(func(ctx context.Context, w Wire) error { return store.save(ctx, w) })
	}
}

type wireStore struct{ tx *sql.Tx }

func (s *wireStore) save(ctx context.Context, w Wire) error {
	_, err := s.tx.ExecContext(ctx, "INSERT INTO wire_outbox (subject, data) VALUES ($1, $2)", w.Subject, w.Data)
	return err
}

type broker struct{ nc *nats.Conn }

func (b broker) PublishWire(_ context.Context, w Wire) error { return b.nc.Publish(w.Subject, w.Data) }

type Switchboard struct {
	db *sql.DB
	nc *nats.Conn
}

func (s *Switchboard) Connect(ctx context.Context, line string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	p := with(broker{s.nc}, traced, outboxed(&wireStore{tx}))
	if _, err := tx.ExecContext(ctx, "UPDATE lines SET busy = true WHERE id = $1", line); err != nil {
		return err
	}
	if err := p.PublishWire(ctx, Wire{"lines.busy", []byte(line)}); err != nil {
		return err
	}
	return tx.Commit()
}

// Relay has the same type without that middleware.
func (s *Switchboard) Relay(ctx context.Context) error {
	p := with(broker{s.nc}, traced)
	var w Wire
	row := s.db.QueryRowContext(ctx, "SELECT subject, data FROM wire_outbox ORDER BY id LIMIT 1")
	if err := row.Scan(&w.Subject, &w.Data); err != nil {
		return err
	}
	if err := p.PublishWire(ctx, w); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "DELETE FROM wire_outbox WHERE subject = $1", w.Subject)
	return err
}
