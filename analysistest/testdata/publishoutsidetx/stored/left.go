package stored

import (
	"context"
	"database/sql"

	"example.org/testdata/publishoutsidetx/stored/events"
	"example.org/testdata/publishoutsidetx/stored/uow"
)

// Leaves has a way out between the commit and the publish.
func (o *Orders) Leaves(ctx context.Context, id string, quiet bool) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, update, id, "left"); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if quiet {
		return nil
	}
	return o.pub.Publish(ctx, events.Event{Type: "order.left", Key: id}) // want after-commit
}

// Reads publishes what is read after the commit.
func (o *Orders) Reads(ctx context.Context, id string) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, update, id, "read"); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	order, err := o.load(ctx, id)
	if err != nil {
		return err
	}
	e, err := events.New("order.read", id, order)
	if err != nil {
		return err
	}
	return o.pub.Publish(ctx, e) // want after-commit
}

func (o *Orders) load(ctx context.Context, id string) (order Order, err error) {
	err = o.db.QueryRowContext(ctx, "SELECT id, state FROM orders WHERE id = $1", id).Scan(&order.ID, &order.State)
	return order, err
}

// Some changes nothing for some, and tells of them all the same.
func (o *Orders) Some(ctx context.Context, id string) error {
	err := uow.Tx(ctx, o.db, func(tx *sql.Tx) error {
		if id == "" {
			return nil
		}
		_, err := tx.ExecContext(ctx, update, id, "some")
		return err
	})
	if err != nil {
		return err
	}
	return o.pub.Publish(ctx, events.Event{Type: "order.some", Key: id}) // want after-commit
}

// Unsafe has nothing that rolls back.
func (o *Orders) Unsafe(ctx context.Context, id string) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, update, id, "unsafe"); err != nil {
		return tx.Rollback()
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return o.pub.Publish(ctx, events.Event{Type: "order.unsafe", Key: id}) // want after-commit
}
