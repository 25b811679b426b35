// Package hooks publishes from hooks: of the ORM, which run inside its transaction,
// and of home-made collectors, which run after it.
package hooks

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

var writer = &kafka.Writer{Addr: kafka.TCP("localhost:9092"), Topic: "tickets"}

type Ticket struct {
	ID    uint
	Title string
}

// AfterCreate runs in the transaction that gorm puts around each Create.
func (t *Ticket) AfterCreate(tx *gorm.DB) error {
	raw, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return writer.WriteMessages(tx.Statement.Context, kafka.Message{Value: raw}) // want inside-tx
}

// AfterDelete stores its event with the handle that it is given.
func (t *Ticket) AfterDelete(tx *gorm.DB) error {
	return tx.Create(&TicketOutbox{Kind: "deleted", Ticket: t.ID}).Error
}

type TicketOutbox struct {
	ID     uint
	Kind   string
	Ticket uint
}

func (TicketOutbox) TableName() string { return "ticket_outbox" }

type Queue struct {
	ID   uint
	Name string
}

var cache = map[uint]string{}

// AfterSave forgets what the process remembers.
func (q *Queue) AfterSave(*gorm.DB) error {
	delete(cache, q.ID)
	return nil
}

type Desk struct{ db *gorm.DB }

// Rename saves a type whose hooks reach no broker.
func (d *Desk) Rename(ctx context.Context, q *Queue, name string) error {
	q.Name = name
	return d.db.WithContext(ctx).Save(q).Error
}

func (d *Desk) Close(ctx context.Context, t *Ticket) error {
	return d.db.WithContext(ctx).Delete(t).Error
}
