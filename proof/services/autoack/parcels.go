// Package autoack has the broker forget a message as soon as it is on its way.
package autoack

import (
	"context"
	"database/sql"
	"log"

	"github.com/rabbitmq/amqp091-go"
)

// Parcels are what is on its way.
type Parcels struct{ db *sql.DB }

// New makes the service.
func New(db *sql.DB) *Parcels { return &Parcels{db} }

// Run consumes until the channel is closed.
func (p *Parcels) Run(ctx context.Context, ch *amqp091.Channel, queue string) error {
	deliveries, err := ch.ConsumeWithContext(ctx, queue, "", true, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		if err := p.keep(ctx, string(d.Body)); err != nil {
			log.Print(err)
		}
	}
	return nil
}

func (p *Parcels) keep(ctx context.Context, id string) error {
	_, err := p.db.ExecContext(ctx, `INSERT INTO parcels (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`, id)
	return err
}
