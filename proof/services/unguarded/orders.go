// Package unguarded stores what a message says of an order, however old it is.
package unguarded

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/deliverylint/deliverylint/proof/services/consume"
)

type statusChanged struct {
	Order   string `json:"order"`
	Status  string `json:"status"`
	Version int    `json:"version"`
}

// Orders are the orders of a shop.
type Orders struct{ db *sql.DB }

// New makes the service.
func New(db *sql.DB) *Orders { return &Orders{db} }

// Run consumes until ctx is done.
func (o *Orders) Run(ctx context.Context, consumer jetstream.Consumer) error {
	return consume.Run(ctx, consumer, o.handle)
}

func (o *Orders) handle(ctx context.Context, data []byte) error {
	var e statusChanged
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	_, err := o.db.ExecContext(ctx, `UPDATE shipments SET status = $2, version = $3 WHERE id = $1`, e.Order, e.Status, e.Version)
	return err
}
