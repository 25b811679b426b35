// Package eventlog makes tables from a log of events, which hands them on in its order.
package eventlog

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"
)

type Event struct{ Type, ID, Status string }

type Log struct{ consumer jetstream.Consumer }

// Tail hands each event on as soon as the one before it is done.
func (l *Log) Tail(ctx context.Context, fn func(context.Context, Event) error) error {
	for {
		msg, err := l.consumer.Next()
		if err != nil {
			return err
		}
		var e Event
		if err := json.Unmarshal(msg.Data(), &e); err != nil {
			return err
		}
		if err := fn(ctx, e); err != nil {
			return err
		}
		if err := msg.Ack(); err != nil {
			return err
		}
	}
}

type Queue struct{ consumer jetstream.Consumer }

// Take is no log.
func (q *Queue) Take(ctx context.Context, fn func(context.Context, Event) error) error {
	for {
		msg, err := q.consumer.Next()
		if err != nil {
			return err
		}
		var e Event
		if err := json.Unmarshal(msg.Data(), &e); err != nil {
			return err
		}
		if err := fn(ctx, e); err != nil {
			_ = msg.Nak()
			continue
		}
		if err := msg.Ack(); err != nil {
			return err
		}
	}
}

type Projector struct{ pool *pgxpool.Pool }

func (p *Projector) rightProjected(ctx context.Context, e Event) error {
	_, err := p.pool.Exec(ctx, "UPDATE runs SET status = $2 WHERE id = $1", e.ID, e.Status)
	return err
}

func (p *Projector) wrongTaken(ctx context.Context, e Event) error {
	_, err := p.pool.Exec(ctx, "UPDATE owners SET status = $2 WHERE id = $1", e.ID, e.Status) // want unguarded "owners.status"
	return err
}

func Run(ctx context.Context, l *Log, q *Queue, p *Projector) error {
	go func() { _ = q.Take(ctx, p.wrongTaken) }()
	return l.Tail(ctx, p.rightProjected)
}
