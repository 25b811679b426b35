package handler

import (
	"context"
	"log/slog"

	amqp "github.com/rabbitmq/amqp091-go"
	"gorm.io/gorm"
)

type Meal struct {
	ID    string
	Ready bool
}

type Kitchen struct {
	db *gorm.DB
	ch *amqp.Channel
}

func (k *Kitchen) ready(ctx context.Context, id string) error {
	return k.db.WithContext(ctx).Model(&Meal{}).Where("id = ?", id).Update("ready", true).Error
}

func (k *Kitchen) ring(ctx context.Context, id string) error {
	return k.ch.PublishWithContext(ctx, "meals", "ready", true, false, amqp.Publishing{Body: []byte(id)})
}

func (k *Kitchen) cook(ctx context.Context, id string) error {
	if err := k.ready(ctx, id); err != nil {
		return err
	}
	return k.ring(ctx, id)
}

// Serve acks last and requeues what failed.
func (k *Kitchen) Serve(ctx context.Context, queue string) error {
	deliveries, err := k.ch.ConsumeWithContext(ctx, queue, "serve", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		if err := k.cook(ctx, string(d.Body)); err != nil {
			slog.Error("cook", "err", err)
			if err := d.Nack(false, true); err != nil {
				return err
			}
			continue
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

// ServeOnce throws away what failed.
func (k *Kitchen) ServeOnce(ctx context.Context, queue string) error {
	deliveries, err := k.ch.ConsumeWithContext(ctx, queue, "once", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		if err := k.ready(ctx, string(d.Body)); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		if err := k.ring(ctx, string(d.Body)); err != nil { // want dual-write "follows"
			_ = d.Reject(false)
			continue
		}
		_ = d.Ack(false)
	}
	return nil
}

// ServeFast acks between the write and the publish.
func (k *Kitchen) ServeFast(ctx context.Context, d amqp.Delivery) error {
	if err := k.ready(ctx, string(d.Body)); err != nil {
		return d.Nack(false, true)
	}
	if err := d.Ack(false); err != nil {
		return err
	}
	return k.ring(ctx, string(d.Body)) // want dual-write "follows"
}

// ServeAuto has the broker ack on delivery.
func (k *Kitchen) ServeAuto(ctx context.Context, queue string) error {
	deliveries, err := k.ch.ConsumeWithContext(ctx, queue, "auto", true, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		if err := k.ready(ctx, string(d.Body)); err != nil {
			return err
		}
		if err := k.ring(ctx, string(d.Body)); err != nil { // want dual-write "follows"
			return err
		}
	}
	return nil
}
