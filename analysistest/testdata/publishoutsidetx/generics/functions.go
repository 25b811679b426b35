package generics

import (
	"context"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
)

// Add, Change and DropByID are a repository without a type.
func Add[T any](ctx context.Context, db *gorm.DB, v T) (T, error) {
	if err := db.WithContext(ctx).Create(&v).Error; err != nil {
		return *new(T), fmt.Errorf("add: %w", err)
	}
	return v, nil
}

func Change[T any](ctx context.Context, db *gorm.DB, v *T) error {
	return db.WithContext(ctx).Save(v).Error
}

func DropByID[T any, K comparable](ctx context.Context, db *gorm.DB, id K) error {
	var v T
	return db.WithContext(ctx).Delete(&v, "id = ?", id).Error
}

func ByID[T any, K comparable](ctx context.Context, db *gorm.DB, id K) (v T, err error) {
	return v, db.WithContext(ctx).First(&v, "id = ?", id).Error
}

type Sail struct {
	ID   int
	Area float64
}

type SailOutbox struct {
	ID   int
	Kind string
	Sail int
}

func (SailOutbox) TableName() string { return "sail_outbox" }

type SailChanged struct {
	ID   int
	What string
}

// Loft is what every handler embeds.
type Loft struct {
	DB     *gorm.DB
	Rabbit *RabbitOut
}

type RabbitOut struct{ ch *amqp.Channel }

func (r *RabbitOut) Out(ctx context.Context, e SailChanged) error {
	return r.ch.PublishWithContext(ctx, "sails", e.What, true, false, amqp.Publishing{Body: fmt.Append(nil, e.ID)})
}

type cutSail struct{ *Loft }

func (h cutSail) Handle(ctx context.Context, area float64) (int, error) {
	s, err := Add(ctx, h.DB, Sail{Area: area})
	if err != nil {
		return 0, err
	}
	if err := h.Rabbit.Out(ctx, SailChanged{s.ID, "cut"}); err != nil { // want dual-write "follows"
		return 0, err
	}
	return s.ID, nil
}

type tearSail struct{ Loft }

func (h *tearSail) Handle(ctx context.Context, id int) error {
	if err := DropByID[Sail](ctx, h.DB, id); err != nil {
		return err
	}
	return h.Rabbit.Out(ctx, SailChanged{id, "torn"}) // want dual-write "follows"
}

type sewSail struct{ *Loft }

func (h sewSail) Handle(ctx context.Context, s *Sail) error {
	return h.DB.Transaction(func(tx *gorm.DB) error {
		if err := Change(ctx, tx, s); err != nil {
			return err
		}
		return h.Rabbit.Out(ctx, SailChanged{s.ID, "sewn"}) // want inside-tx "transaction"
	})
}

type dyeSail struct{ *Loft }

// Handle adds two rows with the same function, one of them to the outbox.
func (h dyeSail) Handle(ctx context.Context, s *Sail) error {
	return h.DB.Transaction(func(tx *gorm.DB) error {
		if err := Change(ctx, tx, s); err != nil {
			return err
		}
		_, err := Add(ctx, tx, SailOutbox{Kind: "dyed", Sail: s.ID})
		return err
	})
}

type showSail struct{ *Loft }

func (h showSail) Handle(ctx context.Context, id int) error {
	s, err := ByID[Sail](ctx, h.DB, id)
	if err != nil {
		return err
	}
	return h.Rabbit.Out(ctx, SailChanged{s.ID, "shown"})
}
