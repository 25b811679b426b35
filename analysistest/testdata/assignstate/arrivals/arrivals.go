// Package arrivals stores when a message came where it matters when the thing happened.
package arrivals

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

type Paid struct {
	Invoice string
	PaidAt  time.Time
}

type Invoices struct{ db *sql.DB }

func (i *Invoices) SetPaid(ctx context.Context, id string, at time.Time) error {
	_, err := i.db.ExecContext(ctx, "UPDATE invoices SET paid_at = $2 WHERE id = $1 AND paid_at IS NULL", id, at)
	return err
}

type Handlers struct {
	invoices *Invoices
	db       *sql.DB
}

func (h *Handlers) rightPaid(ctx context.Context, e Paid) error {
	return h.invoices.SetPaid(ctx, e.Invoice, e.PaidAt)
}

// wrongPaid stores when the message came, where rightPaid stores what it says.
func (h *Handlers) wrongPaid(ctx context.Context, e Paid) error {
	return h.invoices.SetPaid(ctx, e.Invoice, time.Now()) // want arrival-time "invoices.paid_at"
}

// wrongMeasured: Latest orders by the column.
func (h *Handlers) wrongMeasured(ctx context.Context, e Paid) error {
	_, err := h.db.ExecContext(ctx, "UPDATE meters SET measured_at = $2 WHERE id = $1", e.Invoice, time.Now()) // want arrival-time "meters.measured_at"
	return err
}

// wrongNow: the database's clock is no better.
func (h *Handlers) wrongNow(ctx context.Context, e Paid) error {
	_, err := h.db.ExecContext(ctx, "UPDATE meters SET measured_at = now() WHERE id = $1", e.Invoice) // want arrival-time "meters.measured_at"
	return err
}

func (h *Handlers) Latest(ctx context.Context, since time.Time) (*sql.Rows, error) {
	return h.db.QueryContext(ctx, "SELECT id FROM meters WHERE measured_at > $1", since)
}

// rightBookkeeping: when the row was written is the time of arrival.
func (h *Handlers) rightBookkeeping(ctx context.Context, e Paid) error {
	_, err := h.db.ExecContext(ctx, "UPDATE meters SET updated_at = $2 WHERE id = $1", e.Invoice, time.Now())
	return err
}

func (h *Handlers) Stale(ctx context.Context, since time.Time) (*sql.Rows, error) {
	return h.db.QueryContext(ctx, "SELECT id FROM meters WHERE updated_at < $1 OR last_seen_at < $1", since)
}

// rightHeartbeat: that something is alive is known when its message comes.
func (h *Handlers) rightHeartbeat(ctx context.Context, e Paid) error {
	_, err := h.db.ExecContext(ctx, "UPDATE meters SET last_seen_at = $2 WHERE id = $1", e.Invoice, time.Now())
	return err
}

// rightUnordered: nothing orders by the column, and no other way stores another time.
func (h *Handlers) rightUnordered(ctx context.Context, e Paid) error {
	_, err := h.db.ExecContext(ctx, "UPDATE meters SET replaced_at = $2 WHERE id = $1", e.Invoice, time.Now())
	return err
}

// rightElsewhere: another table has a column that is called so, and orders by it.
func (h *Handlers) rightElsewhere(ctx context.Context, e Paid) error {
	_, err := h.db.ExecContext(ctx, "UPDATE probes SET measured_at = $2 WHERE id = $1", e.Invoice, time.Now())
	return err
}

func handler(ctx context.Context, handle func(context.Context, Paid) error) jetstream.MessageHandler {
	return func(m jetstream.Msg) {
		var e Paid
		if err := json.Unmarshal(m.Data(), &e); err != nil {
			_ = m.Term()
			return
		}
		if err := handle(ctx, e); err != nil {
			_ = m.Nak()
			return
		}
		_ = m.Ack()
	}
}

func Start(ctx context.Context, c jetstream.Consumer, h *Handlers) error {
	for _, handle := range []func(context.Context, Paid) error{
		h.rightPaid, h.wrongPaid, h.wrongMeasured, h.wrongNow, h.rightBookkeeping, h.rightHeartbeat, h.rightUnordered, h.rightElsewhere,
	} {
		if _, err := c.Consume(handler(ctx, handle)); err != nil {
			return err
		}
	}
	return nil
}
