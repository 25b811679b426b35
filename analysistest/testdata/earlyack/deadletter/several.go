package deadletter

import (
	"context"
	"database/sql"
	"log/slog"

	"github.com/redis/go-redis/v9"
)

// Event is what a stream tells.
type Event struct {
	ID, Body string
}

type eventHandler interface {
	HandleEvent(ctx context.Context, e Event) error
}

// Several gives a message to each of its handlers.
type Several struct{ handlers []eventHandler }

// HandleEvent fails when one does.
func (s *Several) HandleEvent(ctx context.Context, e Event) error {
	for _, h := range s.handlers {
		if err := h.HandleEvent(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// Invites hides its failures: that other handlers' messages are put away makes up for
// none of them.
type Invites struct{ db *sql.DB }

// HandleEvent tells each attendee.
func (i *Invites) HandleEvent(ctx context.Context, e Event) error {
	for _, who := range []string{"a", "b"} {
		if err := i.send(ctx, e, who); err != nil { // want on-failure "acks all the same"
			slog.Error("send", "err", err)
		}
	}
	return nil
}

func (i *Invites) send(ctx context.Context, e Event, who string) error {
	_, err := i.db.ExecContext(ctx, `INSERT INTO mails (event_id, rcpt) VALUES ($1, $2)`, e.ID, who)
	return err
}

// Keeps tells of its failures.
type Keeps struct{ db *sql.DB }

// HandleEvent keeps an event.
func (k *Keeps) HandleEvent(ctx context.Context, e Event) error {
	_, err := k.db.ExecContext(ctx, `INSERT INTO events (id, body) VALUES ($1, $2)`, e.ID, e.Body)
	return err
}

// Stream reads for the handlers.
type Stream struct {
	client  *redis.Client
	handler eventHandler
}

// NewStream makes one.
func NewStream(c *redis.Client, db *sql.DB) *Stream {
	return &Stream{c, &Several{[]eventHandler{&Invites{db}, &Keeps{db}}}}
}

// Run puts away what fails.
func (s *Stream) Run(ctx context.Context) error {
	for {
		res, err := s.client.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "mail", Consumer: "a", Streams: []string{"events", ">"}}).Result()
		if err != nil {
			return err
		}
		for _, m := range res[0].Messages {
			if err := s.one(ctx, m); err != nil {
				return err
			}
		}
	}
}

func (s *Stream) one(ctx context.Context, m redis.XMessage) error {
	body, _ := m.Values["body"].(string)
	if err := s.handler.HandleEvent(ctx, Event{m.ID, body}); err != nil {
		if err := s.putAway(ctx, m); err != nil {
			return err
		}
		return s.client.XAck(ctx, "events", "mail", m.ID).Err()
	}
	return s.client.XAck(ctx, "events", "mail", m.ID).Err()
}

func (s *Stream) putAway(ctx context.Context, m redis.XMessage) error {
	return s.client.XAdd(ctx, &redis.XAddArgs{Stream: "events.dead", Values: m.Values}).Err()
}
