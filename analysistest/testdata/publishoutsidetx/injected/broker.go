package injected

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
)

// natsAnnouncer is the Announcer.
type natsAnnouncer struct {
	js  nats.JetStreamContext
	log *slog.Logger
}

func NewAnnouncer(nc *nats.Conn, log *slog.Logger) (Announcer, error) {
	js, err := nc.JetStream()
	if err != nil {
		return nil, err
	}
	return &natsAnnouncer{js: js, log: log}, nil
}

func (a *natsAnnouncer) Booked(ctx context.Context, b *Booking) error {
	return a.say("bookings.booked", b)
}

func (a *natsAnnouncer) Cancelled(ctx context.Context, b *Booking) {
	if err := a.say("bookings.cancelled", b); err != nil {
		a.log.ErrorContext(ctx, "announce", "booking", b.ID, "err", err)
	}
}

func (a *natsAnnouncer) say(subject string, b *Booking) error {
	raw, err := json.Marshal(b)
	if err != nil {
		return err
	}
	_, err = a.js.Publish(subject, raw)
	return err
}

// Wire is the one place where all of it meets.
func Wire(pool *pgxpool.Pool, nc *nats.Conn) (*Desk, error) {
	tell, err := NewAnnouncer(nc, slog.Default())
	if err != nil {
		return nil, err
	}
	store := &PgStore{pool: pool}
	return NewDesk(store, tell, &PgJournal{store: store}, &Counter{}, store), nil
}
