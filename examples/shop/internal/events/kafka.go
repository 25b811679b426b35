package events

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/segmentio/kafka-go"
)

// Kafka publishes to one topic, keyed by entity.
type Kafka struct{ w *kafka.Writer }

// NewKafka waits for all replicas.
func NewKafka(topic string, brokers ...string) *Kafka {
	return &Kafka{w: &kafka.Writer{
		Addr:         kafka.TCP(brokers...),
		Topic:        topic,
		Balancer:     &kafka.Hash{},
		RequiredAcks: kafka.RequireAll,
	}}
}

// Publish returns when the broker has the event.
func (k *Kafka) Publish(ctx context.Context, e Event) error {
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := k.w.WriteMessages(ctx, kafka.Message{Key: []byte(e.Key), Value: raw}); err != nil {
		return fmt.Errorf("publish %s: %w", e.Type, err)
	}
	return nil
}

// Close flushes.
func (k *Kafka) Close() error { return k.w.Close() }
