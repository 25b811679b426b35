// Package injected keeps the service apart from its database and its broker: it
// knows two interfaces of its own, and what stands behind them is elsewhere in the
// module. The mocks beside them count for nothing.
package injected

import (
	"context"
	"fmt"
)

type Booking struct {
	ID, Guest string
	Nights    int
}

type BookingStore interface {
	Put(ctx context.Context, b *Booking) error
	Find(ctx context.Context, id string) (*Booking, error)
	Remove(ctx context.Context, b *Booking) error
}

// Announcer has no method that is called Publish.
type Announcer interface {
	Booked(ctx context.Context, b *Booking) error
	Cancelled(ctx context.Context, b *Booking)
}

// Journal has one, which writes a row.
type Journal interface {
	Publish(ctx context.Context, kind string, b *Booking) error
}

// Gauge counts.
type Gauge interface {
	Emit(ctx context.Context, b *Booking)
}

type Desk struct {
	store   BookingStore
	tell    Announcer
	journal Journal
	gauge   Gauge
	tx      Transactor
}

// Transactor runs fn in a transaction that it keeps in the context.
type Transactor interface {
	WithinBooking(ctx context.Context, b *Booking, fn func(ctx context.Context) error) error
}

func NewDesk(store BookingStore, tell Announcer, journal Journal, gauge Gauge, tx Transactor) *Desk {
	return &Desk{store: store, tell: tell, journal: journal, gauge: gauge, tx: tx}
}

func (d *Desk) Book(ctx context.Context, b *Booking) error {
	if b.Nights < 1 {
		return fmt.Errorf("booking of %d nights", b.Nights)
	}
	if err := d.store.Put(ctx, b); err != nil {
		return fmt.Errorf("store booking: %w", err)
	}
	return d.tell.Booked(ctx, b) // want dual-write "follows"
}

func (d *Desk) Cancel(ctx context.Context, id string) error {
	b, err := d.store.Find(ctx, id)
	if err != nil {
		return err
	}
	if err := d.store.Remove(ctx, b); err != nil {
		return err
	}
	d.tell.Cancelled(ctx, b) // want dual-write "follows"
	return nil
}

func (d *Desk) Extend(ctx context.Context, b *Booking, nights int) error {
	err := d.tx.WithinBooking(ctx, b, func(ctx context.Context) error {
		b.Nights += nights
		return d.store.Put(ctx, b)
	})
	if err != nil {
		return err
	}
	return d.tell.Booked(ctx, b) // want after-commit "runs after"
}

func (d *Desk) Shorten(ctx context.Context, b *Booking, nights int) error {
	return d.tx.WithinBooking(ctx, b, func(ctx context.Context) error {
		b.Nights -= nights
		if err := d.store.Put(ctx, b); err != nil {
			return err
		}
		return d.tell.Booked(ctx, b) // want inside-tx "transaction"
	})
}

// BookLater writes the booking and a row of the journal together.
func (d *Desk) BookLater(ctx context.Context, b *Booking) error {
	return d.tx.WithinBooking(ctx, b, func(ctx context.Context) error {
		if err := d.store.Put(ctx, b); err != nil {
			return err
		}
		return d.journal.Publish(ctx, "booked", b)
	})
}

// Walk in: only a counter hears of it.
func (d *Desk) WalkIn(ctx context.Context, b *Booking) error {
	if err := d.store.Put(ctx, b); err != nil {
		return err
	}
	d.gauge.Emit(ctx, b)
	return nil
}

// Confirm only asks for mail to be sent; nothing of ours changes.
func (d *Desk) Confirm(ctx context.Context, id string) error {
	b, err := d.store.Find(ctx, id)
	if err != nil {
		return err
	}
	return d.tell.Booked(ctx, b)
}
