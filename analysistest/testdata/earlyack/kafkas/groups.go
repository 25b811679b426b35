package kafkas

import (
	"context"
	"log/slog"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	segment "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Dynamic has a configuration that is read from elsewhere: nobody knows.
func Dynamic(ctx context.Context, m *Meters, config *kafka.ConfigMap) error {
	c, err := kafka.NewConsumer(config)
	if err != nil {
		return err
	}
	for {
		msg, err := c.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if err := m.keep(ctx, msg.Value); err != nil {
			return err
		}
	}
}

// Member has a group that is a setting: a reader with a GroupID field is one of
// a group.
func Member(ctx context.Context, m *Meters, group string) error {
	r := segment.NewReader(segment.ReaderConfig{Topic: "readings", GroupID: group})
	for {
		msg, err := r.ReadMessage(ctx) // want auto-ack "before m.keep"
		if err != nil {
			return err
		}
		if err := m.keep(ctx, msg.Value); err != nil {
			slog.Error("keep", "err", err)
		}
	}
}

// Ungrouped is a client with no group: it commits nothing.
func Ungrouped(ctx context.Context, m *Meters) error {
	c, err := kgo.NewClient(kgo.ConsumeTopics("readings"))
	if err != nil {
		return err
	}
	for {
		for _, r := range c.PollFetches(ctx).Records() {
			if err := m.keep(ctx, r.Value); err != nil {
				slog.Error("keep", "err", err)
			}
		}
	}
}

// Session is a Kafka transaction that takes the offsets along: End commits both or
// none.
func Session(ctx context.Context, s *kgo.GroupTransactSession) error {
	for {
		fetches := s.PollFetches(ctx)
		if err := s.Begin(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			s.Produce(ctx, &kgo.Record{Topic: "copies", Value: r.Value}, nil)
		}
		if _, err := s.End(ctx, kgo.TryCommit); err != nil {
			return err
		}
	}
}

// Shown only shows what is read.
func Shown(ctx context.Context) error {
	r := segment.NewReader(segment.ReaderConfig{Topic: "readings", GroupID: "shown"})
	for {
		msg, err := r.ReadMessage(ctx)
		if err != nil {
			return err
		}
		slog.Info("read", "value", string(msg.Value))
	}
}

// Forwarded publishes what was committed before.
func Forwarded(ctx context.Context, w *segment.Writer) error {
	r := segment.NewReader(segment.ReaderConfig{Topic: "readings", GroupID: "forwarded"})
	for {
		msg, err := r.ReadMessage(ctx) // want auto-ack "before w.WriteMessages"
		if err != nil {
			return err
		}
		if err := w.WriteMessages(ctx, segment.Message{Value: msg.Value}); err != nil {
			return err
		}
	}
}

// Passed puts what was committed before into a channel, whose reader stores it.
func Passed(ctx context.Context, m *Meters) error {
	r := segment.NewReader(segment.ReaderConfig{Topic: "readings", GroupID: "passed"})
	values := make(chan []byte, 100)
	go func() {
		for v := range values {
			if err := m.keep(ctx, v); err != nil {
				slog.Error("keep", "err", err)
			}
		}
	}()
	for {
		msg, err := r.ReadMessage(ctx)
		if err != nil {
			return err
		}
		values <- msg.Value // want auto-ack "leaves the message to others"
	}
}
