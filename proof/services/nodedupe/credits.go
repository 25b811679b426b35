// Package nodedupe adds what a message says, each time it comes.
package nodedupe

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/deliverylint/deliverylint/proof/services/consume"
	"github.com/deliverylint/deliverylint/proof/services/work"
)

type creditedEvent struct {
	ID      string `json:"id"`
	Account string `json:"account"`
	Cents   int    `json:"cents"`
}

// Credits are what is paid into accounts.
type Credits struct {
	db *sql.DB
}

// New makes the service.
func New(db *sql.DB) *Credits { return &Credits{db} }

// Run consumes until ctx is done.
func (c *Credits) Run(ctx context.Context, consumer jetstream.Consumer) error {
	return consume.Run(ctx, consumer, c.handle)
}

func (c *Credits) handle(ctx context.Context, data []byte) error {
	var e creditedEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	return work.InTx(ctx, c.db, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents)
		return err
	})
}
