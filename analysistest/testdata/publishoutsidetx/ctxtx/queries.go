package ctxtx

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
)

type queriesKey int

const (
	poolKey queriesKey = iota
	openKey
	turnstileKey
)

// DBTX is what generated queries run on.
type DBTX interface {
	Exec(context.Context, string, ...any) (pgconn.CommandTag, error)
}

type Queries struct{ db DBTX }

func (q *Queries) WithTx(tx pgx.Tx) *Queries { return &Queries{db: tx} }

func (q *Queries) LockTurnstile(ctx context.Context, id string) error {
	_, err := q.db.Exec(ctx, "UPDATE turnstiles SET locked = true WHERE id = $1", id)
	return err
}

func (q *Queries) NoteTurnstile(ctx context.Context, id string) error {
	_, err := q.db.Exec(ctx, "INSERT INTO turnstile_notes (turnstile_id) VALUES ($1)", id)
	return err
}

// within runs a function in a transaction that the context carries, nested in
// the one that is there already.
func within(ctx context.Context, fn func(ctx context.Context) error) error {
	tx, err := beginner(ctx).Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := fn(context.WithValue(ctx, openKey, tx)); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func openTx(ctx context.Context) pgx.Tx {
	tx, _ := ctx.Value(openKey).(pgx.Tx)
	return tx
}

func beginner(ctx context.Context) interface {
	Begin(context.Context) (pgx.Tx, error)
} {
	if tx := openTx(ctx); tx != nil {
		return tx
	}
	return ctx.Value(poolKey).(*pgxpool.Pool)
}

type turnstileStores struct {
	queries *Queries
	timeout time.Duration
}

// queries are bound to the transaction that the context carries, if any.
func queries(ctx context.Context) *Queries {
	stores := ctx.Value(turnstileKey).(*turnstileStores)
	if tx := openTx(ctx); tx != nil {
		return stores.queries.WithTx(tx)
	}
	return stores.queries
}

type Turnstiles struct{ nc *nats.Conn }

// Lock tells of the change when its transaction is over.
func (t *Turnstiles) Lock(ctx context.Context, id string) error {
	err := within(ctx, func(ctx context.Context) error {
		if err := queries(ctx).LockTurnstile(ctx, id); err != nil {
			return err
		}
		return queries(ctx).NoteTurnstile(ctx, id)
	})
	if err != nil {
		return err
	}
	return t.nc.Publish("turnstile.locked", []byte(id)) // want after-commit "committed"
}

// Jam tells of it while the transaction is open.
func (t *Turnstiles) Jam(ctx context.Context, id string) error {
	return within(ctx, func(ctx context.Context) error {
		if err := queries(ctx).LockTurnstile(ctx, id); err != nil {
			return err
		}
		return t.nc.Publish("turnstile.jammed", []byte(id)) // want inside-tx "transaction"
	})
}

// Unlock has no transaction.
func (t *Turnstiles) Unlock(ctx context.Context, id string) error {
	if err := queries(ctx).NoteTurnstile(ctx, id); err != nil {
		return err
	}
	return t.nc.Publish("turnstile.unlocked", []byte(id)) // want dual-write "follows"
}

// Ring changes nothing.
func (t *Turnstiles) Ring(id string) error { return t.nc.Publish("turnstile.ring", []byte(id)) }
