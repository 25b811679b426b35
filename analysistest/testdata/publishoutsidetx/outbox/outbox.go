// Package outbox has rows of an outbox that do, or don't, share the fate of the
// change that they announce.
package outbox

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Parcel struct{ ID, State string }

type Parcels struct{ db *sql.DB }

const (
	setState = `UPDATE parcels SET state = $2 WHERE id = $1`
	addEvent = `INSERT INTO outbox (aggregate_id, type, payload) VALUES ($1, $2, $3)`
)

// Pack writes the row through the pool while the transaction is open.
func (p *Parcels) Pack(ctx context.Context, id string) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, setState, id, "packed"); err != nil {
		return err
	}
	if _, err := p.db.ExecContext(ctx, addEvent, id, "packed", "{}"); err != nil { // want outbox-outside-tx
		return err
	}
	return tx.Commit()
}

// Seal writes it after the commit.
func (p *Parcels) Seal(ctx context.Context, id string) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, setState, id, "sealed"); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return p.enqueue(ctx, p.db, id, "sealed") // want outbox-outside-tx
}

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func (p *Parcels) enqueue(ctx context.Context, on execer, id, kind string) error {
	payload, err := json.Marshal(Parcel{ID: id, State: kind})
	if err != nil {
		return err
	}
	_, err = on.ExecContext(ctx, addEvent, id, kind, payload)
	return err
}

// Label gives the same helper the transaction.
func (p *Parcels) Label(ctx context.Context, id string) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, setState, id, "labelled"); err != nil {
		return err
	}
	if err := p.enqueue(ctx, tx, id, "labelled"); err != nil {
		return err
	}
	return tx.Commit()
}

// Weigh has the change and the row in two autocommit statements.
func (p *Parcels) Weigh(ctx context.Context, id string) error {
	if _, err := p.db.ExecContext(ctx, setState, id, "weighed"); err != nil {
		return err
	}
	return p.enqueue(ctx, p.db, id, "weighed") // want outbox-outside-tx
}

func (p *Parcels) inTx(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Split changes in one transaction and announces in the next.
func (p *Parcels) Split(ctx context.Context, id string) error {
	err := p.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, setState, id, "split")
		return err
	})
	if err != nil {
		return err
	}
	return p.inTx(ctx, func(tx *sql.Tx) error {
		return p.enqueue(ctx, tx, id, "split") // want outbox-outside-tx
	})
}

// Pickups does the same with pgx.
type Pickups struct{ pool *pgxpool.Pool }

func (p *Pickups) Order(ctx context.Context, id string) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO pickups (id) VALUES ($1)", id); err != nil {
			return err
		}
		_, err := p.pool.Exec(ctx, "INSERT INTO pickup_outbox (pickup) VALUES ($1)", id) // want outbox-outside-tx
		return err
	})
}

func (p *Pickups) OrderBoth(ctx context.Context, id string) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		_, err := tx.CopyFrom(ctx, pgx.Identifier{"pickup_outbox"}, []string{"pickup"}, pgx.CopyFromRows([][]any{{id}}))
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO pickups (id) VALUES ($1)", id)
		return err
	})
}

// Heartbeat is an event with no change of ours beside it.
func (p *Pickups) Heartbeat(ctx context.Context) error {
	_, err := p.pool.Exec(ctx, "INSERT INTO pickup_outbox (pickup) VALUES ('heartbeat')")
	return err
}
