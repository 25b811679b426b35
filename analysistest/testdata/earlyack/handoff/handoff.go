// Package handoff leaves deliveries to goroutines, channels and memory.
package handoff

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"golang.org/x/sync/errgroup"
)

// Boxes keeps boxes.
type Boxes struct {
	db   *sql.DB
	work chan []byte
	mu   sync.Mutex
	held [][]byte
}

func (b *Boxes) keep(ctx context.Context, body []byte) error {
	_, err := b.db.ExecContext(ctx, `INSERT INTO boxes (body) VALUES ($1)`, body)
	return err
}

// Channel puts a delivery into a channel and acks it.
func (b *Boxes) Channel(msgs <-chan amqp.Delivery) error {
	for d := range msgs {
		b.work <- d.Body
		if err := d.Ack(false); err != nil { // want before-effect
			return err
		}
	}
	return nil
}

// AckThenChannel acks it and puts it into a channel.
func (b *Boxes) AckThenChannel(msgs <-chan amqp.Delivery) error {
	for d := range msgs {
		if err := d.Ack(false); err != nil { // want before-effect
			return err
		}
		b.work <- d.Body
	}
	return nil
}

// Work stores what comes through the channel.
func (b *Boxes) Work(ctx context.Context) {
	for body := range b.work {
		if err := b.keep(ctx, body); err != nil {
			slog.Error("keep", "err", err)
		}
	}
}

// Goroutine acks what a goroutine has begun.
func (b *Boxes) Goroutine(ctx context.Context, msgs <-chan amqp.Delivery) error {
	for d := range msgs {
		go func() {
			if err := b.keep(ctx, d.Body); err != nil {
				slog.Error("keep", "err", err)
			}
		}()
		if err := d.Ack(false); err != nil { // want before-effect "d.Ack runs while .* may still handle the message: a crash loses it"
			return err
		}
	}
	return nil
}

// GoroutineAcks has each goroutine ack its own: AMQP acks each delivery by itself.
func (b *Boxes) GoroutineAcks(ctx context.Context, msgs <-chan amqp.Delivery) {
	for d := range msgs {
		go func() {
			if err := b.keep(ctx, d.Body); err != nil {
				_ = d.Nack(false, true)
				return
			}
			_ = d.Ack(false)
		}()
	}
}

// GoroutineAckFirst acks before it begins.
func (b *Boxes) GoroutineAckFirst(ctx context.Context, msgs <-chan amqp.Delivery) {
	for d := range msgs {
		_ = d.Ack(false) // want before-effect
		go func() {
			if err := b.keep(ctx, d.Body); err != nil {
				slog.Error("keep", "err", err)
			}
		}()
	}
}

// Waits waits for its goroutines and acks then.
func (b *Boxes) Waits(ctx context.Context, msgs <-chan amqp.Delivery) error {
	for d := range msgs {
		var g errgroup.Group
		g.Go(func() error { return b.keep(ctx, d.Body[:1]) })
		g.Go(func() error { return b.keep(ctx, d.Body[1:]) })
		if err := g.Wait(); err != nil {
			_ = d.Nack(false, true)
			continue
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

// WaitsDone waits for a channel to say that the goroutine is done.
func (b *Boxes) WaitsDone(ctx context.Context, msgs <-chan amqp.Delivery) error {
	for d := range msgs {
		done := make(chan error, 1)
		go func() { done <- b.keep(ctx, d.Body) }()
		select {
		case err := <-done:
			if err != nil {
				_ = d.Nack(false, true)
				continue
			}
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

// Timer acks what a timer will do.
func (b *Boxes) Timer(msgs <-chan amqp.Delivery) error {
	for d := range msgs {
		time.AfterFunc(time.Minute, func() {
			if err := b.keep(context.Background(), d.Body); err != nil {
				slog.Error("keep", "err", err)
			}
		})
		if err := d.Ack(false); err != nil { // want before-effect
			return err
		}
	}
	return nil
}

// Collects acks what is only in memory.
func (b *Boxes) Collects(msgs <-chan amqp.Delivery) error {
	for d := range msgs {
		b.mu.Lock()
		b.held = append(b.held, d.Body) // want before-effect "held holds the message in memory when d.Ack"
		b.mu.Unlock()
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

// Flush stores what was collected.
func (b *Boxes) Flush(ctx context.Context) error {
	b.mu.Lock()
	held := b.held
	b.held = nil
	b.mu.Unlock()
	for _, body := range held {
		if err := b.keep(ctx, body); err != nil {
			return err
		}
	}
	return nil
}

// envelope is a delivery with its ack: who stores it acks it.
type envelope struct {
	body []byte
	d    amqp.Delivery
}

// Pool has workers that ack what they have stored.
type Pool struct {
	boxes *Boxes
	in    chan envelope
}

// Feed leaves the ack to them.
func (p *Pool) Feed(msgs <-chan amqp.Delivery) {
	for d := range msgs {
		p.in <- envelope{d.Body, d}
	}
}

// Work acks what it has stored.
func (p *Pool) Work(ctx context.Context) {
	for e := range p.in {
		if err := p.boxes.keep(ctx, e.body); err != nil {
			_ = e.d.Nack(false, true)
			continue
		}
		_ = e.d.Ack(false)
	}
}

// Hint tells those who look on that something was stored, and acks.
func (b *Boxes) Hint(ctx context.Context, d amqp.Delivery, changed chan<- struct{}) error {
	if err := b.keep(ctx, d.Body); err != nil {
		return d.Nack(false, true)
	}
	if err := d.Ack(false); err != nil {
		return err
	}
	changed <- struct{}{}
	return nil
}

// job has the ack as a function.
type job struct {
	body []byte
	done func()
}

// Callbacks is a queue in memory, of deliveries that are acked when they are done.
type Callbacks struct {
	boxes *Boxes
	jobs  chan job
}

// Feed passes the ack on.
func (c *Callbacks) Feed(msgs <-chan amqp.Delivery) {
	for d := range msgs {
		c.jobs <- job{d.Body, func() { _ = d.Ack(false) }}
	}
}

// Work calls it.
func (c *Callbacks) Work(ctx context.Context) {
	for j := range c.jobs {
		if err := c.boxes.keep(ctx, j.body); err == nil {
			j.done()
		}
	}
}

// recipe is a delivery that was decoded, with what came of its steps.
type recipe struct {
	Steps   []string
	Results []string
}

// Runs adds what came of a step to the recipe itself, which is gone with it.
func (b *Boxes) Runs(ctx context.Context, msgs <-chan amqp.Delivery) error {
	for d := range msgs {
		j := &recipe{}
		if err := json.Unmarshal(d.Body, j); err != nil {
			return err
		}
		if err := b.steps(ctx, j); err != nil {
			return err
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

func (b *Boxes) steps(ctx context.Context, j *recipe) error {
	for _, s := range j.Steps {
		if err := b.keep(ctx, []byte(s)); err != nil {
			return err
		}
		j.Results = append(j.Results, s)
	}
	return b.sum(ctx, j)
}

func (b *Boxes) sum(ctx context.Context, j *recipe) error {
	for _, r := range j.Results {
		if err := b.keep(ctx, []byte(r)); err != nil {
			return err
		}
	}
	return nil
}
