// Package subscriber hands its handlers to an interface.
package subscriber

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"
)

type Event struct{ ID, Type string }

type Handler func(ctx context.Context, e Event) error

type Subscriber interface {
	Subscribe(ctx context.Context, h Handler) error
}

type Publisher interface {
	Publish(ctx context.Context, e Event) error
}

type bus struct {
	js      nats.JetStreamContext
	subject string
}

func (b *bus) Publish(_ context.Context, e Event) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = b.js.Publish(b.subject, data)
	return err
}

func (b *bus) Subscribe(ctx context.Context, h Handler) error {
	sub, err := b.js.PullSubscribe(b.subject, "results")
	if err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
			msgs, err := sub.Fetch(10, nats.MaxWait(time.Second))
			if err != nil {
				continue
			}
			for _, m := range msgs {
				var e Event
				if err := json.Unmarshal(m.Data, &e); err != nil {
					_ = m.Ack()
					continue
				}
				if err := h(ctx, e); err != nil {
					_ = m.Nak()
				} else {
					_ = m.Ack()
				}
			}
		}
	}
}

func New(js nats.JetStreamContext, db *sql.DB) *Scheduler {
	b := &bus{js, "results"}
	return &Scheduler{sub: b, pub: b, db: db}
}

type Scheduler struct {
	sub Subscriber
	pub Publisher
	db  *sql.DB
}

func (s *Scheduler) Start(ctx context.Context) error {
	go func() { _ = s.sub.Subscribe(ctx, s.handleResult) }()
	return s.sub.Subscribe(ctx, func(ctx context.Context, e Event) error {
		switch e.Type {
		case "scheduled":
			return s.handleScheduled(ctx, e)
		case "dropped":
			_ = s.handleDropped(ctx, e)
		}
		return nil
	})
}

// handleResult comes again when it fails.
func (s *Scheduler) handleResult(ctx context.Context, e Event) error {
	if _, err := s.db.ExecContext(ctx, "UPDATE nodes SET result = 'done' WHERE id = $1", e.ID); err != nil {
		return err
	}
	return s.pub.Publish(ctx, Event{ID: e.ID, Type: "completed"})
}

// handleScheduled leaves early on what it does not change.
func (s *Scheduler) handleScheduled(ctx context.Context, e Event) error {
	var node sql.NullString
	if err := s.db.QueryRowContext(ctx, "SELECT node FROM workflows WHERE id = $1", e.ID).Scan(&node); err != nil {
		return err
	}
	if !node.Valid {
		return nil
	}
	if _, err := s.db.ExecContext(ctx, "UPDATE nodes SET started = true WHERE id = $1", node.String); err != nil {
		return err
	}
	return s.pub.Publish(ctx, Event{ID: e.ID, Type: "started"})
}

// handleDropped has its failure dropped.
func (s *Scheduler) handleDropped(ctx context.Context, e Event) error {
	if _, err := s.db.ExecContext(ctx, "UPDATE nodes SET result = 'dropped' WHERE id = $1", e.ID); err != nil {
		return err
	}
	return s.pub.Publish(ctx, Event{ID: e.ID, Type: "dropped"}) // want dual-write
}
