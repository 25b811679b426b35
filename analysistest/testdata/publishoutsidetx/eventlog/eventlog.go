// Package eventlog keeps its state in a log of events, from which tables are made.
package eventlog

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"
)

type Event struct {
	Type, ID string
	Sequence uint64
}

type Log struct{ js jetstream.JetStream }

func (l *Log) Append(ctx context.Context, e Event) (Event, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return Event{}, err
	}
	ack, err := l.js.Publish(ctx, "events."+e.Type, data)
	if err != nil {
		return Event{}, fmt.Errorf("append: %w", err)
	}
	e.Sequence = ack.Sequence
	return e, nil
}

type Projector struct{ pool *pgxpool.Pool }

func (p *Projector) Apply(ctx context.Context, e Event) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE owners SET seq = $2 WHERE id = $1 AND seq < $2", e.ID, e.Sequence)
		return err
	})
}

type Orchestrator struct {
	log  *Log
	proj *Projector
}

func (o *Orchestrator) emit(ctx context.Context, e Event) error {
	e, err := o.log.Append(ctx, e)
	if err != nil {
		return err
	}
	return o.proj.Apply(ctx, e)
}

// Rename and then Close: what is stored in between is made from the first event.
func (o *Orchestrator) Rename(ctx context.Context, id string) error {
	if err := o.emit(ctx, Event{Type: "renamed", ID: id}); err != nil {
		return err
	}
	return o.emit(ctx, Event{Type: "closed", ID: id})
}
