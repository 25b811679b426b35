package stored

import (
	"context"
	"fmt"

	"example.org/testdata/publishoutsidetx/stored/events"
)

// Book has a function of its own that publishes.
func (b *Bills) Book(ctx context.Context, id string) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE bills SET booked = true WHERE id = $1", id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if err := b.tell(ctx, "bill.booked", id); err != nil { // want after-commit
		return fmt.Errorf("book: %w", err)
	}
	return nil
}

func (b *Bills) tell(ctx context.Context, typ, id string) error {
	e, err := events.New(typ, id, nil)
	if err != nil {
		return err
	}
	return b.pub.Publish(ctx, e)
}

// Move and Drop share one.
func (b *Bills) Move(ctx context.Context, id string) error {
	if _, err := b.db.ExecContext(ctx, "UPDATE bills SET moved = true WHERE id = $1", id); err != nil {
		return err
	}
	return b.both(ctx, "bill.moved", id) // want dual-write
}

func (b *Bills) Drop(ctx context.Context, id string) error {
	if _, err := b.db.ExecContext(ctx, "UPDATE bills SET dropped = true WHERE id = $1", id); err != nil {
		return err
	}
	return b.both(ctx, "bill.dropped", id) // want dual-write
}

func (b *Bills) both(ctx context.Context, typ, id string) error {
	return b.pub.Publish(ctx, events.Event{Type: typ, Key: id})
}

// Repos are made on a transaction.
type Repos struct {
	Bills  BillRepo
	Outbox OutboxRepo
}

type BillRepo interface {
	SetState(ctx context.Context, id, state string) error
}

type OutboxRepo interface {
	Create(ctx context.Context, e events.Event) error
}

type Work interface {
	Do(ctx context.Context, fn func(repos *Repos) error) error
}

type Clerk struct {
	work Work
	pub  events.Publisher
}

// File has repositories that are made on the transaction.
func (c *Clerk) File(ctx context.Context, id string) error {
	if err := c.work.Do(ctx, func(repos *Repos) error {
		return repos.Bills.SetState(ctx, id, "filed")
	}); err != nil {
		return err
	}
	return c.pub.Publish(ctx, events.Event{Type: "bill.filed", Key: id}) // want after-commit
}
