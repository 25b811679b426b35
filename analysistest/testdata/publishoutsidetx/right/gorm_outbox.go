package right

import (
	"context"
	"encoding/json"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Listing struct {
	ID     uint `gorm:"primaryKey"`
	Title  string
	Status string
}

type OutboxMessage struct {
	ID      uint `gorm:"primaryKey"`
	Key     string
	Body    []byte
	SentAt  *time.Time
	Version int
}

func (OutboxMessage) TableName() string { return "outbox_messages" }

type Listings struct {
	db *gorm.DB
	ch *amqp.Channel
}

func (l *Listings) Add(ctx context.Context, item *Listing) error {
	return l.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(item).Error; err != nil {
			return err
		}
		body, err := json.Marshal(item)
		if err != nil {
			return err
		}
		return tx.Create(&OutboxMessage{Key: "added", Body: body}).Error
	})
}

func (l *Listings) Withdraw(ctx context.Context, id uint) error {
	tx := l.db.WithContext(ctx).Begin()
	defer tx.Rollback()
	if err := tx.Model(&Listing{ID: id}).Update("status", "withdrawn").Error; err != nil {
		return err
	}
	if err := tx.Create(&OutboxMessage{Key: "withdrawn"}).Error; err != nil {
		return err
	}
	return tx.Commit().Error
}

// Drain publishes what Add and Withdraw stored, in the transaction that locks it.
func (l *Listings) Drain(ctx context.Context) error {
	return l.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var batch []OutboxMessage
		lock := clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}
		if err := tx.Clauses(lock).Where("sent_at IS NULL").Order("id").Limit(50).Find(&batch).Error; err != nil {
			return err
		}
		for _, m := range batch {
			conf, err := l.ch.PublishWithDeferredConfirmWithContext(ctx, "listings", m.Key, true, false, amqp.Publishing{Body: m.Body})
			if err != nil {
				return err
			}
			if _, err := conf.WaitContext(ctx); err != nil {
				return err
			}
			if err := tx.Model(&m).Update("sent_at", time.Now()).Error; err != nil {
				return err
			}
		}
		return nil
	})
}
