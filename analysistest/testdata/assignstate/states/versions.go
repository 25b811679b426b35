package states

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/hibiken/asynq"
	"github.com/jmoiron/sqlx"
)

// Renamed is a message with a version.
type Renamed struct {
	ID      string `db:"id"`
	Name    string `db:"name"`
	Version int64  `db:"version"`
}

// Shops store the version that a message brings, and don't ask for it.
type Shops struct {
	db *sql.DB
	x  *sqlx.DB
}

func (s *Shops) wrongRenamed(ctx context.Context, t *asynq.Task) error {
	var e Renamed
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	const query = `
		UPDATE shops
		SET name = $2, version = $3
		WHERE id = $1
	`
	_, err := s.db.ExecContext(ctx, query, e.ID, e.Name, e.Version) // want unguarded
	return err
}

func (s *Shops) wrongUpdated(ctx context.Context, t *asynq.Task) error {
	var e Renamed
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	_, err := s.x.NamedExecContext(ctx, "UPDATE shops SET name = :name, version = :version WHERE id = :id", e) // want unguarded
	return err
}

func (s *Shops) wrongUpsertUpdated(ctx context.Context, t *asynq.Task) error {
	var e Renamed
	if err := json.Unmarshal(t.Payload(), &e); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "INSERT INTO shops (id, name, version) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, version = EXCLUDED.version", e.ID, e.Name, e.Version) // want unguarded
	return err
}

// WorkShops registers them.
func WorkShops(mux *asynq.ServeMux, s *Shops) {
	mux.HandleFunc("shop.renamed", s.wrongRenamed)
	mux.HandleFunc("shop.updated", s.wrongUpdated)
	mux.HandleFunc("shop.put", s.wrongUpsertUpdated)
}
