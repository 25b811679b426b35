package closure

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
)

type work func(ctx context.Context, q Querier) error

// Querier is what the closure sees of the transaction.
type Querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

type Taproom struct {
	pool *pgxpool.Pool
	nc   *nats.Conn
}

// serializable runs fn again as long as the database says 40001.
func (t *Taproom) serializable(ctx context.Context, fn work) error {
	for {
		err := pgx.BeginTxFunc(ctx, t.pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error {
			return fn(ctx, tx)
		})
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

func (t *Taproom) Pour(ctx context.Context, tap int) error {
	return t.serializable(ctx, func(ctx context.Context, q Querier) error {
		if _, err := q.Exec(ctx, "UPDATE taps SET poured = poured + 1 WHERE id = $1", tap); err != nil {
			return err
		}
		return t.nc.Publish("taps.poured", []byte{byte(tap)}) // want inside-tx "transaction"
	})
}

func (t *Taproom) Close(ctx context.Context, tap int) error {
	done := []byte{byte(tap)}
	if err := t.serializable(ctx, func(ctx context.Context, q Querier) error {
		_, err := q.Exec(ctx, "UPDATE taps SET closed = true WHERE id = $1", tap)
		return err
	}); err != nil {
		return err
	}
	if err := t.nc.Publish("taps.closed", done); err != nil { // want after-commit "runs after"
		return err
	}
	return t.nc.FlushWithContext(ctx)
}

func (t *Taproom) Open(ctx context.Context, tap int) error {
	return t.serializable(ctx, func(ctx context.Context, q Querier) error {
		if _, err := q.Exec(ctx, "UPDATE taps SET closed = false WHERE id = $1", tap); err != nil {
			return err
		}
		_, err := q.Exec(ctx, "INSERT INTO tap_outbox (tap, kind) VALUES ($1, 'opened')", tap)
		return err
	})
}
