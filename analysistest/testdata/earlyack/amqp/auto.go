package amqp

import (
	"context"
	"log/slog"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Auto has the broker ack as it sends.
func (p *Parcels) Auto(ctx context.Context, ch *amqp.Channel) error {
	msgs, err := ch.Consume("parcels", "", true, false, false, false, nil) // want auto-ack "acked by themselves, before p.keep"
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := p.keep(ctx, d.Body); err != nil {
			slog.Error("keep", "err", err)
		}
	}
	return nil
}

// AutoGet takes one delivery that is acked by then.
func (p *Parcels) AutoGet(ctx context.Context, ch *amqp.Channel) error {
	d, ok, err := ch.Get("parcels", true) // want auto-ack "before p.keep"
	if err != nil || !ok {
		return err
	}
	return p.keep(ctx, d.Body)
}

// ManualGet acks it when it is stored.
func (p *Parcels) ManualGet(ctx context.Context, ch *amqp.Channel) error {
	d, ok, err := ch.Get("parcels", false)
	if err != nil || !ok {
		return err
	}
	if err := p.keep(ctx, d.Body); err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Auto in a struct: the consumer is made in one function and read in another.
type Courier struct {
	parcels    *Parcels
	deliveries <-chan amqp.Delivery
}

// NewCourier consumes with autoAck.
func NewCourier(ch *amqp.Channel, p *Parcels) (*Courier, error) {
	msgs, err := ch.Consume("couriers", "", true, false, false, false, nil)
	if err != nil {
		return nil, err
	}
	return &Courier{p, msgs}, nil
}

// Run has no ack to send.
func (c *Courier) Run(ctx context.Context) {
	for d := range c.deliveries { // want auto-ack
		if err := c.parcels.keep(ctx, d.Body); err != nil {
			slog.Error("keep", "err", err)
		}
	}
}

// Chosen takes the mode from its caller, so nobody knows.
func (p *Parcels) Chosen(ctx context.Context, ch *amqp.Channel, auto bool) error {
	msgs, err := ch.Consume("parcels", "", auto, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := p.keep(ctx, d.Body); err != nil {
			return err
		}
	}
	return nil
}

// Watch only tells people on the screen what passes: nothing is lost with it.
func Watch(ch *amqp.Channel) error {
	msgs, err := ch.Consume("parcels.seen", "", true, true, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		slog.Info("seen", "body", string(d.Body))
	}
	return nil
}
