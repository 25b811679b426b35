// Package outoforder commits offsets in the order in which messages are done.
package outoforder

import (
	"context"
	"database/sql"
	"log"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Parcels are what is on its way.
type Parcels struct{ db *sql.DB }

// New makes the service.
func New(db *sql.DB) *Parcels { return &Parcels{db} }

// Run consumes until the client is closed.
func (p *Parcels) Run(ctx context.Context, client *kgo.Client) error {
	for {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		fetches.EachRecord(func(r *kgo.Record) {
			go func() {
				if err := p.keep(ctx, string(r.Value)); err != nil {
					log.Print(err)
					return
				}
				if err := client.CommitRecords(ctx, r); err != nil {
					log.Print(err)
				}
			}()
		})
	}
}

func (p *Parcels) keep(ctx context.Context, id string) error {
	_, err := p.db.ExecContext(ctx, `INSERT INTO parcels (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`, id)
	return err
}
