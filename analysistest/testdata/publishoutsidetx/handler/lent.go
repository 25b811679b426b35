package handler

import (
	"context"
	"log/slog"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Porter gives what it takes off a queue to a function.
type Porter struct {
	ch   *amqp.Channel
	take func(context.Context, string) error
}

// NewPorter only keeps the function.
func NewPorter(ch *amqp.Channel, take func(context.Context, string) error) *Porter {
	return &Porter{ch, take}
}

// Run requeues what failed.
func (p *Porter) Run(ctx context.Context, queue string) error {
	deliveries, err := p.ch.ConsumeWithContext(ctx, queue, "porter", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range deliveries {
		if err := p.take(ctx, string(d.Body)); err != nil {
			slog.Error("take", "err", err)
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

// Cellar is filled by a porter alone.
type Cellar struct {
	*Kitchen
	porter *Porter
}

// NewCellar hands a method on, and doesn't call it.
func NewCellar(k *Kitchen) *Cellar {
	c := &Cellar{Kitchen: k}
	c.porter = NewPorter(k.ch, c.fill)
	return c
}

func (c *Cellar) fill(ctx context.Context, id string) error {
	if err := c.ready(ctx, id); err != nil {
		return err
	}
	return c.ring(ctx, id)
}

// Attic is filled by a porter, and by hand.
type Attic struct {
	*Kitchen
	porter *Porter
}

// NewAttic hands a method on too.
func NewAttic(k *Kitchen) *Attic {
	a := &Attic{Kitchen: k}
	a.porter = NewPorter(k.ch, a.fill)
	return a
}

// Fill is what a hand does.
func (a *Attic) Fill(ctx context.Context) error { return a.fill(ctx, "hand") }

func (a *Attic) fill(ctx context.Context, id string) error {
	if err := a.ready(ctx, id); err != nil {
		return err
	}
	return a.ring(ctx, id) // want dual-write "follows"
}
