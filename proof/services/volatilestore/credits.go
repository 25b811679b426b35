// Package volatilestore keeps in memory which messages were handled.
package volatilestore

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
	db   *sql.DB
	seen map[string]bool
}

// New makes the service.
func New(db *sql.DB) *Credits { return &Credits{db, map[string]bool{}} }

// Run consumes until ctx is done.
func (c *Credits) Run(ctx context.Context, consumer jetstream.Consumer) error {
	return consume.Run(ctx, consumer, c.handle)
}

func (c *Credits) handle(ctx context.Context, data []byte) error {
	var e credited
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	if c.seen[e.ID] {
		return nil
	}
	if _, err := c.db.ExecContext(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents); err != nil {
		return err
	}
	c.seen[e.ID] = true
	return nil
}
