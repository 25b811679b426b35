// Package stored publishes where it has an outbox to store with.
package stored

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"

	"gorm.io/gorm"

	"example.org/testdata/publishoutsidetx/stored/events"
	"example.org/testdata/publishoutsidetx/stored/uow"
)

type Order struct{ ID, State string }

type Orders struct {
	db    *sql.DB
	gdb   *gorm.DB
	store Store
	pub   events.Publisher
}

type Store interface {
	Save(ctx context.Context, e events.Event) error
}

const update = "UPDATE orders SET state = $2 WHERE id = $1"

// Pay makes the event after the commit.
func (o *Orders) Pay(ctx context.Context, id string) (*Order, error) {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, update, id, "paid"); err != nil {
		return nil, err
	}
	if err := tx.Commit(); err != nil {
		return nil, fmt.Errorf("commit: %w", err)
	}
	slog.InfoContext(ctx, "paid", "id", id)
	order := &Order{ID: id, State: "paid"}
	e, err := events.New("order.paid", id, order)
	if err != nil {
		return nil, fmt.Errorf("event: %w", err)
	}
	if err := o.pub.Publish(ctx, e); err != nil { // want after-commit
		slog.ErrorContext(ctx, "publish", "err", err)
	}
	return order, nil
}

// Each publishes several.
func (o *Orders) Each(ctx context.Context, ids []string) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, update, id, "paid"); err != nil {
			return err
		}
	}
	err = tx.Commit()
	if err != nil {
		return err
	}
	for _, id := range ids {
		err := o.pub.Publish(ctx, events.Event{Type: "order.paid", Key: id}) // want after-commit
		if err != nil {
			slog.Error("publish", "id", id, "err", err)
			continue
		}
	}
	return nil
}

// Ship runs in a function that is given the transaction.
func (o *Orders) Ship(ctx context.Context, id string) error {
	err := uow.Tx(ctx, o.db, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, update, id, "shipped")
		return err
	})
	if err != nil {
		return err
	}
	e, err := events.New("order.shipped", id, nil)
	if err != nil {
		return fmt.Errorf("event: %w", err)
	}
	return o.pub.Publish(ctx, e) // want after-commit
}

// Cancel has the transaction in the context.
func (o *Orders) Cancel(ctx context.Context, id string) error {
	if err := uow.Do(ctx, o.db, func(ctx context.Context) error {
		if _, err := uow.From(ctx).ExecContext(ctx, update, id, "cancelled"); err != nil {
			return fmt.Errorf("cancel: %w", err)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := o.pub.Publish(ctx, events.Event{Type: "order.cancelled", Key: id}); err != nil { // want after-commit
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

// Grow uses gorm.
func (o *Orders) Grow(ctx context.Context, order *Order) error {
	err := o.gdb.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return tx.Create(order).Error
	})
	if err != nil {
		return err
	}
	go o.pub.Publish(ctx, events.Event{Type: "order.grown", Key: order.ID}) // want after-commit
	return nil
}

// Early publishes while the transaction is open.
func (o *Orders) Early(ctx context.Context, id string) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, update, id, "early"); err != nil {
		return err
	}
	if err := o.pub.Publish(ctx, events.Event{Type: "order.early", Key: id}); err != nil { // want inside-tx
		slog.Warn("publish", "err", err)
	}
	return tx.Commit()
}

// Perhaps publishes under a condition.
func (o *Orders) Perhaps(ctx context.Context, id string, tell bool) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, update, id, "perhaps"); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if tell {
		_ = o.pub.Publish(ctx, events.Event{Type: "order.perhaps", Key: id}) // want after-commit
	}
	return nil
}
