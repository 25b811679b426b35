package stored

import (
	"context"
	"database/sql"

	"example.org/testdata/publishoutsidetx/stored/events"
	"example.org/testdata/publishoutsidetx/stored/uow"
)

type sqlWork struct{ db *sql.DB }

func NewWork(db *sql.DB) Work { return &sqlWork{db} }

func (w *sqlWork) Do(ctx context.Context, fn func(repos *Repos) error) error {
	return uow.Tx(ctx, w.db, func(tx *sql.Tx) error {
		return fn(&Repos{Bills: &billRepo{tx}, Outbox: &outboxRepo{tx}})
	})
}

type billRepo struct{ tx *sql.Tx }

func (r *billRepo) SetState(ctx context.Context, id, state string) error {
	_, err := r.tx.ExecContext(ctx, "UPDATE bills SET state = $2 WHERE id = $1", id, state)
	return err
}

type outboxRepo struct{ tx *sql.Tx }

func (r *outboxRepo) Create(ctx context.Context, e events.Event) error {
	_, err := r.tx.ExecContext(ctx, "INSERT INTO outbox (type, key, data) VALUES ($1, $2, $3)", e.Type, e.Key, e.Data)
	return err
}
