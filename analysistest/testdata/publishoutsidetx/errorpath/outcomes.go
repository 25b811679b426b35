package errorpath

import (
	"context"
	"errors"

	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
)

type Luggage struct {
	ID   uint
	Tag  string
	Lost bool
}

type Carousel struct {
	db *gorm.DB
	ch *amqp.Channel
}

func (c *Carousel) send(ctx context.Context, key, tag string) error {
	return c.ch.PublishWithContext(ctx, "luggage", key, true, false, amqp.Publishing{Body: []byte(tag)})
}

// Take publishes if the row was a duplicate: then nothing has been written.
func (c *Carousel) Take(ctx context.Context, tag string) error {
	err := c.db.WithContext(ctx).Create(&Luggage{Tag: tag}).Error
	switch {
	case errors.Is(err, gorm.ErrDuplicatedKey):
		return c.send(ctx, "luggage.seen-twice", tag)
	case err != nil:
		return err
	}
	return nil
}

// Find publishes if no row was hit.
func (c *Carousel) Find(ctx context.Context, tag string) error {
	res := c.db.WithContext(ctx).Model(&Luggage{}).Where("tag = ? AND lost", tag).Update("lost", false)
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return c.send(ctx, "luggage.unknown", tag)
	}
	return nil
}

// Lose returns early on the error, in a helper, and publishes on what is left.
func (c *Carousel) Lose(ctx context.Context, tag string) error {
	if ok := c.markLost(ctx, tag); !ok {
		return c.send(ctx, "luggage.mark-failed", tag)
	}
	return c.send(ctx, "luggage.lost", tag) // want dual-write "follows"
}

func (c *Carousel) markLost(ctx context.Context, tag string) bool {
	err := c.db.WithContext(ctx).Model(&Luggage{}).Where("tag = ?", tag).Update("lost", true).Error
	return err == nil
}

// Transfer reports the failure from a deferred function, after the rollback.
func (c *Carousel) Transfer(ctx context.Context, tag, to string) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, c.send(ctx, "luggage.transfer-failed", tag))
		}
	}()
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return tx.Model(&Luggage{}).Where("tag = ?", tag).Update("tag", tag+"/"+to).Error
	})
}

// Claim compensates: the failed publish undoes what was written, which a crash
// between the two does not.
func (c *Carousel) Claim(ctx context.Context, tag string) error {
	item := Luggage{Tag: tag}
	if err := c.db.WithContext(ctx).Create(&item).Error; err != nil {
		return err
	}
	if err := c.send(ctx, "luggage.claimed", tag); err != nil { // want dual-write "follows"
		return errors.Join(err, c.db.WithContext(ctx).Delete(&item).Error)
	}
	return nil
}
