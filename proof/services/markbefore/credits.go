// Package markbefore notes that a message was handled before it handles it.
package markbefore

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/deliverylint/deliverylint/proof/services/consume"
	"github.com/deliverylint/deliverylint/proof/services/work"
)

type credited struct {
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
	var e credited
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	res, err := c.db.ExecContext(ctx, `INSERT INTO processed (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.ID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return work.InTx(ctx, c.db, func(tx *sql.Tx) error {
		return e.apply(ctx, tx)
	})
}

func (e credited) apply(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents)
	return err
}
