// Package amqpgorm dedupes what it takes from AMQP with gorm.
package amqpgorm

import (
	"errors"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
)

type ProcessedMessage struct {
	ID string `gorm:"primaryKey"`
}

type Entry struct {
	ID      uint
	Account string
	Cents   int64
}

type worker struct {
	db   *gorm.DB
	mu   sync.Mutex
	seen map[string]bool
}

func (w *worker) wrongTwoWrites(msgs <-chan amqp.Delivery) {
	for d := range msgs {
		var done ProcessedMessage
		err := w.db.First(&done, "id = ?", d.MessageId).Error
		if err == nil {
			d.Ack(false)
			continue
		}
		if !errors.Is(err, gorm.ErrRecordNotFound) {
			d.Nack(false, true)
			continue
		}
		if err := w.db.Create(&Entry{Account: d.Type, Cents: 100}).Error; err != nil {
			d.Nack(false, true)
			continue
		}
		if err := w.db.Create(&ProcessedMessage{ID: d.MessageId}).Error; err != nil { // want record-outside-tx "db.Create records the message after db.Create"
			d.Nack(false, true)
			continue
		}
		d.Ack(false)
	}
}

func (w *worker) wrongMemory(msgs <-chan amqp.Delivery) {
	for d := range msgs {
		w.mu.Lock()
		dup := w.seen[d.MessageId] // want volatile-store "asks the memory of the process"
		w.mu.Unlock()
		if dup {
			d.Ack(false)
			continue
		}
		if err := w.db.Create(&Entry{Account: d.Type, Cents: 100}).Error; err != nil {
			d.Nack(false, true)
			continue
		}
		w.mu.Lock()
		w.seen[d.MessageId] = true
		w.mu.Unlock()
		d.Ack(false)
	}
}

func (w *worker) rightTransaction(msgs <-chan amqp.Delivery) {
	for d := range msgs {
		err := w.db.Transaction(func(tx *gorm.DB) error {
			var n int64
			if err := tx.Model(&ProcessedMessage{}).Where("id = ?", d.MessageId).Count(&n).Error; err != nil || n > 0 {
				return err
			}
			if err := tx.Create(&Entry{Account: d.Type, Cents: 100}).Error; err != nil {
				return err
			}
			return tx.Create(&ProcessedMessage{ID: d.MessageId}).Error
		})
		if err != nil {
			d.Nack(false, true)
			continue
		}
		d.Ack(false)
	}
}

// rightPending keeps only what is being worked on.
func (w *worker) rightPending(msgs <-chan amqp.Delivery) {
	for d := range msgs {
		if w.seen[d.MessageId] {
			d.Nack(false, true)
			continue
		}
		w.seen[d.MessageId] = true
		if err := w.db.Create(&Entry{Account: d.Type, Cents: 100}).Error; err != nil {
			d.Nack(false, true)
		} else {
			d.Ack(false)
		}
		delete(w.seen, d.MessageId)
	}
}

// Start consumes.
func Start(w *worker, ch *amqp.Channel) error {
	msgs, err := ch.Consume("entries", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	go w.wrongTwoWrites(msgs)
	go w.wrongMemory(msgs)
	go w.rightTransaction(msgs)
	go w.rightPending(msgs)
	return nil
}
