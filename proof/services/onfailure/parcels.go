// Package onfailure acks a message of which it could not store what it says.
package onfailure

import (
	"context"
	"database/sql"
	"errors"
	"log"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Parcels are what is on its way.
type Parcels struct{ db *sql.DB }

// New makes the service.
func New(db *sql.DB) *Parcels { return &Parcels{db} }

// Run consumes until ctx is done.
func (p *Parcels) Run(ctx context.Context, consumer jetstream.Consumer) error {
	for {
		msg, err := consumer.Next(jetstream.FetchContext(ctx))
		if errors.Is(err, nats.ErrTimeout) {
			continue
		}
		if err != nil {
			return err
		}
		if err := p.keep(ctx, string(msg.Data())); err != nil {
			log.Print(err)
		}
		if err := msg.Ack(); err != nil {
			return err
		}
	}
}

func (p *Parcels) keep(ctx context.Context, id string) error {
	_, err := p.db.ExecContext(ctx, `INSERT INTO parcels (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`, id)
	return err
}
