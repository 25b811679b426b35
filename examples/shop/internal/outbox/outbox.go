// Package outbox keeps events beside the state that they tell of, until the relay
// has published them.
package outbox

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"

	"example.org/shop/internal/events"
)

const insert = `INSERT INTO outbox (id, type, key, version, data) VALUES ($1, $2, $3, $4, $5)`

// Execer is a *sql.Tx; a *sql.DB fits too, and is wrong.
type Execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Add stores the event through tx.
func Add(ctx context.Context, tx Execer, e events.Event) error {
	_, err := tx.ExecContext(ctx, insert, e.ID, e.Type, e.Key, e.Version, []byte(e.Data))
	return err
}

// AddPgx does so for those who use pgx directly.
func AddPgx(ctx context.Context, tx pgx.Tx, e events.Event) error {
	_, err := tx.Exec(ctx, insert, e.ID, e.Type, e.Key, e.Version, []byte(e.Data))
	return err
}

// Row is the same for those who use gorm.
type Row struct {
	ID      string
	Type    string
	Key     string
	Version int64
	Data    []byte
}

// TableName is the outbox.
func (Row) TableName() string { return "outbox" }

// RowOf is the row of an event.
func RowOf(e events.Event) *Row {
	return &Row{ID: e.ID, Type: e.Type, Key: e.Key, Version: e.Version, Data: e.Data}
}
