// Package books keeps books of what was handled, beside what is done.
package books

import (
	"context"
	"database/sql"
	"log/slog"

	"github.com/ThreeDotsLabs/watermill/message"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
)

// Books keeps them in a database.
type Books struct {
	db       *sql.DB
	handlers map[string]func(ctx context.Context, body []byte) error
}

// Add registers the handlers.
func (b *Books) Add(r *message.Router, sub message.Subscriber) {
	r.AddNoPublisherHandler("after", "orders", sub, b.rightRecordAfter)
	r.AddNoPublisherHandler("first", "orders", sub, b.wrongRecordFirst)
	r.AddNoPublisherHandler("accounts", "orders", sub, b.wrongAccount)
	r.AddNoPublisherHandler("telemetry", "orders", sub, b.wrongTelemetry)
}

// Register adds what handles a kind.
func (b *Books) Register(kind string, f func(ctx context.Context, body []byte) error) {
	b.handlers[kind] = f
}

func (b *Books) seen(ctx context.Context, id string) (bool, error) {
	var found bool
	err := b.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM processed_events WHERE id = $1)`, id).Scan(&found)
	return found, err
}

func (b *Books) mark(ctx context.Context, id string) error {
	_, err := b.db.ExecContext(ctx, `INSERT INTO processed_events (id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
	return err
}

func (b *Books) keep(ctx context.Context, id string) error {
	_, err := b.db.ExecContext(ctx, `UPDATE orders SET paid = true WHERE id = $1`, id)
	return err
}

// rightRecordAfter has handled the message when the record fails.
func (b *Books) rightRecordAfter(m *message.Message) error {
	found, err := b.seen(m.Context(), m.UUID)
	if err != nil {
		return err
	}
	if found {
		return nil
	}
	if err := b.handlers[m.Metadata.Get("kind")](m.Context(), m.Payload); err != nil {
		return err
	}
	if err := b.mark(m.Context(), m.UUID); err != nil {
		slog.Error("mark", "err", err)
	}
	return nil
}

// wrongRecordFirst has not.
func (b *Books) wrongRecordFirst(m *message.Message) error {
	found, err := b.seen(m.Context(), m.UUID)
	if err != nil {
		return err
	}
	if found {
		return nil
	}
	if err := b.mark(m.Context(), m.UUID); err != nil { // want on-failure "b.mark may fail, and the handler returns no error"
		slog.Error("mark", "err", err)
		return nil
	}
	return b.handlers[m.Metadata.Get("kind")](m.Context(), m.Payload)
}

// wrongAccount makes a row where there is none, before the rest of the work.
func (b *Books) wrongAccount(m *message.Message) error {
	if err := b.account(m.Context(), m.UUID); err != nil { // want on-failure "b.account may fail, and the handler returns no error"
		slog.Error("account", "err", err)
	}
	return nil
}

func (b *Books) account(ctx context.Context, id string) error {
	var found bool
	if err := b.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM accounts WHERE id = $1)`, id).Scan(&found); err != nil {
		return err
	}
	if found {
		return nil
	}
	_, err := b.db.ExecContext(ctx, `INSERT INTO accounts (id) VALUES ($1)`, id)
	return err
}

// PayloadTracker tells others how far a payload has come.
type PayloadTracker struct{ w *kafka.Writer }

func (t *PayloadTracker) track(ctx context.Context, id, state string) error {
	return t.w.WriteMessages(ctx, kafka.Message{Key: []byte(id), Value: []byte(state)})
}

// wrongTelemetry tells of how the message was handled, which makes up for nothing.
func (b *Books) wrongTelemetry(m *message.Message) error {
	b.told(m, &PayloadTracker{})
	return nil
}

func (b *Books) told(m *message.Message, t *PayloadTracker) {
	_ = t.track(m.Context(), m.UUID, "received")
	err := b.keep(m.Context(), m.UUID) // want on-failure "b.keep may fail, and the handler returns no error"
	_ = t.track(m.Context(), m.UUID, "processed")
	if err != nil {
		slog.Error("keep", "err", err)
	}
}

// RightRun acks when the order is kept, and notes the run.
func (b *Books) RightRun(ctx context.Context, ds <-chan amqp.Delivery) error {
	for d := range ds {
		if err := b.keep(ctx, d.MessageId); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		if err := d.Ack(false); err != nil {
			return err
		}
		if _, err := b.db.ExecContext(ctx, `INSERT INTO import_runs (id, rows_in) VALUES ($1, 1)`, d.MessageId); err != nil {
			return err
		}
	}
	return nil
}

// RightCursor stores how far it has come.
func (b *Books) RightCursor(ctx context.Context, ds <-chan amqp.Delivery) error {
	for d := range ds {
		if err := b.keep(ctx, d.MessageId); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		if err := d.Ack(false); err != nil {
			return err
		}
		if err := b.saveCursor(ctx, d.MessageId); err != nil {
			return err
		}
	}
	return nil
}

func (b *Books) saveCursor(ctx context.Context, id string) error {
	_, err := b.db.ExecContext(ctx, `UPDATE sync SET last = $1 WHERE name = 'orders'`, id)
	return err
}

// WrongSecond has half of the work before it when it acks.
func (b *Books) WrongSecond(ctx context.Context, ds <-chan amqp.Delivery) error {
	for d := range ds {
		if err := b.keep(ctx, d.MessageId); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		if err := d.Ack(false); err != nil { // want before-effect "d.Ack runs before db.ExecContext"
			return err
		}
		if _, err := b.db.ExecContext(ctx, `INSERT INTO import_runs (id, rows_in) VALUES ($1, 1)`, d.MessageId); err != nil {
			return err
		}
		if _, err := b.db.ExecContext(ctx, `UPDATE stock SET reserved = true WHERE order_id = $1`, d.MessageId); err != nil {
			return err
		}
	}
	return nil
}

// WrongOnly does nothing before it acks.
func (b *Books) WrongOnly(ctx context.Context, ds <-chan amqp.Delivery) error {
	for d := range ds {
		if err := d.Ack(false); err != nil { // want before-effect "d.Ack runs before db.ExecContext"
			return err
		}
		if _, err := b.db.ExecContext(ctx, `INSERT INTO import_runs (id, rows_in) VALUES ($1, 1)`, d.MessageId); err != nil {
			return err
		}
	}
	return nil
}
