package right

import (
	"context"
	"database/sql"

	"github.com/nats-io/nats.go"
	amqp "github.com/rabbitmq/amqp091-go"
)

// Desks answers who asks for a desk, and waits.
type Desks struct {
	db *sql.DB
	ch *amqp.Channel
	nc *nats.Conn
}

func (s *Desks) Book(ctx context.Context, d amqp.Delivery) error {
	if _, err := s.db.ExecContext(ctx, "UPDATE desks SET taken = true WHERE id = $1", string(d.Body)); err != nil {
		return err
	}
	return s.ch.PublishWithContext(ctx, "", d.ReplyTo, false, false, amqp.Publishing{CorrelationId: d.CorrelationId, Body: []byte("booked")})
}

func (s *Desks) Free(ctx context.Context, m *nats.Msg) error {
	if _, err := s.db.ExecContext(ctx, "UPDATE desks SET taken = false WHERE id = $1", string(m.Data)); err != nil {
		return err
	}
	return s.nc.Publish(m.Reply, []byte("freed"))
}

// runMigrations brings the schema up to date.
func runMigrations(ctx context.Context, db *sql.DB, statements []string) error {
	for _, text := range statements {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// Open announces that the desks are open, whatever the schema was before.
func (s *Desks) Open(ctx context.Context, statements []string) error {
	if err := runMigrations(ctx, s.db, statements); err != nil {
		return err
	}
	return s.nc.Publish("desks.open", nil)
}
