package wrong

import (
	"context"
	"encoding/json"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
)

type Listing struct {
	ID     uint `gorm:"primaryKey"`
	Title  string
	Status string
}

type Listings struct {
	db *gorm.DB
	ch *amqp.Channel
}

func (l *Listings) Add(ctx context.Context, title string) (*Listing, error) {
	item := &Listing{Title: title, Status: "draft"}
	if err := l.db.WithContext(ctx).Create(item).Error; err != nil {
		return nil, fmt.Errorf("create listing: %w", err)
	}
	body, err := json.Marshal(item)
	if err != nil {
		return nil, err
	}
	err = l.ch.PublishWithContext(ctx, "listings", "added", true, false, amqp.Publishing{ // want dual-write "follows"
		ContentType:  "application/json",
		DeliveryMode: amqp.Persistent,
		Body:         body,
	})
	if err != nil {
		return nil, fmt.Errorf("publish listing: %w", err)
	}
	return item, nil
}

func (l *Listings) Approve(ctx context.Context, id uint) error {
	tx := l.db.WithContext(ctx).Begin()
	if tx.Error != nil {
		return tx.Error
	}
	if err := tx.Model(&Listing{}).Where("id = ?", id).Update("status", "approved").Error; err != nil {
		tx.Rollback()
		return err
	}
	if err := tx.Commit().Error; err != nil {
		return err
	}
	conf, err := l.ch.PublishWithDeferredConfirmWithContext(ctx, "listings", "approved", true, false, amqp.Publishing{Body: fmt.Append(nil, id)}) // want after-commit "runs after tx.Commit"
	if err != nil {
		return err
	}
	if ok, err := conf.WaitContext(ctx); err != nil || !ok {
		return fmt.Errorf("listing %d: broker did not confirm: %w", id, err)
	}
	return nil
}

func (l *Listings) Withdraw(ctx context.Context, id uint) error {
	return l.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var item Listing
		if err := tx.First(&item, id).Error; err != nil {
			return err
		}
		item.Status = "withdrawn"
		if err := tx.Save(&item).Error; err != nil {
			return err
		}
		return l.ch.PublishWithContext(ctx, "listings", "withdrawn", true, false, amqp.Publishing{Body: fmt.Append(nil, id)}) // want inside-tx "transaction"
	})
}

func (l *Listings) Drop(ctx context.Context, item *Listing) error {
	body, err := json.Marshal(item)
	if err != nil {
		return err
	}
	if err := l.ch.PublishWithContext(ctx, "listings", "dropped", true, false, amqp.Publishing{Body: body}); err != nil { // want before-write
		return err
	}
	return l.db.WithContext(ctx).Delete(item).Error
}
