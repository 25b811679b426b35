package amqp

import (
	"context"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/redis/go-redis/v9"
)

// Caller waits for answers: with the process, the one who asked is gone too.
type Caller struct {
	mu      sync.Mutex
	waiting map[string]chan amqp.Delivery
}

// Answers passes each answer to the one who asked.
func (c *Caller) Answers(ch *amqp.Channel) error {
	msgs, err := ch.Consume("answers", "", true, true, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		c.mu.Lock()
		asked := c.waiting[d.CorrelationId]
		delete(c.waiting, d.CorrelationId)
		c.mu.Unlock()
		if asked != nil {
			asked <- d
		}
	}
	return nil
}

// Ask waits for one answer.
func (c *Caller) Ask(ctx context.Context, ch *amqp.Channel, id string) ([]byte, error) {
	answer := make(chan amqp.Delivery, 1)
	c.mu.Lock()
	c.waiting[id] = answer
	c.mu.Unlock()
	if err := ch.PublishWithContext(ctx, "", "questions", true, false, amqp.Publishing{CorrelationId: id, ReplyTo: "answers"}); err != nil {
		return nil, err
	}
	select {
	case d := <-answer:
		return d.Body, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Screen shows people what happens.
type Screen struct {
	frames chan []byte
	conns  []interface{ WriteMessage(int, []byte) error }
}

// Feed is acked by itself: who looks on reads anew when it comes back.
func (s *Screen) Feed(ch *amqp.Channel) error {
	msgs, err := ch.Consume("frames", "", true, true, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		s.frames <- d.Body
	}
	return nil
}

// FeedAcked acks what it has passed on.
func (s *Screen) FeedAcked(ch *amqp.Channel) error {
	msgs, err := ch.Consume("frames", "", false, true, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := d.Ack(false); err != nil {
			return err
		}
		s.frames <- d.Body
	}
	return nil
}

// Show writes frames to those who look on.
func (s *Screen) Show() {
	for f := range s.frames {
		for _, c := range s.conns {
			_ = c.WriteMessage(1, f)
		}
	}
}

// Forget tells a cache to forget, which is acked by itself.
func Forget(ctx context.Context, ch *amqp.Channel, cache *redis.Client) error {
	msgs, err := ch.Consume("changed", "", true, true, false, false, nil)
	if err != nil {
		return err
	}
	for d := range msgs {
		if err := cache.Del(ctx, string(d.Body)).Err(); err != nil {
			return err
		}
	}
	return nil
}
