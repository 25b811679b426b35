// Package middleware has publishers that stand around one another.
package middleware

import (
	"context"
	"database/sql"

	"github.com/nats-io/nats.go"
)

type Message struct {
	Subject string
	Data    []byte
}

type Publisher interface {
	Publish(ctx context.Context, m Message) error
}

type PublisherFunc func(ctx context.Context, m Message) error

func (f PublisherFunc) Publish(ctx context.Context, m Message) error { return f(ctx, m) }

type Around func(next Publisher) Publisher

// Bus publishes to a broker.
type Bus struct{ nc *nats.Conn }

func (b *Bus) Publish(_ context.Context, m Message) error { return b.nc.Publish(m.Subject, m.Data) }

// Stored keeps the message as a row, and leaves it to the relay.
func Stored(tx *sql.Tx) Around {
	return func(Publisher) Publisher {
		return PublisherFunc(func(ctx context.Context, m Message) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO outbox (subject, data) VALUES ($1, $2)", m.Subject, m.Data)
			return err
		})
	}
}

func chain(p Publisher, list ...Around) Publisher {
	for i := len(list) - 1; i >= 0; i-- {
		p = list[i](p)
	}
	return p
}

// Parcels is made for each request, on its transaction.
type Parcels struct {
	tx  *sql.Tx
	pub Publisher
}

func New(nc *nats.Conn, tx *sql.Tx) *Parcels {
	return &Parcels{tx: tx, pub: chain(&Bus{nc}, Stored(tx))}
}

// Send publishes through what stores it: all that a publisher may be is not known.
func (p *Parcels) Send(ctx context.Context, id string) error {
	if _, err := p.tx.ExecContext(ctx, "UPDATE parcels SET sent = true WHERE id = $1", id); err != nil {
		return err
	}
	return p.pub.Publish(ctx, Message{Subject: "parcel.sent", Data: []byte(id)})
}

// Desk writes through the pool, as it looks.
type Desk struct {
	db  *sql.DB
	pub Publisher
}

func NewDesk(db *sql.DB, pub Publisher) *Desk { return &Desk{db, pub} }

func (d *Desk) Take(ctx context.Context, id string) error {
	if _, err := d.db.ExecContext(ctx, "UPDATE parcels SET taken = true WHERE id = $1", id); err != nil {
		return err
	}
	return d.pub.Publish(ctx, Message{Subject: "parcel.taken", Data: []byte(id)})
}
