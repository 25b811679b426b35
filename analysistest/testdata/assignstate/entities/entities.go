// Package entities loads an entity, assigns what a message says, and stores it.
package entities

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

type Booking struct {
	ID        string
	Status    string
	Guest     string
	Version   int64
	ChangedAt time.Time
}

type BookingChanged struct {
	ID, Status, Guest string
	Version           int64
	At                time.Time
}

// Bookings is where bookings are kept.
type Bookings interface {
	Get(ctx context.Context, id string) (*Booking, error)
	// Hold is like Get and locks the row until the transaction of the context ends.
	Hold(ctx context.Context, id string) (*Booking, error)
	Save(ctx context.Context, b *Booking) error
}

type SQLBookings struct{ db *sql.DB }

func (r *SQLBookings) Get(ctx context.Context, id string) (*Booking, error) {
	var b Booking
	err := r.db.QueryRowContext(ctx, "SELECT id, status, guest, version, changed_at FROM bookings WHERE id = $1", id).
		Scan(&b.ID, &b.Status, &b.Guest, &b.Version, &b.ChangedAt)
	return &b, err
}

func (r *SQLBookings) Hold(ctx context.Context, id string) (*Booking, error) {
	var b Booking
	err := r.db.QueryRowContext(ctx, "SELECT id, status, guest, version, changed_at FROM bookings WHERE id = $1 FOR UPDATE", id).
		Scan(&b.ID, &b.Status, &b.Guest, &b.Version, &b.ChangedAt)
	return &b, err
}

func (r *SQLBookings) Save(ctx context.Context, b *Booking) error {
	_, err := r.db.ExecContext(ctx, "UPDATE bookings SET status = $2, guest = $3, version = $4, changed_at = $5 WHERE id = $1",
		b.ID, b.Status, b.Guest, b.Version, b.ChangedAt)
	return err
}

type Service struct{ bookings Bookings }

func NewService(db *sql.DB) *Service { return &Service{&SQLBookings{db}} }

func (s *Service) wrongAssign(ctx context.Context, e BookingChanged) error {
	b, err := s.bookings.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	b.Status = e.Status // want unguarded "Booking.Status is set from e.Status"
	return s.bookings.Save(ctx, b)
}

// wrongStored stores the time of the change with it, and doesn't look at it before.
func (s *Service) wrongStored(ctx context.Context, e BookingChanged) error {
	b, err := s.bookings.Hold(ctx, e.ID)
	if err != nil {
		return err
	}
	b.Guest = e.Guest
	b.Status = e.Status // want unguarded "Booking.Status is set from e.Status"
	b.ChangedAt = e.At
	return s.bookings.Save(ctx, b)
}

// wrongNumbered does so with a version.
func (s *Service) wrongNumbered(ctx context.Context, e BookingChanged) error {
	b, err := s.bookings.Hold(ctx, e.ID)
	if err != nil {
		return err
	}
	b.Status = e.Status // want unguarded "Booking.Status is set from e.Status"
	b.Version = e.Version
	return s.bookings.Save(ctx, b)
}

// wrongUnlocked stores the version, and reads without a lock: to compare is not enough.
func (s *Service) wrongUnlocked(ctx context.Context, e BookingChanged) error {
	b, err := s.bookings.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	b.Status = e.Status // want unguarded "Booking.Status is set from e.Status"
	b.Version = e.Version
	return s.bookings.Save(ctx, b)
}

func (b *Booking) apply(e BookingChanged) {
	b.Guest = e.Guest
	b.Status = e.Status // want unguarded "Booking.Status is set from e.Status"
}

// wrongMethod: the method assigns whatever comes.
func (s *Service) wrongMethod(ctx context.Context, e BookingChanged) error {
	b, err := s.bookings.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	b.apply(e)
	return s.bookings.Save(ctx, b)
}

func (s *Service) rightVersion(ctx context.Context, e BookingChanged) error {
	b, err := s.bookings.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if e.Version <= b.Version {
		return nil
	}
	b.Status, b.Version = e.Status, e.Version
	return s.bookings.Save(ctx, b)
}

func (s *Service) rightTime(ctx context.Context, e BookingChanged) error {
	b, err := s.bookings.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if !e.At.After(b.ChangedAt) {
		return nil
	}
	b.Status, b.ChangedAt = e.Status, e.At
	return s.bookings.Save(ctx, b)
}

// applyNewer leaves what is newer alone.
func (b *Booking) applyNewer(e BookingChanged) bool {
	if b.Version >= e.Version {
		return false
	}
	b.Guest, b.Status, b.Version = e.Guest, e.Status, e.Version
	return true
}

func (s *Service) rightMethod(ctx context.Context, e BookingChanged) error {
	b, err := s.bookings.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	if !b.applyNewer(e) {
		return nil
	}
	return s.bookings.Save(ctx, b)
}

func handler[E any](ctx context.Context, handle func(context.Context, E) error) jetstream.MessageHandler {
	return func(m jetstream.Msg) {
		var e E
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

func Start(ctx context.Context, c jetstream.Consumer, s *Service, d *Documents, r *Rooms) error {
	for _, handle := range []func(context.Context, BookingChanged) error{
		s.wrongAssign, s.wrongStored, s.wrongNumbered, s.wrongUnlocked, s.wrongMethod, s.rightVersion, s.rightTime, s.rightMethod,
		d.wrongDocument, d.wrongLocked, d.rightDocument, r.wrongMade, r.rightMade,
	} {
		if _, err := c.Consume(handler(ctx, handle)); err != nil {
			return err
		}
	}
	return nil
}
