package decided

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/IBM/sarama"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
)

var errBusy = errors.New("busy")

// retry runs f until it works, some times.
func retry(times int, f func() error) error {
	var err error
	for range times {
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Retried gives back what no try has managed.
func (c *Cars) Retried(ctx context.Context, d amqp.Delivery) error {
	if err := retry(3, func() error { return c.keep(ctx, d.MessageId) }); err != nil {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// RetriedAcked acks it.
func (c *Cars) RetriedAcked(ctx context.Context, d amqp.Delivery) error {
	if err := retry(3, func() error { return c.keep(ctx, d.MessageId) }); err != nil { // want on-failure "and d.Ack"
		slog.Error("keep", "err", err)
	}
	return d.Ack(false)
}

// Goto tries until it works.
func (c *Cars) Goto(ctx context.Context, r *kafka.Reader) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
	again:
		if err := c.keep(ctx, string(m.Key)); err != nil {
			slog.Error("keep", "err", err)
			time.Sleep(time.Second)
			goto again
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// process says whether another try makes sense.
func (c *Cars) process(ctx context.Context, id string) (again bool, err error) {
	err = c.keep(ctx, id)
	return errors.Is(err, errBusy), err
}

// Retryable gives back what another try makes sense for.
func (c *Cars) Retryable(ctx context.Context, d amqp.Delivery) error {
	again, err := c.process(ctx, d.MessageId)
	if err != nil && again {
		return d.Nack(false, true)
	}
	return d.Ack(false)
}

// Supervised tells a supervisor, who closes the channel.
func (c *Cars) Supervised(ctx context.Context, msgs <-chan amqp.Delivery, errs chan<- error) {
	for d := range msgs {
		if err := c.keep(ctx, d.MessageId); err != nil {
			errs <- err
			return
		}
		_ = d.Ack(false)
	}
}

// Claims marks in a deferred call.
type Claims struct{ cars *Cars }

func (*Claims) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (*Claims) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *Claims) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		c.one(sess, msg)
	}
	return nil
}

func (c *Claims) one(sess sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage) {
	defer sess.MarkMessage(msg, "")
	if err := c.cars.keep(sess.Context(), string(msg.Key)); err != nil { // want on-failure "and sess.MarkMessage"
		slog.Error("keep", "err", err)
		return
	}
	slog.Info("kept")
}

// Flushed commits a batch that it could not store.
func (c *Cars) Flushed(ctx context.Context, r *kafka.Reader) error {
	var batch []kafka.Message
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if batch = append(batch, m); len(batch) < 100 {
			continue
		}
		if err := c.flush(ctx, batch); err != nil { // want on-failure "c.flush may fail, and r.CommitMessages"
			slog.Error("flush", "err", err)
		}
		if err := r.CommitMessages(ctx, batch...); err != nil {
			return err
		}
		batch = batch[:0]
	}
}

// FlushedRight keeps the batch until it is stored.
func (c *Cars) FlushedRight(ctx context.Context, r *kafka.Reader) error {
	var batch []kafka.Message
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if batch = append(batch, m); len(batch) < 100 {
			continue
		}
		if err := c.flush(ctx, batch); err != nil {
			slog.Error("flush", "err", err)
			continue
		}
		if err := r.CommitMessages(ctx, batch...); err != nil {
			return err
		}
		batch = batch[:0]
	}
}

func (c *Cars) flush(ctx context.Context, batch []kafka.Message) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, m := range batch {
		if _, err := tx.ExecContext(ctx, `INSERT INTO cars (id) VALUES ($1)`, string(m.Key)); err != nil {
			return err
		}
	}
	return tx.Commit()
}
