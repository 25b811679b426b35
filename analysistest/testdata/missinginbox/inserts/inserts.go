// Package inserts inserts rows whose keys are known from the schema.
package inserts

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"
)

const schema = `
CREATE TABLE parcels (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), label text NOT NULL, order_id uuid);
CREATE TABLE invoices (id bigserial PRIMARY KEY, order_id uuid NOT NULL, cents int);
CREATE UNIQUE INDEX invoices_order ON invoices (order_id);
CREATE TABLE payments (order_id uuid, paid_at timestamptz, PRIMARY KEY (order_id, paid_at));
CREATE TABLE receipts (id uuid PRIMARY KEY, order_id uuid);
CREATE TABLE payment_history (id bigserial PRIMARY KEY, order_id uuid);
`

type Order struct {
	ID     string
	Cents  int
	PaidAt time.Time
}

type Store struct{ db *sql.DB }

func (s *Store) Ship(ctx context.Context, o Order) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO parcels (label, order_id) VALUES ($1, $2)", "to "+o.ID, o.ID)
	return err
}

func (s *Store) ShipAs(ctx context.Context, id uuid.UUID, o Order) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO parcels (id, label, order_id) VALUES ($1, $2, $3)", id, "to "+o.ID, o.ID)
	return err
}

func (s *Store) ShipOnce(ctx context.Context, id uuid.UUID, o Order) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO parcels (id, label, order_id) VALUES ($1, $2, $3)", id, "to "+o.ID, o.ID)
	return err
}

func (s *Store) Bill(ctx context.Context, o Order) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO invoices (order_id, cents) VALUES ($1, $2)", o.ID, o.Cents)
	return err
}

func (s *Store) Pay(ctx context.Context, o Order, at time.Time) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO payments (order_id, paid_at) VALUES ($1, $2) ON CONFLICT DO NOTHING", o.ID, at)
	return err
}

func (s *Store) PayNow(ctx context.Context, o Order) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO payments (order_id, paid_at) VALUES ($1, $2) ON CONFLICT DO NOTHING", o.ID, time.Now())
	return err
}

func (s *Store) PayPlain(ctx context.Context, o Order, at time.Time) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO payments (order_id, paid_at) VALUES ($1, $2)", o.ID, at)
	return err
}

func (s *Store) PayAlone(ctx context.Context, o Order) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO receipts (id, order_id) VALUES ($1, $2)", uuid.NewString(), o.ID)
	return err
}

func (s *Store) Log(ctx context.Context, o Order) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO payment_history (order_id) VALUES ($1)", o.ID)
	return err
}

func (s *Store) Unknown(ctx context.Context, o Order) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO elsewhere (label) VALUES ($1)", o.ID)
	return err
}

type Consumer struct {
	store *Store
	ch    *amqp.Channel
}

func (c *Consumer) each(queue string, handle func(context.Context, Order) error) error {
	deliveries, err := c.ch.Consume(queue, "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		var o Order
		if err := json.Unmarshal(d.Body, &o); err != nil {
			_ = d.Reject(false)
			continue
		}
		if err := handle(context.Background(), o); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		_ = d.Ack(false)
	}
	return nil
}

func (c *Consumer) wrong(ctx context.Context, o Order) error {
	if err := c.store.Ship(ctx, o); err != nil { // want no-dedupe "inserts into parcels"
		return err
	}
	return c.store.ShipAs(ctx, uuid.New(), o) // want no-dedupe "inserts into parcels"
}

func (c *Consumer) paid(ctx context.Context, o Order) error {
	return c.store.PayNow(ctx, o) // want unstable-key "paid_at"
}

func (c *Consumer) plain(ctx context.Context, o Order) error {
	return c.store.PayPlain(ctx, o, time.Now()) // want unstable-key "paid_at"
}

func (c *Consumer) alone(ctx context.Context, o Order) error {
	return c.store.PayAlone(ctx, o) // want no-dedupe "inserts into receipts"
}

func (c *Consumer) known(ctx context.Context, o Order) error {
	return c.store.PayPlain(ctx, o, o.PaidAt)
}

func (c *Consumer) right(ctx context.Context, o Order) error {
	if err := c.store.Bill(ctx, o); err != nil {
		return err
	}
	return c.store.Ship(ctx, o)
}

func (c *Consumer) stable(ctx context.Context, o Order) error {
	if err := c.store.Pay(ctx, o, o.PaidAt); err != nil {
		return err
	}
	if err := c.store.Log(ctx, o); err != nil {
		return err
	}
	return c.store.Unknown(ctx, o)
}

func (c *Consumer) derived(ctx context.Context, o Order) error {
	return c.store.ShipOnce(ctx, uuid.NewSHA1(uuid.NameSpaceOID, []byte(o.ID)), o)
}

func (c *Consumer) Run() error {
	for queue, handle := range map[string]func(context.Context, Order) error{
		"wrong": c.wrong, "paid": c.paid, "plain": c.plain, "alone": c.alone, "known": c.known, "right": c.right, "stable": c.stable, "derived": c.derived,
	} {
		if err := c.each(queue, handle); err != nil {
			return err
		}
	}
	return nil
}

func Migrate(db *sql.DB) error {
	_, err := db.Exec(schema)
	return err
}
