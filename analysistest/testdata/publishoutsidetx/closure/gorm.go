package closure

import (
	"context"
	"errors"

	"cloud.google.com/go/pubsub/v2"
	"gorm.io/gorm"
)

type Keg struct {
	ID    uint
	Empty bool
}

type KegEvent struct {
	ID   uint
	Kind string
}

// TableName makes it the outbox of the kegs.
func (KegEvent) TableName() string { return "keg_outbox" }

type Cellar struct {
	db    *gorm.DB
	topic *pubsub.Publisher
}

func (c *Cellar) publish(ctx context.Context, what string) error {
	_, err := c.topic.Publish(ctx, &pubsub.Message{Data: []byte(what)}).Get(ctx)
	return err
}

func (c *Cellar) Fill(ctx context.Context, k *Keg) error {
	k.Empty = false
	err := c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return tx.Save(k).Error
	})
	if err != nil {
		return err
	}
	return c.publish(ctx, "filled") // want after-commit "runs after"
}

func (c *Cellar) Drain(ctx context.Context, k *Keg) error {
	k.Empty = true
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Save(k).Error; err != nil {
			return err
		}
		return c.publish(ctx, "drained") // want inside-tx "transaction"
	})
}

// Swap uses a named function instead of a literal, with a savepoint inside.
func (c *Cellar) Swap(ctx context.Context, from, to *Keg) error {
	swap := func(tx *gorm.DB) error {
		from.Empty, to.Empty = true, false
		return tx.Transaction(func(inner *gorm.DB) error {
			return errors.Join(inner.Save(from).Error, inner.Save(to).Error)
		})
	}
	if err := c.db.WithContext(ctx).Transaction(swap); err != nil {
		return err
	}
	return c.publish(ctx, "swapped") // want after-commit "runs after"
}

// Clean passes a method as the closure.
func (c *Cellar) Clean(ctx context.Context) error {
	if err := c.db.WithContext(ctx).Transaction(c.cleanAll); err != nil {
		return err
	}
	return c.publish(ctx, "cleaned") // want after-commit "runs after"
}

func (c *Cellar) cleanAll(tx *gorm.DB) error {
	return tx.Where("empty = ?", true).Delete(&Keg{}).Error
}

func (c *Cellar) Order(ctx context.Context, k *Keg) error {
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(k).Error; err != nil {
			return err
		}
		return tx.Create(&KegEvent{Kind: "ordered"}).Error
	})
}

// Complain publishes only when the transaction was rolled back.
func (c *Cellar) Complain(ctx context.Context, k *Keg) error {
	err := c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return tx.Delete(k).Error
	})
	if err != nil {
		return errors.Join(err, c.publish(ctx, "delete-failed"))
	}
	return nil
}
