// Package outbox keeps events beside the change that they tell of.
package outbox

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"example.org/testdata/publishoutsidetx/stored/events"
	"example.org/testdata/publishoutsidetx/stored/uow"
)

// Execer is a *sql.Tx; a *sql.DB fits too, and is wrong.
type Execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

const insert = `INSERT INTO outbox (type, key, data) VALUES ($1, $2, $3)`

func Add(ctx context.Context, tx Execer, e events.Event) error {
	_, err := tx.ExecContext(ctx, insert, e.Type, e.Key, e.Data)
	return err
}

func AddPgx(ctx context.Context, tx pgx.Tx, e events.Event) error {
	_, err := tx.Exec(ctx, insert, e.Type, e.Key, e.Data)
	return err
}

// OutboxRow is for those who use gorm.
type OutboxRow struct {
	ID        int64
	Type, Key string
	Data      []byte
}

func AddGorm(tx *gorm.DB, e events.Event) error {
	return tx.Create(&OutboxRow{Type: e.Type, Key: e.Key, Data: e.Data}).Error
}

// Store takes the transaction from the context.
type Store struct{ db *sql.DB }

func NewStore(db *sql.DB) *Store { return &Store{db} }

func (s *Store) Save(ctx context.Context, e events.Event) error {
	_, err := uow.From(ctx).ExecContext(ctx, insert, e.Type, e.Key, e.Data)
	return err
}

// Relay publishes the rows.
type Relay struct {
	db  *sql.DB
	pub events.Publisher
}

func NewRelay(db *sql.DB, pub events.Publisher) *Relay { return &Relay{db, pub} }

func (r *Relay) Once(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id int64
	var e events.Event
	if err := tx.QueryRowContext(ctx, `SELECT id, type, key, data FROM outbox ORDER BY id LIMIT 1 FOR UPDATE`).Scan(&id, &e.Type, &e.Key, &e.Data); err != nil {
		return err
	}
	if err := r.pub.Publish(ctx, e); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM outbox WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}
