package errorpath

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"
)

// Depot publishes what has come of a transaction when it is over, either way.
type Depot struct {
	pool *pgxpool.Pool
	js   jetstream.JetStream
}

func (d *Depot) begin(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) (err error) {
	tx, err := d.pool.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback(ctx))
			return
		}
		err = tx.Commit(ctx)
	}()
	return fn(ctx, tx)
}

func (d *Depot) say(ctx context.Context, subject, id string) error {
	_, err := d.js.Publish(ctx, subject, []byte(id))
	return err
}

// Reserve has an event for the rollback only.
func (d *Depot) Reserve(ctx context.Context, id string) error {
	err := d.begin(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE stock SET reserved = reserved + 1 WHERE id = $1", id)
		return err
	})
	if err != nil {
		if sayErr := d.say(ctx, "stock.not-reserved", id); sayErr != nil {
			return errors.Join(err, sayErr)
		}
	}
	return err
}

// Settle finds out in the transaction what has become of it, and says so afterwards.
func (d *Depot) Settle(ctx context.Context, id string, paid bool) error {
	var state string
	err := d.begin(ctx, func(ctx context.Context, tx pgx.Tx) error {
		state = "cancelled"
		if paid {
			state = "settled"
		}
		_, err := tx.Exec(ctx, "UPDATE stock SET state = $2 WHERE id = $1", id, state)
		return err
	})
	if err != nil {
		return err
	}
	switch state {
	case "settled":
		return d.say(ctx, "stock.settled", id) // want after-commit "runs after"
	case "cancelled":
		return d.say(ctx, "stock.cancelled", id) // want after-commit "runs after"
	default:
		return nil
	}
}

// Fail rolls back, and notes the failure in a statement of its own: that one is
// stored, and its event can be lost.
func (d *Depot) Fail(ctx context.Context, id string) error {
	tx, err := d.pool.Begin(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE stock SET counted = true WHERE id = $1", id); err != nil {
		if err := tx.Rollback(ctx); err != nil {
			return err
		}
		if _, err := d.pool.Exec(ctx, "INSERT INTO stock_failures (id) VALUES ($1)", id); err != nil {
			return err
		}
		return d.say(ctx, "stock.failed", id) // want dual-write "follows"
	}
	return tx.Commit(ctx)
}

// Audit publishes after the deferred rollback of a transaction that read.
func (d *Depot) Audit(ctx context.Context, db *sql.DB, id string) error {
	n, err := func() (n int, err error) {
		tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return 0, err
		}
		defer tx.Rollback()
		return n, tx.QueryRowContext(ctx, "SELECT count(*) FROM stock WHERE id = $1", id).Scan(&n)
	}()
	if err != nil {
		return err
	}
	return d.say(ctx, "stock.audited", fmt.Sprint(n))
}

// Return rolls back on the one way and commits on the other, each with its event.
func (d *Depot) Return(ctx context.Context, id string) error {
	tx, err := d.pool.Begin(ctx)
	if err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, "UPDATE stock SET returned = true WHERE id = $1 AND NOT returned", id)
	if err != nil || tag.RowsAffected() != 1 {
		_ = tx.Rollback(ctx)
		return errors.Join(err, d.say(ctx, "stock.return-refused", id))
	}
	if err := tx.Commit(ctx); err != nil {
		return errors.Join(err, d.say(ctx, "stock.return-refused", id))
	}
	return d.say(ctx, "stock.returned", id) // want after-commit "runs after tx.Commit"
}
