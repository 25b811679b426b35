// Package unstablekey makes a key anew for each delivery.
package unstablekey

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/google/uuid"
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
	_, err := c.db.ExecContext(ctx, `INSERT INTO payments (id, account, cents) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING`,
		uuid.NewString(), e.Account, e.Cents)
	return err
}
