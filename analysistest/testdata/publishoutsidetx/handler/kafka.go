package handler

import (
	"context"
	"log/slog"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type Tolls struct {
	pool   *pgxpool.Pool
	reader *kafka.Reader
	out    *kafka.Writer
}

func (t *Tolls) pay(ctx context.Context, car string) error {
	_, err := t.pool.Exec(ctx, "UPDATE tolls SET paid = true WHERE car = $1", car)
	return err
}

func (t *Tolls) paid(ctx context.Context, car string) error {
	return t.out.WriteMessages(ctx, kafka.Message{Topic: "tolls-paid", Key: []byte(car)})
}

// Run stops at the first error with the offset uncommitted: the next start reads
// the message again.
func (t *Tolls) Run(ctx context.Context) error {
	for {
		m, err := t.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := t.pay(ctx, string(m.Key)); err != nil {
			return err
		}
		if err := t.paid(ctx, string(m.Key)); err != nil {
			return err
		}
		if err := t.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// RunOn reads on: the next commit passes the message that failed.
func (t *Tolls) RunOn(ctx context.Context) error {
	for {
		m, err := t.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := t.pay(ctx, string(m.Key)); err != nil {
			return err
		}
		if err := t.paid(ctx, string(m.Key)); err != nil { // want dual-write "follows"
			slog.Error("not published", "car", string(m.Key), "err", err)
			continue
		}
		if err := t.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// RunRead uses the method that commits before it hands out the message.
func (t *Tolls) RunRead(ctx context.Context) error {
	for {
		m, err := t.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if err := t.pay(ctx, string(m.Key)); err != nil {
			return err
		}
		if err := t.paid(ctx, string(m.Key)); err != nil { // want dual-write "follows"
			return err
		}
	}
}

// Claims is a consumer group handler: it marks what is done and ends the session
// with what is not.
type Claims struct {
	pool     *pgxpool.Pool
	producer sarama.SyncProducer
}

func (*Claims) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (*Claims) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *Claims) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if _, err := c.pool.Exec(sess.Context(), "UPDATE claims SET open = true WHERE id = $1", string(msg.Key)); err != nil {
			return err
		}
		reply := &sarama.ProducerMessage{Topic: "claims-opened", Key: sarama.ByteEncoder(msg.Key)}
		if _, _, err := c.producer.SendMessage(reply); err != nil {
			return err
		}
		sess.MarkMessage(msg, "")
	}
	return nil
}

// Marked marks first.
type Marked struct{ Claims }

func (m *Marked) ConsumeClaim(sess sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		sess.MarkMessage(msg, "")
		if _, err := m.pool.Exec(sess.Context(), "UPDATE claims SET open = false WHERE id = $1", string(msg.Key)); err != nil {
			return err
		}
		reply := &sarama.ProducerMessage{Topic: "claims-closed", Key: sarama.ByteEncoder(msg.Key)}
		if _, _, err := m.producer.SendMessage(reply); err != nil { // want dual-write "follows"
			return err
		}
	}
	return nil
}
