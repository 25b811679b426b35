package stored

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.org/testdata/publishoutsidetx/stored/events"
	"example.org/testdata/publishoutsidetx/stored/outbox"
	"example.org/testdata/publishoutsidetx/stored/uow"
)

type Bills struct {
	db    *sql.DB
	pool  *pgxpool.Pool
	store *outbox.Store
	pub   events.Publisher
}

// Issue writes with no transaction.
func (b *Bills) Issue(ctx context.Context, id string) error {
	e, err := events.New("bill.issued", id, nil)
	if err != nil {
		return fmt.Errorf("event: %w", err)
	}
	if _, err := b.db.ExecContext(ctx, "INSERT INTO bills (id) VALUES ($1)", id); err != nil {
		return fmt.Errorf("insert: %w", err)
	}
	return b.pub.Publish(ctx, e) // want dual-write
}

// Number does so through a pool of pgx, and makes the event behind it.
func (b *Bills) Number(ctx context.Context, id string) (int64, error) {
	var number int64
	err := b.pool.QueryRow(ctx, "INSERT INTO bills (id) VALUES ($1) RETURNING number", id).Scan(&number)
	if err != nil {
		return 0, err
	}
	e, err := events.New("bill.numbered", id, number)
	if err != nil {
		return 0, err
	}
	if err := b.pub.Publish(ctx, e); err != nil { // want dual-write
		return 0, fmt.Errorf("publish: %w", err)
	}
	return number, nil
}

// Settle has a second write beside it.
func (b *Bills) Settle(ctx context.Context, id string) error {
	if _, err := b.db.ExecContext(ctx, "UPDATE bills SET settled = true WHERE id = $1", id); err != nil {
		return err
	}
	if _, err := b.db.ExecContext(ctx, "UPDATE accounts SET open = open - 1 WHERE bill = $1", id); err != nil {
		return err
	}
	return b.pub.Publish(ctx, events.Event{Type: "bill.settled", Key: id}) // want dual-write
}

// Pool hands the outbox the pool.
func (b *Bills) Pool(ctx context.Context, id string) error {
	return uow.Tx(ctx, b.db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE bills SET pooled = true WHERE id = $1", id); err != nil {
			return err
		}
		return outbox.Add(ctx, b.db, events.Event{Type: "bill.pooled", Key: id}) // want outbox-outside-tx
	})
}

// Late has the row stored after the commit.
func (b *Bills) Late(ctx context.Context, id string) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE bills SET late = true WHERE id = $1", id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return outbox.Add(ctx, b.db, events.Event{Type: "bill.late", Key: id}) // want outbox-outside-tx
}

// Behind has the row stored behind the function with the transaction.
func (b *Bills) Behind(ctx context.Context, id string) error {
	err := uow.Tx(ctx, b.db, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE bills SET behind = true WHERE id = $1", id)
		return err
	})
	if err != nil {
		return err
	}
	if err := outbox.Add(ctx, b.db, events.Event{Type: "bill.behind", Key: id}); err != nil { // want outbox-outside-tx
		return err
	}
	return nil
}

// Neither is in a transaction.
func (b *Bills) Neither(ctx context.Context, id string) error {
	if _, err := b.db.ExecContext(ctx, "UPDATE bills SET neither = true WHERE id = $1", id); err != nil {
		return err
	}
	return outbox.Add(ctx, b.db, events.Event{Type: "bill.neither", Key: id}) // want outbox-outside-tx
}
