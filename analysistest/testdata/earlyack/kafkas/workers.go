package kafkas

import (
	"context"
	"encoding/json"
	"log"
	"log/slog"

	"github.com/IBM/sarama"
	segment "github.com/segmentio/kafka-go"
	"golang.org/x/sync/errgroup"
)

// Pooled feeds some workers, of which each commits what it has stored.
func (f *Fetched) Pooled(ctx context.Context) error {
	jobs := make(chan segment.Message)
	for range 8 {
		go f.worker(ctx, jobs)
	}
	for {
		msg, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		jobs <- msg
	}
}

func (f *Fetched) worker(ctx context.Context, jobs <-chan segment.Message) {
	for msg := range jobs {
		if err := f.meters.keep(ctx, msg.Value); err != nil {
			slog.Error("keep", "err", err)
			return
		}
		if err := f.reader.CommitMessages(ctx, msg); err != nil { // want out-of-order
			slog.Error("commit", "err", err)
		}
	}
}

// Grouping commits in goroutines of a group.
func (f *Fetched) Grouping(ctx context.Context) error {
	var g errgroup.Group
	g.SetLimit(8)
	for {
		msg, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		g.Go(func() error {
			if err := f.meters.keep(ctx, msg.Value); err != nil {
				return err
			}
			return f.reader.CommitMessages(ctx, msg) // want out-of-order
		})
	}
}

// Ordered has one goroutine that stores and marks, in order.
type Ordered struct {
	noHooks
	meters *Meters
}

func (c *Ordered) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	failed := make(chan error, 1)
	go func() {
		for msg := range claim.Messages() {
			if err := c.meters.keep(sess.Context(), msg.Value); err != nil {
				failed <- err
				return
			}
			sess.MarkMessage(msg, "")
		}
		failed <- nil
	}()
	return <-failed
}

// Fatal ends the process at a failure: nothing is marked.
type Fatal struct {
	noHooks
	meters *Meters
}

func (c *Fatal) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.meters.keep(sess.Context(), msg.Value); err != nil {
			log.Fatalf("keep: %v", err)
		}
		sess.MarkMessage(msg, "")
	}
	return nil
}

// Reset goes back to what failed.
type Reset struct {
	noHooks
	meters *Meters
}

func (c *Reset) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.meters.keep(sess.Context(), msg.Value); err != nil {
			slog.Error("keep", "err", err)
			sess.ResetOffset(msg.Topic, msg.Partition, msg.Offset, "")
			return nil
		}
		sess.MarkMessage(msg, "")
	}
	return nil
}

// Later puts what failed into a topic that is read again later.
type Later struct {
	noHooks
	meters   *Meters
	producer sarama.SyncProducer
}

func (c *Later) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.meters.keep(sess.Context(), msg.Value); err != nil {
			again := &sarama.ProducerMessage{Topic: "readings.retry", Value: sarama.ByteEncoder(msg.Value)}
			if _, _, err := c.producer.SendMessage(again); err != nil {
				return err
			}
		}
		sess.MarkMessage(msg, "")
	}
	return nil
}

// Broken ends the session with a break: what failed is not marked, and no more is
// read.
type Broken struct {
	noHooks
	meters *Meters
}

func (c *Broken) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.meters.keep(sess.Context(), msg.Value); err != nil {
			slog.Error("keep", "err", err)
			break
		}
		sess.MarkMessage(msg, "")
	}
	return nil
}

// Parsed passes on what its workers commit, and commits itself what can't be read.
type Parsed struct {
	reader *segment.Reader
	meters *Meters
	events chan parsed
}

type parsed struct {
	reading string
	msg     segment.Message
}

// Fetch feeds the workers.
func (p *Parsed) Fetch(ctx context.Context) error {
	for {
		msg, err := p.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var reading string
		if err := json.Unmarshal(msg.Value, &reading); err != nil {
			_ = p.reader.CommitMessages(ctx, msg)
			continue
		}
		select {
		case p.events <- parsed{reading, msg}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Work stores what was parsed, with one goroutine.
func (p *Parsed) Work(ctx context.Context) {
	for e := range p.events {
		if err := p.meters.keep(ctx, []byte(e.reading)); err != nil { // want on-failure "the next message is read"
			slog.Error("keep", "err", err)
		} else if err := p.reader.CommitMessages(ctx, e.msg); err != nil {
			slog.Error("commit", "err", err)
		}
	}
}
