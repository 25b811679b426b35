package wrong

import (
	"context"

	"cloud.google.com/go/pubsub/v2"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Badge struct {
	Holder string `gorm:"primaryKey"`
	Level  int
}

type Badges struct {
	db    *gorm.DB
	topic *pubsub.Publisher
}

func (b *Badges) Grant(ctx context.Context, holder string, level int) error {
	upsert := clause.OnConflict{UpdateAll: true}
	if err := b.db.WithContext(ctx).Clauses(upsert).Create(&Badge{Holder: holder, Level: level}).Error; err != nil {
		return err
	}
	_, err := b.topic.Publish(ctx, &pubsub.Message{Data: []byte(holder), OrderingKey: holder}).Get(ctx) // want dual-write "follows"
	return err
}

func (b *Badges) Revoke(ctx context.Context, holder string) error {
	if res := b.db.WithContext(ctx).Where("holder = ?", holder).Delete(&Badge{}); res.Error != nil {
		return res.Error
	} else if res.RowsAffected == 0 {
		return nil
	}
	result := b.topic.Publish(ctx, &pubsub.Message{Data: []byte(holder)}) // want dual-write "follows"
	<-result.Ready()
	_, err := result.Get(ctx)
	return err
}

func (b *Badges) Raise(ctx context.Context, holder string) error {
	tx := b.db.Begin()
	defer tx.Rollback()
	if err := tx.Exec("UPDATE badges SET level = level + 1 WHERE holder = ?", holder).Error; err != nil {
		return err
	}
	if _, err := b.topic.Publish(ctx, &pubsub.Message{Data: []byte(holder)}).Get(ctx); err != nil { // want inside-tx "transaction"
		return err
	}
	return tx.Commit().Error
}
