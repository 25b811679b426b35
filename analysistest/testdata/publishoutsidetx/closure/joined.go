package closure

import (
	"context"
	"errors"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/uptrace/bun"
)

// firstError takes errors, not functions: all of them have been made by then.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

type Cask struct {
	bun.BaseModel `bun:"table:casks"`

	ID   string `bun:",pk"`
	Wood string
}

type CaskJob struct {
	bun.BaseModel `bun:"table:cask_outbox"`

	Cask, Kind string
}

type Cooper struct {
	db *bun.DB
	ch *amqp.Channel
}

func update(ctx context.Context, tx bun.Tx, c *Cask) error {
	_, err := tx.NewUpdate().Model(c).WherePK().Exec(ctx)
	return err
}

func enqueue(ctx context.Context, tx bun.Tx, kind string, c *Cask) error {
	_, err := tx.NewInsert().Model(&CaskJob{Cask: c.ID, Kind: kind}).Exec(ctx)
	return err
}

func (c *Cooper) tell(ctx context.Context, key, cask string) error {
	return c.ch.PublishWithContext(ctx, "casks", key, true, false, amqp.Publishing{Body: []byte(cask)})
}

// Char has both calls as arguments of a third.
func (c *Cooper) Char(ctx context.Context, cask *Cask) error {
	return c.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		return firstError(
			update(ctx, tx, cask),
			enqueue(ctx, tx, "charred", cask),
		)
	})
}

// CharNow publishes even if the update has failed.
func (c *Cooper) CharNow(ctx context.Context, cask *Cask) error {
	return c.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		return errors.Join(
			update(ctx, tx, cask),
			c.tell(ctx, "charred", cask.ID), // want inside-tx "transaction"
		)
	})
}
