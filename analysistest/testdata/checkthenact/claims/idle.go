package claims

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log"

	"github.com/ThreeDotsLabs/watermill/message"
)

// events dispatches by the kind of an event, behind one dedupe.
type events struct {
	db       *sql.DB
	handlers map[string]func(ctx context.Context, body []byte) error
}

func (e *events) register(kind string, f func(ctx context.Context, body []byte) error) {
	e.handlers[kind] = f
}

func (e *events) seen(ctx context.Context, id string) (bool, error) {
	var found bool
	err := e.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM processed_events WHERE id = $1)`, id).Scan(&found)
	return found, err
}

func (e *events) mark(ctx context.Context, id string) error {
	_, err := e.db.ExecContext(ctx, `INSERT INTO processed_events (id) VALUES ($1)`, id)
	return err
}

// rightIdle has handlers that only log.
func (e *events) rightIdle(m *message.Message) error {
	if found, err := e.seen(m.Context(), m.UUID); err != nil || found {
		return err
	}
	if err := e.handlers[m.Metadata.Get("kind")](m.Context(), m.Payload); err != nil {
		return err
	}
	return e.mark(m.Context(), m.UUID)
}

// AddIdle registers them.
func AddIdle(r *message.Router, sub message.Subscriber, db *sql.DB) {
	e := &events{db: db, handlers: map[string]func(context.Context, []byte) error{}}
	for kind, f := range map[string]func(context.Context, []byte) error{"created": logCreated, "gone": logGone} {
		e.register(kind, f)
	}
	r.AddNoPublisherHandler("idle", "events", sub, e.rightIdle)
}

func logCreated(_ context.Context, body []byte) error {
	var created struct{ ID string }
	if err := json.Unmarshal(body, &created); err != nil {
		return fmt.Errorf("created: %w", err)
	}
	log.Printf("created %s", created.ID)
	return nil
}

func logGone(_ context.Context, body []byte) error {
	log.Printf("gone %s", body)
	return nil
}

// Busy is the same with handlers that nobody knows.
type Busy struct {
	events
	Handlers map[string]func(ctx context.Context, body []byte) error
}

// wrongBusy records after them.
func (b *Busy) wrongBusy(m *message.Message) error {
	if found, err := b.seen(m.Context(), m.UUID); err != nil || found {
		return err
	}
	if err := b.Handlers[m.Metadata.Get("kind")](m.Context(), m.Payload); err != nil {
		return err
	}
	return b.mark(m.Context(), m.UUID) // want record-outside-tx "b.mark records the message after b.Handlers"
}

// AddBusy registers them.
func AddBusy(r *message.Router, sub message.Subscriber, b *Busy) {
	r.AddNoPublisherHandler("busy", "events", sub, b.wrongBusy)
}
