// Package checkoutside asks whether a message was handled before it begins a transaction.
package checkoutside

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
	var done bool
	if err := c.db.QueryRowContext(ctx, `SELECT done FROM credits WHERE id = $1`, e.ID).Scan(&done); err != nil {
		return err
	}
	if done {
		return nil
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, e.Account, e.Cents); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE credits SET done = TRUE WHERE id = $1`, e.ID); err != nil {
		return err
	}
	return tx.Commit()
}
