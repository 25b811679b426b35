// Package recordoutside notes that a message was handled after it has handled it.
package recordoutside

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/deliverylint/deliverylint/proof/services/consume"
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
	var found bool
	if err := c.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM processed WHERE message_id = $1)`, e.ID).Scan(&found); err != nil {
		return err
	}
	if found {
		return nil
	}
	if _, err := c.db.ExecContext(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents); err != nil {
		return err
	}
	_, err := c.db.ExecContext(ctx, `INSERT INTO processed (message_id) VALUES ($1)`, e.ID)
	return err
}
