// Package states has statements that set a state, and what may follow which.
package states

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hibiken/asynq"
)

// Event is a message.
type Event struct{ ID string }

func read(t *asynq.Task) (e Event, err error) {
	err = json.Unmarshal(t.Payload(), &e)
	return e, err
}

// Parcels keeps its table's name in a field.
type Parcels struct {
	db    *sql.DB
	table string
}

func (p *Parcels) SetStatus(ctx context.Context, id, status string) error {
	const query = `UPDATE %s SET parcel_status = $2 WHERE id = $1`

	_, err := p.db.ExecContext(ctx, fmt.Sprintf(query, p.table), id, status) // want unguarded
	return err
}

func (p *Parcels) wrongPacked(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	return p.SetStatus(ctx, e.ID, "packed")
}

func (p *Parcels) wrongDelivered(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	return p.SetStatus(ctx, e.ID, "delivered")
}

func (p *Parcels) wrongCancelled(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	return p.SetStatus(ctx, e.ID, "cancelled")
}

// Bookings ask how many rows have changed.
type Bookings struct{ db *sql.DB }

var errNoBooking = errors.New("no such booking")

func (b *Bookings) set(ctx context.Context, id, status string) error {
	query := `
		UPDATE bookings
		SET status = $1, updated_at = NOW()
		WHERE id = $2`
	res, err := b.db.ExecContext(ctx, query, status, id) // want unguarded
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errNoBooking
	}
	return nil
}

func (b *Bookings) wrongConfirmed(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	return b.set(ctx, e.ID, "confirmed")
}

func (b *Bookings) wrongRejected(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	return b.set(ctx, e.ID, "rejected")
}

// Invoices have a statement for each state.
type Invoices struct{ db *sql.DB }

func (i *Invoices) wrongPaid(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	_, err = i.db.ExecContext(ctx, "UPDATE invoices SET status = 'PAID', paid_at = $2 WHERE id = $1", e.ID, e.ID) // want unguarded
	return err
}

func (i *Invoices) wrongFailed(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	_, err = i.db.ExecContext(ctx, "UPDATE invoices SET status = 'PAYMENT_FAILED' WHERE id = $1", e.ID) // want unguarded
	return err
}

// Refunded follows what is paid: a fix that kept the one from the other would lose it.
func (i *Invoices) wrongRefunded(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	_, err = i.db.ExecContext(ctx, "UPDATE invoices SET status = 'REFUNDED' WHERE id = $1", e.ID) // want unguarded
	return err
}

// Tickets are closed by people too, and opened again: there is no fix, for they may not
// be refused what they could do before.
type Tickets struct{ db *sql.DB }

func (s *Tickets) set(ctx context.Context, id, status string) error {
	_, err := s.db.ExecContext(ctx, "UPDATE tickets SET status = $2 WHERE id = $1", id, status) // want unguarded
	return err
}

func (s *Tickets) wrongRejected(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	return s.set(ctx, e.ID, "rejected")
}

func (s *Tickets) wrongDone(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	return s.set(ctx, e.ID, "done")
}

// Reopen is what a person asks for.
func (s *Tickets) Reopen(ctx context.Context, id string) error { return s.set(ctx, id, "open") }

// Lamps are on and off.
type Lamps struct{ db *sql.DB }

func (l *Lamps) set(ctx context.Context, id, status string) error {
	_, err := l.db.ExecContext(ctx, "UPDATE lamps SET status = $2 WHERE id = $1", id, status) // want unguarded
	return err
}

func (l *Lamps) wrongOn(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	return l.set(ctx, e.ID, "online")
}

func (l *Lamps) wrongOff(ctx context.Context, t *asynq.Task) error {
	e, err := read(t)
	if err != nil {
		return err
	}
	return l.set(ctx, e.ID, "offline")
}

// Work registers them.
func Work(mux *asynq.ServeMux, p *Parcels, b *Bookings, i *Invoices, s *Tickets, l *Lamps) {
	mux.HandleFunc("parcel.packed", p.wrongPacked)
	mux.HandleFunc("parcel.delivered", p.wrongDelivered)
	mux.HandleFunc("parcel.cancelled", p.wrongCancelled)
	mux.HandleFunc("booking.confirmed", b.wrongConfirmed)
	mux.HandleFunc("booking.rejected", b.wrongRejected)
	mux.HandleFunc("invoice.paid", i.wrongPaid)
	mux.HandleFunc("invoice.failed", i.wrongFailed)
	mux.HandleFunc("invoice.refunded", i.wrongRefunded)
	mux.HandleFunc("ticket.rejected", s.wrongRejected)
	mux.HandleFunc("ticket.done", s.wrongDone)
	mux.HandleFunc("lamp.on", l.wrongOn)
	mux.HandleFunc("lamp.off", l.wrongOff)
}
