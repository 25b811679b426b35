// Package unguarded stores what a message says of a shipment, however old it is.
package unguarded

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/deliverylint/deliverylint/proof/services/consume"
	"github.com/deliverylint/deliverylint/proof/services/work"
)

type shipment struct {
	id, status string
	version    int
}

type statusChanged struct {
	Order   string `json:"order"`
	Status  string `json:"status"`
	Version int    `json:"version"`
}

// Shipments are what is sent.
type Shipments struct{ db *sql.DB }

// New makes the service.
func New(db *sql.DB) *Shipments { return &Shipments{db} }

// Run consumes until ctx is done.
func (s *Shipments) Run(ctx context.Context, consumer jetstream.Consumer) error {
	return consume.Run(ctx, consumer, s.handle)
}

func (s *Shipments) handle(ctx context.Context, data []byte) error {
	var e statusChanged
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	return work.InTx(ctx, s.db, func(tx *sql.Tx) error {
		sent, err := load(ctx, tx, e.Order)
		if err != nil {
			return err
		}
		sent.status = e.Status
		sent.version = e.Version
		return save(ctx, tx, sent)
	})
}

func load(ctx context.Context, tx *sql.Tx, id string) (*shipment, error) {
	s := shipment{id: id}
	err := tx.QueryRowContext(ctx, `SELECT status, version FROM shipments WHERE id = $1 FOR UPDATE`, id).Scan(&s.status, &s.version)
	return &s, err
}

func save(ctx context.Context, tx *sql.Tx, s *shipment) error {
	_, err := tx.ExecContext(ctx, `UPDATE shipments SET status = $2, version = $3 WHERE id = $1`, s.id, s.status, s.version)
	return err
}
