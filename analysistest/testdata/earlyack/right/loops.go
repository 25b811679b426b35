package right

import (
	"context"
	"log/slog"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
)

// Ticking takes deliveries and, now and then, does something that none is for.
func (o *Orders) Ticking(ctx context.Context, msgs <-chan amqp.Delivery) error {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if err := o.expire(ctx); err != nil {
				slog.Error("expire", "err", err)
			}
		case d, ok := <-msgs:
			if !ok {
				return nil
			}
			if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
				_ = d.Nack(false, true)
				continue
			}
			_ = d.Ack(false)
		}
	}
}

func (o *Orders) expire(ctx context.Context) error {
	_, err := o.db.ExecContext(ctx, `UPDATE orders SET state = 'expired' WHERE state = 'new' AND at < now() - interval '1 day'`)
	return err
}

// Closing says at the end that it has stopped.
func (o *Orders) Closing(ctx context.Context, msgs <-chan amqp.Delivery) error {
	for d := range msgs {
		if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		_ = d.Ack(false)
	}
	_, err := o.db.ExecContext(ctx, `UPDATE workers SET stopped = true WHERE name = $1`, "orders")
	return err
}

// Starting says at the start that it runs.
func (o *Orders) Starting(ctx context.Context, msgs <-chan amqp.Delivery) error {
	if _, err := o.db.ExecContext(ctx, `UPDATE workers SET stopped = false WHERE name = $1`, "orders"); err != nil {
		slog.Error("start", "err", err)
	}
	for d := range msgs {
		if string(d.Body) == "" {
			_ = d.Ack(false)
			continue
		}
		if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		_ = d.Ack(false)
	}
	return nil
}

// Between expires what is old before it fetches the next.
func (o *Orders) Between(ctx context.Context, r *kafka.Reader) error {
	for {
		if err := o.expire(ctx); err != nil {
			slog.Error("expire", "err", err)
		}
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if string(m.Key) != "" {
			if err := o.keep(ctx, Order{ID: string(m.Key)}); err != nil {
				return err
			}
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Buffered stores and acks when the buffer is full or the time is up.
func (o *Orders) Buffered(ctx context.Context, msgs <-chan amqp.Delivery) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	var held []amqp.Delivery
	for {
		select {
		case d, ok := <-msgs:
			if !ok {
				return o.store(ctx, held)
			}
			held = append(held, d)
			if len(held) < 100 {
				continue
			}
		case <-tick.C:
		}
		if err := o.store(ctx, held); err != nil {
			return err
		}
		held = held[:0]
	}
}

func (o *Orders) store(ctx context.Context, held []amqp.Delivery) error {
	for _, d := range held {
		if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
			return err
		}
	}
	for _, d := range held {
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

// Each settles what is in a batch one by one.
func (o *Orders) Each(ctx context.Context, batch []amqp.Delivery) {
	for _, d := range batch {
		if err := o.keep(ctx, Order{ID: d.MessageId}); err != nil {
			slog.Error("keep", "err", err)
			continue
		}
		_ = d.Ack(false)
	}
}

// Two takes deliveries of two queues in one loop.
func (o *Orders) Two(ctx context.Context, made, paid <-chan amqp.Delivery) {
	for {
		select {
		case d := <-made:
			if o.keep(ctx, Order{ID: d.MessageId}) == nil {
				_ = d.Ack(false)
			}
		case d := <-paid:
			if o.setState(ctx, d.MessageId, "PAID") == nil {
				_ = d.Ack(false)
			}
		case <-ctx.Done():
			return
		}
	}
}

// Handler is middleware that logs what fails and returns it.
func (o *Orders) Handler(next func(context.Context, amqp.Delivery) error) func(context.Context, amqp.Delivery) error {
	return func(ctx context.Context, d amqp.Delivery) error {
		err := next(ctx, d)
		if err != nil {
			slog.Error("handle", "err", err)
		}
		return err
	}
}

// Wrapped acks what the middleware returns as done.
func (o *Orders) Wrapped(ctx context.Context, msgs <-chan amqp.Delivery) {
	handle := o.Handler(func(ctx context.Context, d amqp.Delivery) error { return o.keep(ctx, Order{ID: d.MessageId}) })
	for d := range msgs {
		if handle(ctx, d) != nil {
			_ = d.Nack(false, true)
			continue
		}
		_ = d.Ack(false)
	}
}
