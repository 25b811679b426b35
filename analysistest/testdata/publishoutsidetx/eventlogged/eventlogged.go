// Package eventlogged tells a log of what it has stored in its tables.
package eventlogged

import (
	"context"
	"encoding/json"
	"fmt"

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

type Owners struct {
	log  *Log
	pool *pgxpool.Pool
}

// Store writes first; the log tells of it.
func (o *Owners) Store(ctx context.Context, id string) error {
	if _, err := o.pool.Exec(ctx, "INSERT INTO holders (id) VALUES ($1)", id); err != nil {
		return err
	}
	_, err := o.log.Append(ctx, Event{Type: "stored", ID: id}) // want dual-write
	return err
}
