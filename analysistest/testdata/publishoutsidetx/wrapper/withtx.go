package wrapper

import (
	"context"
	"fmt"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

// Advice is told once: notifyTx publishes it and marks it with the transaction that
// it is given.
type Advice struct {
	ID       uint
	Host     string
	Notified bool
}

type Advices struct {
	db  *gorm.DB
	out *kafka.Writer
}

func notifyTx(ctx context.Context, tx *gorm.DB, out *kafka.Writer, all []Advice) error {
	for _, a := range all {
		if err := out.WriteMessages(ctx, kafka.Message{Key: []byte(a.Host), Value: fmt.Append(nil, a.ID)}); err != nil {
			return err
		}
	}
	return tx.Model(&all).Update("notified", true).Error
}

// Evaluate stores new advice and has it told, all before the commit.
func (s *Advices) Evaluate(ctx context.Context, host string, all []Advice) error {
	tx := s.db.WithContext(ctx).Begin()
	defer tx.Rollback()
	if err := s.replace(tx, host, all); err != nil {
		return err
	}
	if err := notifyTx(ctx, tx, s.out, all); err != nil { // want inside-tx "transaction"
		return err
	}
	return tx.Commit().Error
}

func (s *Advices) replace(tx *gorm.DB, host string, all []Advice) error {
	if err := tx.Where("host = ?", host).Delete(&Advice{}).Error; err != nil {
		return err
	}
	return tx.Create(&all).Error
}

// recompute, refresh and store are three steps down to the transaction.
func (s *Advices) Recompute(ctx context.Context, host string) error {
	if err := s.refresh(ctx, host); err != nil {
		return err
	}
	return s.out.WriteMessages(ctx, kafka.Message{Topic: "recomputed", Key: []byte(host)}) // want after-commit "runs after"
}

func (s *Advices) refresh(ctx context.Context, host string) error {
	return s.store(ctx, host, []Advice{{Host: host}})
}

func (s *Advices) store(ctx context.Context, host string, all []Advice) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return s.replace(tx, host, all) })
}

// Notify tells what was stored long ago: the flag is all that a rollback can undo.
func (s *Advices) Notify(ctx context.Context) error {
	tx := s.db.WithContext(ctx).Begin()
	defer tx.Rollback()
	var open []Advice
	if err := tx.Where("notified = ?", false).Find(&open).Error; err != nil {
		return err
	}
	if err := notifyTx(ctx, tx, s.out, open); err != nil {
		return err
	}
	return tx.Commit().Error
}
