// Package kafkas reads from Kafka with each client, and with each way to commit.
package kafkas

import (
	"context"
	"database/sql"
	"log"
	"time"

	"github.com/IBM/sarama"
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	segment "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Store keeps what was read.
type Store struct{ db *sql.DB }

func (s *Store) put(ctx context.Context, body []byte) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO readings (body) VALUES ($1)`, body)
	return err
}

// Grouped reads with a group: ReadMessage commits before it returns.
type Grouped struct {
	reader *segment.Reader
	store  *Store
}

// NewGrouped makes the reader.
func NewGrouped(s *Store) *Grouped {
	return &Grouped{reader: segment.NewReader(segment.ReaderConfig{Topic: "readings", GroupID: "keeper"}), store: s}
}

// Run reads and stores.
func (g *Grouped) Run(ctx context.Context) error { // handler kafka auto skip cumulative
	for {
		m, err := g.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if err := g.store.put(ctx, m.Value); err != nil {
			log.Print(err)
		}
	}
}

// Alone reads one partition without a group: no offset is kept.
func Alone(ctx context.Context, s *Store) error { // handler kafka none skip
	r := segment.NewReader(segment.ReaderConfig{Topic: "readings", Partition: 1})
	for {
		m, err := r.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if err := s.put(ctx, m.Value); err != nil {
			return err
		}
	}
}

// Given reads with a reader that others made: nobody sees whether it has a group.
func Given(ctx context.Context, r *segment.Reader, s *Store) error { // handler kafka - -
	for {
		m, err := r.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if err := s.put(ctx, m.Value); err != nil {
			return err
		}
	}
}

// Fetcher commits what it has stored.
type Fetcher struct {
	*segment.Reader
	store *Store
}

// Run stops at the first failure.
func (f *Fetcher) Run(ctx context.Context) error { // handler kafka offset redeliver cumulative
	for {
		m, err := f.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := f.store.put(ctx, m.Value); err != nil {
			return err
		}
		if err := f.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Claims is the handler of a group.
type Claims struct{ store *Store }

// Setup does nothing.
func (*Claims) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup does nothing.
func (*Claims) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim marks what it has stored.
func (c *Claims) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error { // handler kafka offset redeliver cumulative
	for m := range claim.Messages() {
		if err := c.store.put(session.Context(), m.Value); err != nil {
			return err
		}
		session.MarkMessage(m, "")
	}
	return nil
}

// Confluent reads with the default: offsets are committed behind its back.
func Confluent(ctx context.Context, s *Store) error { // handler kafka auto skip cumulative
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": "localhost", "group.id": "keeper"})
	if err != nil {
		return err
	}
	for {
		m, err := c.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if err := s.put(ctx, m.Value); err != nil {
			return err
		}
	}
}

// Manual has switched that off.
type Manual struct {
	consumer *kafka.Consumer
	store    *Store
}

// NewManual makes the consumer.
func NewManual(s *Store) (*Manual, error) {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"group.id": "keeper", "enable.auto.commit": false})
	return &Manual{consumer: c, store: s}, err
}

// Run polls and commits.
func (m *Manual) Run(ctx context.Context) error { // handler kafka offset redeliver cumulative
	for {
		switch e := m.consumer.Poll(100).(type) {
		case *kafka.Message:
			if err := m.store.put(ctx, e.Value); err != nil {
				return err
			}
			if _, err := m.consumer.CommitMessage(e); err != nil {
				return err
			}
		case kafka.Error:
			return e
		}
	}
}

// Franz reads with the default: a poll commits what the poll before returned.
func Franz(ctx context.Context, s *Store) error { // handler kafka auto skip cumulative
	c, err := kgo.NewClient(kgo.ConsumerGroup("keeper"), kgo.ConsumeTopics("readings"))
	if err != nil {
		return err
	}
	for {
		for _, r := range c.PollFetches(ctx).Records() {
			if err := s.put(ctx, r.Value); err != nil {
				return err
			}
		}
	}
}

// FranzManual commits what it has stored.
func FranzManual(ctx context.Context, s *Store) error { // handler kafka offset redeliver cumulative
	c, err := kgo.NewClient(kgo.ConsumerGroup("keeper"), kgo.DisableAutoCommit())
	if err != nil {
		return err
	}
	for {
		for _, r := range c.PollFetches(ctx).Records() {
			if err := s.put(ctx, r.Value); err != nil {
				return err
			}
			if err := c.CommitRecords(ctx, r); err != nil {
				return err
			}
		}
	}
}
